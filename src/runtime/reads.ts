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

/** Creates the reads of an engine on a store. A running task is shown from memory, a settled one as it was stored. */
export const createReads = ({ store, now, peek }: Parts) => {
  /** Null: the task was removed since it was listed. */
  const viewTask = async (key: SessionKey, { task_id, view }: ListedTask): Promise<TaskView | null> => {
    if (view !== null) return view;
    const active = peek(key)?.active;
    if (active?.task.context.task_id === task_id) return taskView(active.task);
    const loaded = await store.loadTask(key, task_id);
    return loaded && taskView(loaded.task);
  };

  /**
   * A session as the API shows it. Its phase is its task's, or `intake` while turns wait for it to be free. Null: it
   * was removed.
   */
  const viewSession = async (owner: string, { active, last, ...bare }: ListedSession): Promise<SessionView | null> => {
    const active_task = active && (await viewTask({ owner, session_id: bare.session_id }, active));
    if (active_task === null && active !== null) return null;
    const phase = active_task?.phase ?? (bare.queue.length > 0 ? 'intake' : null);
    const last_task =
      active_task === null ? last : { id: active_task.id, state: active_task.state, outcome: active_task.outcome };
    return { ...bare, phase, active_task, last_task };
  };

  const ownSession = async (key: SessionKey): Promise<ListedSession> =>
    found(await store.session(key), () => noSession(key.session_id));

  /** `owner` null: any owner. */
  const ownTask = async (owner: string | null, taskId: string) => found(await store.task(owner, taskId), noTask);

  /** Entries in order, read by page; `taskId` null: those of the whole session. */
  async function* trace(key: SessionKey, taskId: string | null, after = 0): AsyncGenerator<TraceEntry> {
    for (let from = after; ; ) {
      const entries = await store.entries(key, taskId, from, ENTRIES_A_PAGE);
      yield* entries;
      if (entries.length < ENTRIES_A_PAGE) return;
      from = entries.at(-1)!.seq;
    }
  }

  const listCalls = async (owner: string, task_id: string, page: PageRequest, of = {}) => {
    await ownTask(owner, task_id);
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
    callbacks: async (viewer, states, page) => {
      const { items, next } = await store.callbacks(readersOf(viewer), states, page);
      return { items: items.map(callbackView), next };
    },
    ownCallback: async (viewer: CallbackReader, id: string): Promise<ListedCallback> =>
      found(await store.callback(readersOf(viewer), id), noCallback),
    usageByDay: store.access.usedByDay,
    usageToday: (owner) => store.access.usedOn(owner, now()),
    usage: async (owner) => ({
      ...(await store.ownerCounts(owner)),
      database_bytes: await store.storedBytes(),
      kept_calls: await store.calls.count(owner),
    }),
    countTasks: store.countTasks,
    turn: async (owner, turnId) => found(await store.turn(owner, 'id', turnId), noTurn).turn,
    turnByKey: async (owner, key) => (await store.turn(owner, 'key', key))?.turn ?? null,
    sessions: async (owner, page, query) => {
      const { items, next } = await store.sessions(owner, page, query);
      return { items: await notRemoved(items, (listed) => viewSession(owner, listed)), next };
    },
    session: async (owner, session_id) =>
      found(await viewSession(owner, await ownSession({ owner, session_id })), () => noSession(session_id)),
    tasks: async (owner, session_id, page) => {
      const key = { owner, session_id };
      await ownSession(key);
      const { items, next } = await store.tasks(key, page);
      return { items: await notRemoved(items, (listed) => viewTask(key, listed)), next };
    },
    turns: async (owner, session_id, page) => {
      const key = { owner, session_id };
      await ownSession(key);
      return store.turns(key, page);
    },
    waiting: async (owner, states, page) => {
      const { items, next } = await store.waiting(owner, states, page);
      const shown = await notRemoved(items, async ({ task_id, view, ...waiting }) => {
        const task = await viewTask({ owner, session_id: waiting.session_id }, { task_id, view });
        return task && { ...waiting, task };
      });
      return { items: shown, next };
    },
    moved: async (owner, query, page) => {
      const { items, ...listed } = await store.moved(owner, query, page);
      const shown = await notRemoved(items, async ({ session_id, moved_at, ...bare }) => {
        const task = await viewTask({ owner, session_id }, bare);
        return task && { session_id, moved_at, task };
      });
      return { ...listed, items: shown };
    },
    task: async (owner, taskId) => {
      const own = await ownTask(owner, taskId);
      return found(await viewTask(own, own), noTask);
    },
    ownTask,
    taskEvents: async function* (taskId) {
      const task = await store.task(null, taskId);
      if (task !== null) yield* trace(task, taskId) as AsyncGenerator<TaskTraceEntry>;
    },
    hasEnded: async (taskId) => {
      const task = await store.task(null, taskId);
      return task && task.state !== 'running' && isEnded(task.state);
    },
    sessionTrace: async function* (owner, session_id, after) {
      const key = { owner, session_id };
      await ownSession(key);
      yield* trace(key, null, after);
    },
    taskTrace: async function* (owner, taskId) {
      yield* trace(await ownTask(owner, taskId), taskId) as AsyncGenerator<TaskTraceEntry>;
    },
  } satisfies Partial<Engine> & { ownTask: unknown; ownCallback: unknown };
};
