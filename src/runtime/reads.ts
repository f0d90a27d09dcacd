import type { FeedbackLine } from '../../contracts/feedback.ts';
import type { SessionView } from '../../contracts/http.ts';
import { isEnded } from '../../contracts/task.ts';
import type { TaskTraceEntry, TraceEntry } from '../../contracts/trace.ts';
import type { TaskView } from '../../contracts/turn-view.ts';
import type { AccessStore } from '../access/port.ts';
import { ServiceError } from '../lib/errors.ts';
import type { PageRequest } from '../lib/page.ts';
import { taskView } from '../projections/task-view.ts';
import type { SessionImage, SessionKey } from '../session/image.ts';
import { callbackView, type ListedCallback, WEBHOOK_READER } from '../session/outbox-message.ts';
import { readBody } from '../store/call-body.ts';
import type { Callbacks, KeptCalls, ListedSession, ListedTask, Sessions, Tasks, Turns, Upkeep } from '../store/port.ts';
import type { CallbackReader, Engine } from './port.ts';

/** Trace entries read from the store at a time: the most that a slow reader of events costs. */
export const ENTRIES_A_PAGE = 16;

/** The reads of a store that an engine offers. */
type ReadStore = Tasks &
  Turns &
  Pick<Sessions, 'session' | 'sessions' | 'entries'> &
  Pick<Callbacks, 'callback' | 'callbacks'> &
  Pick<Upkeep, 'ownerCounts' | 'storedBytes'> & {
    access: Pick<AccessStore, 'usedByDay' | 'usedOn'>;
    calls: Pick<KeptCalls, 'list' | 'count'>;
  };

interface Parts {
  store: ReadStore;
  now(): number;
  peek(key: SessionKey): SessionImage | undefined;
}

export const noSession = (sessionId: string): ServiceError =>
  new ServiceError('SESSION_NOT_FOUND', `There is no session "${sessionId}"`);

const readersOf = ({ owner, isOperator }: CallbackReader): string[] => [owner, ...(isOperator ? [WEBHOOK_READER] : [])];

const noTurn = (): ServiceError => new ServiceError('TURN_NOT_FOUND', 'There is no turn with that id');
const noCallback = (): ServiceError => new ServiceError('CALLBACK_NOT_FOUND', 'There is no callback with that id');
const noTask = (): ServiceError => new ServiceError('TASK_NOT_FOUND', 'There is no task with that id');

const found = <Value>(value: Value | null, missing: () => ServiceError): Value => {
  if (value === null) throw missing();
  return value;
};

const notRemoved = async <Listed, View>(
  items: readonly Listed[],
  show: (item: Listed) => Promise<View | null>,
): Promise<View[]> => (await Promise.all(items.map(show))).filter((view) => view !== null);

const lastOf = ({ id, state, outcome, cost }: TaskView): SessionView['last_task'] => {
  const last = { id, state, outcome };
  return cost === undefined ? last : { ...last, cost };
};

/** Tasks and sessions as the API shows them. A running task is shown from memory, a settled one as it was stored. */
class Views {
  readonly #store: ReadStore;
  readonly #peek: Parts['peek'];

  constructor({ store, peek }: Parts) {
    this.#store = store;
    this.#peek = peek;
  }

  /** Null: the task was removed since it was listed. */
  async task(key: SessionKey, { task_id, view }: ListedTask): Promise<TaskView | null> {
    if (view !== null) return view;
    const active = this.#peek(key)?.active;
    if (active?.task.context.task_id === task_id) return taskView(active.task);
    const loaded = await this.#store.loadTask(key, task_id);
    return loaded && taskView(loaded.task);
  }

  /** A session's phase is its task's, or `intake` while turns wait for it to be free. Null: the session was removed. */
  async session(owner: string, { active, last, ...bare }: ListedSession): Promise<SessionView | null> {
    const active_task = active && (await this.task({ owner, session_id: bare.session_id }, active));
    if (active_task === null && active !== null) return null;
    const phase = active_task?.phase ?? (bare.queue.length > 0 ? 'intake' : null);
    return { ...bare, phase, active_task, last_task: active_task === null ? last : lastOf(active_task) };
  }

