import type { Decision } from '../../engine/change.ts';
import { foldTask } from '../../engine/fold-task.ts';
import { createClockJumps } from '../../engine/prune-sessions.ts';
import { newSessionImage, type SessionKey } from '../../engine/session-image.ts';
import type { Page } from '../../lib/page.ts';
import type { Store } from '../port.ts';
import type { Asking } from '../questions.ts';
import { createAccessStore } from './access.ts';
import { createCallStore } from './calls.ts';
import type { SqlDatabase } from './database.ts';
import { sessionEntries, storedEntries, taskEntries } from './entries.ts';
import * as outbox from './outbox.ts';
import { findLeftOpen, markClean } from './recover.ts';
import { findRemovable, lastUsedAt } from './removal.ts';
import { findSession, listSessions, loadSession, sessionRow } from './sessions.ts';
import { countTasks, findTask, lastPaused, listTasks, listWaiting, storedTask, taskRow } from './tasks.ts';
import { findTurn, listTurns, turnByKey } from './turns.ts';
import { usageByDay, usageOn } from './usage.ts';
import { writeChanges } from './write-changes.ts';

const NO_PAGE: Page<never> = { items: [], next: null };

const NO_ENTRIES = { entries: [], isEnd: true };

/** Makes the store on a database that answers questions. It stores what was decided, and decides nothing. */
export const createStore = (db: SqlDatabase): Store => {
  const hasJumped = createClockJumps();
  const access = createAccessStore(db, hasJumped);

  /** A read that is one work. */
  const reading =
    <Given extends unknown[], Result>(work: (...given: Given) => Asking<Result>) =>
    (...given: Given): Promise<Result> =>
      db.read(() => work(...given));

  const newSession: Store['newSession'] = ({ owner, session_id }, timezone, now) =>
    newSessionImage({
      id: db.newSessionId(),
      owner,
      session_id,
      timezone,
      created_at: now,
      updated_at: now,
      turn_count: 0,
      is_fork: false,
    });

  /** The rows of a session, or empty ones where there is none. */
  const ofSession = <Result>(
    key: SessionKey,
    none: Result,
    work: (session: { id: number; session_id: string }) => Asking<Result>,
  ): Promise<Result> =>
    db.read(function* () {
      const row = yield* sessionRow(key);
      return row === null ? none : yield* work(row);
    });

  const loadTask: Store['loadTask'] = ({ owner, session_id }, taskId) =>
    db.read(function* () {
      const row = yield* taskRow(owner, taskId);
      return row === null || row.session_id !== session_id ? null : foldTask(yield* storedTask(row));
    });

  return {
    access,
    calls: createCallStore(db),
    signingKey: db.signingKey,
    ownerData: { run: (owner, work) => db.write(owner, work) },
    load: (key, timezone, now) =>
      db.read(function* () {
        const row = yield* sessionRow(key);
        return row === null ? newSession(key, timezone, now) : yield* loadSession(row);
      }),
    newSession,
    supply: async (image, need) => {
      const { session } = image;
      if (need.kind === 'task') {
        const loaded = await loadTask(session, need.task_id);
        return { ...image, loaded: new Map([...image.loaded, [need.task_id, loaded]]) };
      }
      return { ...image, lastPaused: await db.read(() => lastPaused(session.owner, session.id)) };
    },
    commit: async ({ session: { owner } }, decide) => {
      // Decisions without a question are made before the transaction, so that a refused one disturbs no other's commit.
      const first = decide().next();
      const decided = first.done === true ? first.value : null;
      if (decided?.changes.length === 0) return decided;
      return db.write(owner, function* (transaction): Asking<Decision> {
        return yield* writeChanges(decided ?? (yield* decide()), transaction, hasJumped);
      });
    },

    turn: reading(findTurn),
    turnByKey: reading(turnByKey),
    sessions: reading(listSessions),
    session: reading(findSession),
    countTasks: (owner, session_id) =>
      session_id === null
        ? db.read(() => countTasks(owner, null))
        : ofSession({ owner, session_id }, [], ({ id }) => countTasks(owner, id)),
    tasks: (key, limit, after) => ofSession(key, NO_PAGE, ({ id }) => listTasks(id, limit, after)),
    turns: (key, limit, after) => ofSession(key, NO_PAGE, ({ id }) => listTurns(id, limit, after)),
    waiting: reading(listWaiting),
    task: reading(findTask),
    loadTask,
    entries: (key, after, limit) => ofSession(key, NO_ENTRIES, (row) => sessionEntries(row, after, limit)),
    taskEntries: (owner, taskId, after, limit) =>
      db.read(function* () {
        const row = yield* taskRow(owner, taskId);
        return row === null ? NO_ENTRIES : yield* taskEntries(row, after, limit);
      }),
    storedEntries: (owner, taskId, after, limit) =>
      db.read(function* () {
        const row = yield* taskRow(owner, taskId);
        return row === null ? NO_ENTRIES : yield* storedEntries(row, after, limit);
      }),
    usageByDay: reading(usageByDay),
    usageOn: reading(usageOn),
    quotaOf: access.quotas.of,

    recover: (owner) => db.write(owner, () => findLeftOpen(owner)),
    storedBytes: async () => (await db.size()).used,
    lastUsedAt: reading(lastUsedAt),
    removable: reading(findRemovable),
    dueCallbackIds: reading(outbox.dueCallbackIds),
    nextCallbackAt: reading(outbox.nextCallbackAt),
    pendingCallback: reading(outbox.pendingCallback),
    callbacks: reading(outbox.listCallbacks),
    callback: reading(outbox.findCallback),
    settleCallback: (owner, id, result, now) => db.write(owner, () => outbox.settleCallback(id, result, now)),
    expediteCallbacks: (reader, after, at) => db.write(reader, () => outbox.expediteCallbacks(reader, after, at)),
    resendCallback: (owner, id, now) => db.write(owner, () => outbox.resendCallback(id, now)),
    pruneCallbacks: (before) => db.write(null, () => outbox.pruneCallbacks(before)),
    isWritable: db.isWritable,
    abandon: db.close,
    close: async () => {
      try {
        await db.write(null, markClean);
      } finally {
        await db.close();
      }
    },
  };
};
