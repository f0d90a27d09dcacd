import { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { isEnded } from '../../contracts/task.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { EventNotAccepted, type Step, type Task } from '../../machines/step.ts';
import { MACHINE } from '../../machines/task-machine.ts';
import { ServiceError } from '../lib/errors.ts';
import { openedFrom } from './chain.ts';
import type { HistoryEntry } from './fold.ts';
import { foldStored } from './fold-stored.ts';

/** An event of a fork's initial history, with the fork's ids, and its result. */
export interface CopiedEvent {
  readonly event: TaskOpened | TaskEvent;
  readonly made: Step;
}

const isOver = ({ state }: TaskTraceEntry): boolean => isEnded(state);

/**
 * The entries up to and including `at`; undefined: all. Refuses a seq without an entry, and a history that has ended.
 */
export const cutHistory = (entries: TaskTraceEntry[], at: number | undefined): TaskTraceEntry[] => {
  // Its session was removed meanwhile.
  if (entries.length === 0) throw new ServiceError('TASK_NOT_FOUND', 'There is no task with that id');
  const end = at === undefined ? entries.length - 1 : entries.findIndex(({ seq }) => seq === at);
  if (end < 0)
    throw new ServiceError(
      'INVALID_REQUEST',
      `This task has no entry ${at}; its trace lists its entries, from ${entries[0]?.seq} to ${entries.at(-1)?.seq}`,
    );
  const cut = entries.slice(0, end + 1);
  if (!isOver(cut.at(-1)!)) return cut;
  const before = cut.findLast((entry) => !isOver(entry))?.seq;
  throw new ServiceError(
    'TASK_FINISHED',
    `The task has ended at entry ${cut.find(isOver)?.seq}, so nothing is left to do there; fork it at ${before} or earlier`,
  );
};

const notForked = (reason: string, cause: unknown): ServiceError =>
  new ServiceError(
    'EVENT_NOT_ACCEPTED',
    `This history was made by another version of the machine, and this one (${MACHINE}) cannot continue it: ${reason}`,
    { cause },
  );

/** Folds a cut history with the ids of a fork. Throws `EVENT_NOT_ACCEPTED` if this machine folds it differently. */
export const foldFork = (
  { task_id, session_id }: Pick<TaskOpened, 'task_id' | 'session_id'>,
  entries: readonly TaskTraceEntry[],
): CopiedEvent[] => {
  let task: Task | null = null;
  const copied = (from: TaskTraceEntry): CopiedEvent => {
    const isForeign = from.machine !== MACHINE;
    const read = (): HistoryEntry => ({
      event:
        from.event.type === 'task.opened'
          ? openedFrom({ ...TaskOpened.parse(from.event), task_id, session_id }, entries.at(-1)?.chain)
          : TaskEvent.parse(from.event),
      recorded: isForeign ? from : null,
    });
    const folded = foldStored(task, from.seq, read);
    if (folded.fault === null) {
      task = folded.step.task;
      return { event: folded.entry.event, made: folded.step };
    }
    const { reason, error } = folded.fault;
    throw isForeign || error instanceof EventNotAccepted ? notForked(reason, error) : error;
  };
  return entries.map(copied);
};
