import { randomBytes } from 'node:crypto';
import type { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { ForkPreview } from '../../contracts/fork-preview.ts';
import type { ServiceLimits } from '../../contracts/service-limits.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { routeInput } from '../../machines/route-input.ts';
import { EventNotAccepted } from '../../machines/step.ts';
import { MACHINE } from '../../machines/task-machine.ts';
import { ServiceError } from '../lib/errors.ts';
import type { SessionStore } from '../store/port.ts';
import type { Decision } from './change.ts';
import type { StoredEntry } from './fold-task.ts';
import { cutHistory, foldFork } from './fork-history.ts';
import { forkPreview } from './fork-preview.ts';
import { newId } from './new-id.ts';
import type { TaskFork } from './port.ts';
import type { CopiedEvent, SessionInput, TaskDefaults } from './session-input.ts';
import type { SessionKey } from './session-key.ts';
import { turnsOf } from './turn-views.ts';

/** Characters of the original session's name that prefix a fork's generated name: the whole stays within 64. */
const NAME_CHARS_KEPT = 47;

/** Random bytes at the end of a made-up session name: none is met by chance. */
const NAME_BYTES = 5;

/** Entries read at a time. */
const PAGE = 500;

interface Parts {
  store: SessionStore;
  post(key: SessionKey, timezone: string, input: SessionInput): Promise<Decision>;
  defaults: TaskDefaults;
  /** How much history one fork may begin with. */
  limits: Pick<ServiceLimits, 'fork_entries'>;
  now(): number;
}

const noTask = (): ServiceError => new ServiceError('TASK_NOT_FOUND', 'There is no task of that id');

const tooLong = (most: number): ServiceError =>
  new ServiceError(
    'INPUT_TOO_LARGE',
    `A fork may begin with at most ${most} entries of history; fork the task at an earlier entry`,
  );

const notAccepted = (cause: EventNotAccepted): ServiceError =>
  new ServiceError(
    'EVENT_NOT_ACCEPTED',
    `This history was made by another version of the machine, and this one (${MACHINE}) can not go on with it: ${cause.message}`,
    { cause },
  );

/** The last turn that is named: what the task was working on. */
const lastTurnOf = (opened: TaskOpened, rest: readonly CopiedEvent<TaskEvent>[]): string => {
  const named = rest.findLast(({ event }) => 'turn_id' in event && event.turn_id !== null);
  return named !== undefined && 'turn_id' in named.event ? (named.event.turn_id ?? opened.turn_id) : opened.turn_id;
};

const checkInput = (input: string | undefined): void => {
  if (input === undefined) return;
  const around = {
    activity: 'waiting',
    isTaskPaused: false,
    hasConversation: true,
    isModelConfigured: true,
    onBusy: 'enqueue',
  } as const;
  const { kind } = routeInput(input, around);
  if (kind === 'command' || kind === 'control')
    throw new ServiceError(
      'INVALID_REQUEST',
      'The input of a fork is an answer, "continue" or what the task should know besides; send commands to the new session',
    );
};

const foldAccepted = (...args: Parameters<typeof foldFork>): ReturnType<typeof foldFork> => {
  try {
    return foldFork(...args);
  } catch (error) {
    throw error instanceof EventNotAccepted ? notAccepted(error) : error;
  }
};

/** Makes what forks tasks: reads the original's history, and gives it to a new session as one input. The original is only read. */
export const createForks = ({ store, post, defaults, limits, now }: Parts) => {
  const history = async (owner: string, taskId: string, at: number = Number.POSITIVE_INFINITY) => {
    const entries: StoredEntry[] = [];
    for (;;) {
      const { entries: page, isEnd } = await store.storedEntries(owner, taskId, entries.at(-1)?.seq ?? 0, PAGE);
      entries.push(...page);
      if (entries.filter(({ seq }) => seq <= at).length > limits.fork_entries) throw tooLong(limits.fork_entries);
      // Of one that was removed between two pages the rest is missing.
      if (page.length === 0 && (await store.taskPlace(owner, taskId)) === null) throw noTask();
      if (isEnd) return entries;
    }
  };

  const originOf = async (owner: string, taskId: string) => {
    const origin = await store.taskPlace(owner, taskId);
    if (origin === null) throw noTask();
    return origin;
  };

  const previewFork = async (owner: string, taskId: string, at?: number): Promise<ForkPreview> => {
    await originOf(owner, taskId);
    const entries = await history(owner, taskId, at);
    const kept = cutHistory(entries, at);
    return forkPreview(kept, entries.slice(kept.length));
  };

  const fork = async (
    owner: string,
    taskId: string,
    { at, input, session_id: wanted }: TaskFork,
  ): Promise<TurnView> => {
    const origin = await originOf(owner, taskId);
    checkInput(input);
    if (defaults.modelProblem !== null) throw new ServiceError('MODEL_NOT_CONFIGURED', defaults.modelProblem);
    const tail = randomBytes(NAME_BYTES).toString('hex');
    const session_id = wanted ?? `${origin.session_id.slice(0, NAME_CHARS_KEPT)}-fork-${tail}`;
    const ids = { task_id: newId('task', now()), session_id };
    const kept = cutHistory(await history(owner, taskId, at), at);
    const { opened, rest } = foldAccepted(ids, kept);
    const at_seq = kept.at(-1)!.seq;
    const turn_id = newId('turn', now());
    const pending = input ?? (await store.turnInput(owner, lastTurnOf(opened.event, rest))) ?? opened.event.goal;
    const decision = await post({ owner, session_id }, origin.timezone, {
      type: 'fork',
      turn: { owner, session_id, turn_id, input: pending },
      forked: { type: 'session.forked', from_session_id: origin.session_id, from_task_id: taskId, at_seq },
      ...{ opened, rest },
      hasInput: input !== undefined,
      turnsPerDay: (await store.quotaOf(owner))?.turns_per_day ?? null,
    });
    const turn = turnsOf(decision).find(({ id }) => id === turn_id);
    if (turn === undefined) throw new Error(`the fork's turn ${turn_id} was committed and is not there`);
    return turn;
  };
  return { fork, previewFork };
};