  async ownSession(key: SessionKey): Promise<ListedSession> {
    return found(await this.#store.session(key), () => noSession(key.session_id));
  }

  /** `owner` null: any owner. */
  async ownTask(owner: string | null, taskId: string) {
    return found(await this.#store.task(owner, taskId), noTask);
  }
}

const callReads = ({ store }: Parts, views: Views) => {
  const listCalls = async (owner: string, task_id: string, page: PageRequest, of = {}) => {
    await views.ownTask(owner, task_id);
    return store.calls.list({ owner, task_id, ...page, ...of });
  };
  return {
    modelCalls: async (owner, taskId, page) => {
      const { items, next } = await listCalls(owner, taskId, page);
      return { items: items.map(({ structured_output: _, body: __, system: ___, ...call }) => call), next };
    },
    callsOfEffect: async (owner, taskId, effect_id, page) => {
      const { items, next } = await listCalls(owner, taskId, page, { effect_id });
      const whole = items.map(async ({ body, system, ...call }) => ({ ...call, ...(await readBody(body!, system)) }));
      return { items: await Promise.all(whole), next };
    },
  } satisfies Partial<Engine>;
};

const callbackReads = ({ store }: Parts) =>
  ({
    callbacks: async (viewer, states, page) => {
      const { items, next } = await store.callbacks(readersOf(viewer), states, page);
      return { items: items.map(callbackView), next };
    },
    ownCallback: async (viewer: CallbackReader, id: string): Promise<ListedCallback> =>
      found(await store.callback(readersOf(viewer), id), noCallback),
  }) satisfies Partial<Engine> & { ownCallback: unknown };

const usageReads = ({ store, now }: Parts) =>
  ({
    usageByDay: store.access.usedByDay,
    usageToday: (owner) => store.access.usedOn(owner, now()),
    usage: async (owner) => ({
      ...(await store.ownerCounts(owner)),
      database_bytes: await store.storedBytes(),
      kept_calls: await store.calls.count(owner),
    }),
    countTasks: store.countTasks,
  }) satisfies Partial<Engine>;

const sessionReads = ({ store }: Parts, views: Views) =>
  ({
    turn: async (owner, turnId) => found(await store.turn(owner, 'id', turnId), noTurn).turn,
    turnByKey: async (owner, key) => (await store.turn(owner, 'key', key))?.turn ?? null,
    sessions: async (owner, page, query) => {
      const { items, next } = await store.sessions(owner, page, query);
      return { items: await notRemoved(items, (listed) => views.session(owner, listed)), next };
    },
    session: async (owner, session_id) =>
      found(await views.session(owner, await views.ownSession({ owner, session_id })), () => noSession(session_id)),
    turns: async (owner, session_id, page) => {
      const key = { owner, session_id };
      await views.ownSession(key);
      return store.turns(key, page);
    },
  }) satisfies Partial<Engine>;

const taskReads = ({ store }: Parts, views: Views) =>
  ({
    tasks: async (owner, session_id, page) => {
      const key = { owner, session_id };
      await views.ownSession(key);
      const { items, next } = await store.tasks(key, page);
      return { items: await notRemoved(items, (listed) => views.task(key, listed)), next };
    },
    waiting: async (owner, states, page) => {
      const { items, next } = await store.waiting(owner, states, page);
      const shown = await notRemoved(items, async ({ task_id, view, ...waiting }) => {
        const task = await views.task({ owner, session_id: waiting.session_id }, { task_id, view });
        return task && { ...waiting, task };
      });
      return { items: shown, next };
    },
    moved: async (owner, query, page) => {
      const { items, ...listed } = await store.moved(owner, query, page);
      const shown = await notRemoved(items, async ({ session_id, moved_at, ...bare }) => {
        const task = await views.task({ owner, session_id }, bare);
        return task && { session_id, moved_at, task };
      });
      return { ...listed, items: shown };
    },
    task: async (owner, taskId) => {
      const own = await views.ownTask(owner, taskId);
      return found(await views.task(own, own), noTask);
    },
    hasEnded: async (taskId) => {
      const task = await store.task(null, taskId);
      return task && task.state !== 'running' && isEnded(task.state);
    },
  }) satisfies Partial<Engine>;

const traceReads = ({ store }: Parts, views: Views) => {
  /** Entries in order, read by page; `taskId` null: those of the whole session. */
  async function* trace(key: SessionKey, taskId: string | null, after = 0): AsyncGenerator<TraceEntry> {
    for (let from = after; ; ) {
      const entries = await store.entries(key, taskId, from, ENTRIES_A_PAGE);
      yield* entries;
      if (entries.length < ENTRIES_A_PAGE) return;
      from = entries.at(-1)!.seq;
    }
  }
  return {
    taskEvents: async function* (taskId) {
      const task = await store.task(null, taskId);
      if (task !== null) yield* trace(task, taskId) as AsyncGenerator<TaskTraceEntry>;
    },
    sessionTrace: async function* (owner, session_id, after) {
      const key = { owner, session_id };
      await views.ownSession(key);
      yield* trace(key, null, after);
    },
    taskTrace: async function* (owner, taskId) {
      yield* trace(await views.ownTask(owner, taskId), taskId) as AsyncGenerator<TaskTraceEntry>;
    },
  } satisfies Partial<Engine>;
};

/** Feedback that is read at a time. */
const FEEDBACK_A_PAGE = 100;

const feedbackReads = ({ store }: Parts, views: Views) => {
  async function* feedback(key: SessionKey, taskId: string | null): AsyncGenerator<FeedbackLine> {
    for (let after: string | undefined; ; ) {
      const { items, next } = await store.feedback(key, taskId, { limit: FEEDBACK_A_PAGE, after });
      yield* items;
      if (next === null) return;
      after = next;
    }
  }
  return {
    sessionFeedback: async function* (owner, session_id) {
      const key = { owner, session_id };
      await views.ownSession(key);
      yield* feedback(key, null);
    },
    taskFeedback: async function* (owner, taskId) {
      yield* feedback(await views.ownTask(owner, taskId), taskId);
    },
  } satisfies Partial<Engine>;
};

/** Creates the reads of an engine on a store. */
export const createReads = (parts: Parts) => {
  const views = new Views(parts);
  return {
    ...callReads(parts, views),
    ...callbackReads(parts),
    ...usageReads(parts),
    ...sessionReads(parts, views),
    ...taskReads(parts, views),
    ...traceReads(parts, views),
    ...feedbackReads(parts, views),
    ownTask: (owner: string | null, taskId: string) => views.ownTask(owner, taskId),
  };
};
