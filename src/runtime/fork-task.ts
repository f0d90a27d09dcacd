import { randomBytes } from 'node:crypto';
import type { AttachedFile } from '../../contracts/file.ts';
import { isCommand } from '../../contracts/text.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import type { ForkPreview, TurnView } from '../../contracts/turn-view.ts';
import { isCancelPhrase } from '../../machines/phrases.ts';
import { type CopiedEvent, cutHistory, foldFork } from '../history/fork.ts';
import { forkConversation } from '../history/fork-conversation.ts';
import { forkPreview } from '../history/fork-preview.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Fork } from '../session/input.ts';
import { turnIn } from '../session/turn-views.ts';
import type { Store } from '../store/port.ts';
import type { EngineParts } from './engine-parts.ts';
import { createFileKeeping } from './keep-files.ts';
import { newId } from './new-id.ts';
import type { TaskFork } from './port.ts';
import type { RunningSessions } from './running-sessions.ts';

/** Characters of the original session's name in a fork's generated name, which stays within 64. */
const NAME_CHARS_KEPT = 47;

/** Random bytes at the end of a generated session name, so that none collides by chance. */
const NAME_BYTES = 5;

/** The last turn in the history, which the task was working on. */
const lastTurnOf = (history: readonly CopiedEvent[]): string =>
  history.map(({ event }) => ('turn_id' in event ? event.turn_id : null)).findLast((id) => id !== null)!;

/** The files that prompts of a history name. */
const filesIn = (history: readonly CopiedEvent[]): AttachedFile[] =>
  history.flatMap(({ event }) => [
    ...('files' in event ? (event.files ?? []) : []),
    ...('conversation' in event ? event.conversation.flatMap(({ files = [] }) => files) : []),
  ]);

const checkInput = (input: string | undefined): void => {
  if (input !== undefined && (isCommand(input) || isCancelPhrase(input)))
    throw new ServiceError(
      'INVALID_REQUEST',
      'The input of a fork is an answer, "continue" or what the task should know besides; send commands to the new session',
    );
};

type Parts = Pick<EngineParts, 'defaults' | 'limits' | 'turnFiles' | 'now' | 'log'> & {
  store: Pick<Store, 'turn' | 'access'>;
};

/**
 * Forks tasks: reads the original's history and passes it to a new session as one input. Never changes the original.
 */
export const createForks = (
  { store, defaults, limits, turnFiles, now, log }: Parts,
  { post, reads, shown }: Pick<RunningSessions, 'post' | 'reads' | 'shown'>,
) => {
  const keeping = createFileKeeping({ turnFiles, log }, { post, shown });

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
    { at, input: said, session_id: wanted, by, decider }: TaskFork,
  ): Promise<TurnView> => {
    const origin = await reads.ownTask(owner, taskId);
    checkInput(said);
    if (defaults.modelProblem !== null) throw new ServiceError('MODEL_NOT_CONFIGURED', defaults.modelProblem);
    const tail = randomBytes(NAME_BYTES).toString('hex');
    const session_id = wanted ?? `${origin.session_id.slice(0, NAME_CHARS_KEPT)}-fork-${tail}`;
    const ids = { task_id: newId('task', now()), session_id };
    const kept = cutHistory(await readHistory(owner, taskId, at), at);
    const history = foldFork(ids, kept);
    const conversation = forkConversation(history, said !== undefined);
    const turn_id = newId('turn', now());
    const pending =
      said ?? (await store.turn(owner, 'id', lastTurnOf(history)))?.turn.input ?? history[0]!.made.task.context.goal;
    const input: Fork = {
      type: 'fork',
      turn: { owner, session_id, turn_id, input: pending, by, decider },
      forked: {
        type: 'session.forked',
        from_session_id: origin.session_id,
        from_task_id: taskId,
        at_seq: kept.at(-1)!.seq,
        ...(conversation.length > 0 && { conversation }),
      },
      history,
      hasInput: said !== undefined,
      turnsPerDay: (await store.access.quotas.of(owner))?.turns_per_day ?? null,
    };
    const to = { owner, session_id };
    await keeping.copy({ owner, session_id: origin.session_id }, to, turn_id, filesIn(history));
    let isStored: true | null = null;
    try {
      const decision = await post(to, input, origin.timezone);
      isStored = true;
      return turnIn(decision, turn_id);
    } finally {
      await keeping.settle(to, turn_id, isStored);
    }
  };
  return { fork, previewFork };
};
