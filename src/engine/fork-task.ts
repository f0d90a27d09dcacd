import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { effectId } from '../../contracts/ids.ts';
import type { ServiceLimits } from '../../contracts/service-limits.ts';
import { isEnded, type TaskState } from '../../contracts/task.ts';
import { plainLine } from '../../contracts/text.ts';
import type { ForkPreview, PreviewedEffect, TurnView } from '../../contracts/turn-view.ts';
import { routeInput } from '../../machines/route-input.ts';
import { EventNotAccepted, open, type Step, step } from '../../machines/step.ts';
import { MACHINE } from '../../machines/task-machine.ts';
import { ServiceError } from '../lib/errors.ts';
import type { SessionStore } from '../store/port.ts';
import type { Decision } from './change.ts';
import { effectsOf, type StoredEntry } from './fold-task.ts';
import type { TaskFork } from './port.ts';
import type { SessionKey } from './session-image.ts';
import type { CopiedEvent, SessionInput, TaskDefaults } from './session-input.ts';
import { newId } from './submit.ts';
import { turnsOf } from './turn-views.ts';

/** The ids that a fork has in place of the original's. */
export interface ForkIds {
  task_id: string;
  session_id: string;
}

/** The entries up to and including `at`, all of them when it is undefined. Refuses a seq of no entry, and a history that has ended. */
export const cutHistory = (entries: StoredEntry[], at: number | undefined): StoredEntry[] => {
  const end = at === undefined ? entries.length - 1 : entries.findIndex(({ seq }) => seq === at);
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined)
    throw new ServiceError('TASK_NOT_FOUND', 'There is no task of that id');
  if (end < 0)
    throw new ServiceError(
      'INVALID_REQUEST',
      `Entry ${at} of the session is none of this task's, which are ${first.seq} to ${last.seq}; the task's trace lists them`,
    );
  const cut = entries.slice(0, end + 1);
  const isOver = ({ state }: StoredEntry): boolean => isEnded(state as TaskState);
  if (!isOver(cut.at(-1)!)) return cut;
  const before = cut.findLast((entry) => !isOver(entry))?.seq;
  throw new ServiceError(
    'TASK_FINISHED',
    `The task has ended at entry ${cut.find(isOver)?.seq}, so nothing is left to do there; fork it at ${before} or earlier`,
  );
};

/** An event as it is stored, and what is read of it. Where both are the same, the fields stay in the order in which they are stored. */
const stored = <Event extends object>(text: string, parse: (value: unknown) => Event): Event => {
  const value: unknown = JSON.parse(text);
  const event = parse(value);
  return isDeepStrictEqual(value, event) ? (value as Event) : event;
};

/** Reads the event that opened a task as the fork's own: its ids are the fork's, and nothing else has changed. */
const rewriteOpened = ({ event }: StoredEntry, ids: ForkIds): TaskOpened => ({
  ...stored(event, (value) => TaskOpened.parse(value)),
  ...ids,
});

/** Reads a later event, which is the fork's as it stands. */
const readEvent = ({ event }: StoredEntry): TaskEvent => stored(event, (value) => TaskEvent.parse(value));

/** True when the fork's fold came to what the original's entry says. */
const isFoldedAlike = (entry: StoredEntry, { task, effects }: Step): boolean =>
  task.state === entry.state &&
  task.context.step_count === entry.step_count &&
  isDeepStrictEqual(effects, effectsOf(entry.effects));

/** Folds a cut history under the ids of a fork. Throws `EventNotAccepted` where this machine folds it differently. */
export const foldFork = (
  ids: ForkIds,
  [first, ...later]: readonly StoredEntry[],
): { opened: CopiedEvent<TaskOpened>; rest: CopiedEvent<TaskEvent>[] } => {
  const event = rewriteOpened(first!, ids);
  let made = open(event);
  const opened = { event, made };
  const rest = later.map((entry) => {
    const next = readEvent(entry);
    made = step(made.task, next);
    if (entry.machine !== MACHINE && !isFoldedAlike(entry, made))
      throw new EventNotAccepted(`entry ${entry.seq} leads elsewhere now`);
    return { event: next, made };
  });
  return { opened, rest };
};

/** Longest beginning of a tool's input that is shown, in characters. */
const INPUT_CHARS_MAX = 300;

/** What the fork's input would be in this state. */
const takenIn = (state: TaskState): ForkPreview['takes'] =>
  state === 'awaiting_user' ? 'answer' : state === 'paused' ? 'continue' : 'steer';

/** The question that waits for an answer; a plan or an action that waits for a yes asks without words of its own. */
const askedIn = (state: TaskState, events: readonly TaskEvent[]): Pick<ForkPreview, 'question' | 'options'> => {
  const asked = events.at(-1);
  return state === 'awaiting_user' && asked?.type === 'thought.made'
    ? { question: asked.question, options: asked.options ?? null }
    : { question: null, options: null };
};

/**
 * What a fork of a task's history would recall, do again and leave behind. `kept` are the entries that it would have, `later` those of the
 * original after them. Performs nothing.
 */
export const forkPreview = (kept: readonly StoredEntry[], later: readonly StoredEntry[]): ForkPreview => {
  const first = kept[0]!;
  const last = kept.at(-1)!;
  const { catalogue, task_id } = TaskOpened.parse(JSON.parse(first.event));
  const writes = new Set(catalogue.tools.filter((tool) => tool.writes).map(({ name }) => name));
  const requestedIn = ({ seq, effects }: StoredEntry): PreviewedEffect[] =>
    effectsOf(effects).map((effect) => {
      const tool = effect.type === 'tool.call' ? effect.params.tool : null;
      const input = effect.type === 'tool.call' ? plainLine(effect.params.input, INPUT_CHARS_MAX) : null;
      return {
        seq,
        effect_id: effectId(task_id, effect.effect),
        type: effect.type,
        tool,
        input,
        writes: tool !== null && writes.has(tool),
      };
    });
  const events = kept.slice(1).map(({ event }) => TaskEvent.parse(JSON.parse(event)));
  const answered = new Set(events.flatMap((event) => ('effect' in event ? [effectId(task_id, event.effect)] : [])));
  const requested = kept.flatMap(requestedIn);
  const state = last.state as TaskState;
  return {
    at: last.seq,
    state,
    takes: takenIn(state),
    ...askedIn(state, events),
    recalled: requested.filter(({ effect_id }) => answered.has(effect_id)),
    // An effect without a result is open where it is the last one: any other was given up.
    performed: requested.slice(-1).filter(({ effect_id }) => !answered.has(effect_id) && takenIn(state) === 'steer'),
    left: later.flatMap(requestedIn),
  };
};

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
      if (page.length === 0 && (await store.task(owner, taskId)) === null) throw noTask();
      if (isEnd) return entries;
    }
  };

  const originOf = async (owner: string, taskId: string) => {
    const origin = await store.task(owner, taskId);
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
    const pending = input ?? (await store.turn(owner, lastTurnOf(opened.event, rest)))?.turn.input ?? opened.event.goal;
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
