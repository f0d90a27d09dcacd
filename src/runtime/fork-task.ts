import { randomBytes } from 'node:crypto';
import { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { type Conversation, isEnded, isSettled, type TaskContext } from '../../contracts/task.ts';
import { isCommand } from '../../contracts/text.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import type { ForkPreview, TurnView } from '../../contracts/turn-view.ts';
import { conversationOf } from '../../machines/context.ts';
import { isCancelPhrase } from '../../machines/phrases.ts';
import { EventNotAccepted, type Task } from '../../machines/step.ts';
import { MACHINE } from '../../machines/task-machine.ts';
import { foldEvent } from '../history/fold.ts';
import { ServiceError } from '../lib/errors.ts';
import { forkPreview } from '../projections/fork-preview.ts';
import { approvalAnswer } from '../projections/question.ts';
import { replyOf } from '../projections/reply.ts';
import { differenceOf } from '../session/fold-task.ts';
import type { CopiedEvent, Fork } from '../session/input.ts';
import { turnIn } from '../session/turn-views.ts';
import { newId } from './new-id.ts';
import type { TaskFork } from './port.ts';
import type { EngineParts, RunningSessions } from './running-sessions.ts';

const isOver = ({ state }: TaskTraceEntry): boolean => isEnded(state);

/** The entries up to and including `at`, all of them when it is undefined. Refuses a seq of no entry, and a history that has ended. */
const cutHistory = (entries: TaskTraceEntry[], at: number | undefined): TaskTraceEntry[] => {
  // Its session was removed meanwhile.
  if (entries.length === 0) throw new ServiceError('TASK_NOT_FOUND', 'There is no task of that id');
  const end = at === undefined ? entries.length - 1 : entries.findIndex(({ seq }) => seq === at);
  if (end < 0)
    throw new ServiceError(
      'INVALID_REQUEST',
      `This task has no entry ${at}: it has some of ${entries[0]?.seq} to ${entries.at(-1)?.seq}, which its trace lists`,
    );
  const cut = entries.slice(0, end + 1);
  if (!isOver(cut.at(-1)!)) return cut;
  const before = cut.findLast((entry) => !isOver(entry))?.seq;
  throw new ServiceError(
    'TASK_FINISHED',
    `The task has ended at entry ${cut.find(isOver)?.seq}, so nothing is left to do there; fork it at ${before} or earlier`,
  );
};

/** Folds a cut history under the ids of a fork. Throws `EVENT_NOT_ACCEPTED` where this machine folds it differently. */
const foldFork = (
  { task_id, session_id }: Pick<TaskOpened, 'task_id' | 'session_id'>,
  entries: readonly TaskTraceEntry[],
): CopiedEvent[] => {
  let task: Task | null = null;
  const copied = (entry: TaskTraceEntry): CopiedEvent => {
    const event =
      entry.event.type === 'task.opened'
        ? { ...TaskOpened.parse(entry.event), task_id, session_id }
        : TaskEvent.parse(entry.event);
    const made = foldEvent(task, event);
    task = made.task;
    const difference = entry.machine === MACHINE ? null : differenceOf(made, entry);
    if (difference !== null) throw new EventNotAccepted(difference);
    return { event, made };
  };
  try {
    return entries.map(copied);
  } catch (error) {
    if (!(error instanceof EventNotAccepted)) throw error;
    throw new ServiceError(
      'EVENT_NOT_ACCEPTED',
      `This history was made by another version of the machine, and this one (${MACHINE}) can not go on with it: ${error.message}`,
      { cause: error },
    );
  }
};

/** The user's words in an event, for the conversation; null for an event that is no turn of theirs. */
const saidBy = (event: TaskEvent | TaskOpened, { language }: TaskContext): string | null => {
  switch (event.type) {
    case 'task.opened':
      return event.goal;
    case 'answer.received':
    case 'steer.received':
      return event.text;
    case 'decision.received':
      return approvalAnswer(event.decision, language);
    case 'task.resumed':
      return 'continue';
    default:
      return null;
  }
};

/** The conversation of a folded history; the reply to its last event is in it only where the fork takes an input after that. */
const conversationIn = (history: readonly CopiedEvent[], hasInput: boolean): Conversation => {
  const turns: Conversation = [];
  let said: string[] = [];
  for (const [i, { event, made }] of history.entries()) {
    if (event.type === 'task.opened') turns.push(...event.conversation);
    const text = saidBy(event, made.task.context);
    if (text !== null) said.push(text);
    if (!isSettled(made.task.state) || (i === history.length - 1 && !hasInput)) continue;
    const { output } = replyOf(made.task);
    turns.push(...said.map((text) => ({ said: text, answered: output })));
    said = [];
  }
  return conversationOf(turns);
};

/** Characters of the original session's name that prefix a fork's generated name: the whole stays within 64. */
const NAME_CHARS_KEPT = 47;

/** Random bytes at the end of a made-up session name: none is met by chance. */
const NAME_BYTES = 5;

/** The last turn that is named: what the task was working on. */
const lastTurnOf = (history: readonly CopiedEvent[]): string =>
  history.map(({ event }) => ('turn_id' in event ? event.turn_id : null)).findLast((id) => id !== null)!;

const checkInput = (input: string | undefined): void => {
  if (input !== undefined && (isCommand(input) || isCancelPhrase(input)))
    throw new ServiceError(
      'INVALID_REQUEST',
      'The input of a fork is an answer, "continue" or what the task should know besides; send commands to the new session',
    );
};

/** Forks tasks: reads the original's history, and gives it to a new session as one input. The original is only read. */
export const createForks = ({ store, defaults, limits, now }: EngineParts, { post, reads }: RunningSessions) => {
  const readHistory = async (owner: string, taskId: string, at = Number.POSITIVE_INFINITY) => {
    const entries: TaskTraceEntry[] = [];
    for await (const entry of reads.taskTrace(owner, taskId)) {
      entries.push(entry);
      if (entries.length > limits.fork_entries && entry.seq <= at)
        throw new ServiceError(
          'INPUT_TOO_LARGE',
          `A fork may begin with at most ${limits.fork_entries} entries of history; fork the task at an earlier entry`,
        );
    }
    return entries;
  };

  const previewFork = async (owner: string, taskId: string, at?: number): Promise<ForkPreview> => {
    const entries = await readHistory(owner, taskId, at);
    const kept = cutHistory(entries, at);
    return forkPreview(kept, entries.slice(kept.length));
  };

  const fork = async (
    owner: string,
    taskId: string,
    { at, input: said, session_id: wanted }: TaskFork,
  ): Promise<TurnView> => {
    const origin = await reads.ownTask(owner, taskId);
    checkInput(said);
    if (defaults.modelProblem !== null) throw new ServiceError('MODEL_NOT_CONFIGURED', defaults.modelProblem);
    const tail = randomBytes(NAME_BYTES).toString('hex');
    const session_id = wanted ?? `${origin.session_id.slice(0, NAME_CHARS_KEPT)}-fork-${tail}`;
    const ids = { task_id: newId('task', now()), session_id };
    const kept = cutHistory(await readHistory(owner, taskId, at), at);
    const history = foldFork(ids, kept);
    const conversation = conversationIn(history, said !== undefined);
    const turn_id = newId('turn', now());
    const pending =
      said ?? (await store.turn(owner, 'id', lastTurnOf(history)))?.turn.input ?? history[0]!.made.task.context.goal;
    const input: Fork = {
      type: 'fork',
      turn: { owner, session_id, turn_id, input: pending },
      forked: {
        ...{ type: 'session.forked', from_session_id: origin.session_id, from_task_id: taskId },
        at_seq: kept.at(-1)!.seq,
        ...(conversation.length > 0 && { conversation }),
      },
      history,
      hasInput: said !== undefined,
      turnsPerDay: (await store.access.quotas.of(owner))?.turns_per_day ?? null,
    };
    const decision = await post({ owner, session_id }, input, origin.timezone);
    return turnIn(decision, turn_id);
  };
  return { fork, previewFork };
};
