import type { Page } from '../../lib/page.ts';
import type { Queries } from '../../lib/queries.ts';
import type { Change, Decision } from '../../session/change.ts';
import { type LoadedTask, newSessionImage, type SessionKey } from '../../session/image.ts';
import { loadTask } from '../../session/load-task.ts';
import type { Store } from '../port.ts';
import { createAccessStore } from './access.ts';
import { listApprovals } from './approvals.ts';
import { createAuditStore } from './audit.ts';
import { createCallStore } from './calls.ts';
import { createConversationStore } from './conversations.ts';
import type { SqlDatabase } from './database.ts';
import { dueStore } from './due.ts';
import { sessionEntries, taskEntries } from './entries.ts';
import { listFeedback, rateTurn } from './feedback.ts';
import * as outbox from './outbox.ts';
import { countsOf, ownerCounts, pendingCallbacks } from './owner-counts.ts';
import { findLeftOpen, markClean } from './recover.ts';
import { findRemovable, lastUsedAt, removeOwner } from './removal.ts';
import { findSession, listSessions, loadSession, renameSession, type SessionRow, sessionRow } from './sessions.ts';
import { createSignInStore } from './sign-ins.ts';
import {
  countTasks,
  findTask,
  listMoved,
  listTasks,
  listWaiting,
  questionExpired,
  storedTask,
  type TaskRow,
  taskRow,
} from './tasks.ts';
import { findTurn, listTurns } from './turns.ts';
import { type CallsToAdd, turnsOfDay } from './usage.ts';
import { writeChanges } from './write-changes.ts';

const NO_PAGE: Page<never> = { items: [], next: null };

/** Kinds of changes that do not require another change of their commit to be stored first. */
const APART: ReadonlySet<Change['type']> = new Set([
  ...(['entry.added', 'usage.added', 'tools.called', 'outbox.added'] as const),
  ...(['task.moved', 'turn.finished', 'snapshot.saved', 'snapshot.dropped'] as const),
]);

/** True if no row is changed twice and no change requires another: the outcome of an effect. */
const areApart = (changes: readonly Change[]): boolean => {
  const changed = changes.flatMap(({ type }) => (type.endsWith('.added') ? [] : [type.split('.')[0]]));
  return changes.every(({ type }) => APART.has(type)) && new Set(changed).size === changed.length;
};

/** A decision that is made up to its next query, or its end. */
interface Begun {
  running: Queries<Decision>;
  next: ReturnType<Queries<Decision>['next']>;
}

const begin = (running: Queries<Decision>): Begun => ({ running, next: running.next() });

function* goOn({ running, next }: Begun): Queries<Decision> {
  let current = next;
  while (current.done !== true) current = running.next(yield current.value);
  return current.value;
}

/** Creates the store on a database. It stores decisions, and makes none. */
export const createStore = (db: SqlDatabase): Store => {
  const reading =
    <Given extends unknown[], Result>(work: (...given: Given) => Queries<Result>) =>
    (...given: Given): Promise<Result> =>
      db.read(() => work(...given));

  /** The rows of a session, or empty ones if it does not exist. */
  const ofSession = <Result>(
    key: SessionKey,
    none: Result,
    work: (session: SessionRow) => Queries<Result>,
  ): Promise<Result> =>
    db.read(function* () {
      const row = yield* sessionRow(key);
      return row === null ? none : yield* work(row);
    });

  /** The rows of a session's task, or empty ones if it does not exist. */
  const ofTask = <Result>(
    { owner, session_id }: SessionKey,
    taskId: string,
    none: Result,
    work: (task: TaskRow) => Queries<Result>,
  ): Promise<Result> =>
    db.read(function* () {
      const row = yield* taskRow(owner, taskId);
      return row === null || row.session_id !== session_id ? none : yield* work(row);
    });

  return {
    access: createAccessStore(db),
    audit: createAuditStore(db),
    calls: createCallStore(db),
    conversations: createConversationStore(db),
    due: dueStore,
    facts: { questionExpired, turnsOfDay, countsOf },
    signingKey: db.signingKey,
    signIns: createSignInStore(db),
    ownerData: { run: (owner, work) => db.write(owner, work) },
    isStored: function* (key) {
      return (yield* sessionRow(key)) !== null;
    },
    load: async (key, timezone, now) =>
      (await ofSession(key, null, loadSession)) ?? newSessionImage(await db.newSessionId(), key, timezone, now),
    commit: async ({ session: { owner } }, decide) => {
      // It is made before the transaction as far as its first query: one that is refused without a query disturbs no other's commit.
      const first = begin(decide());
      const decided = first.next.done === true ? first.next.value : null;
      if (decided?.changes.length === 0) return decided;
      /** Null once it was gone on with: where the transaction is run again, all of it is decided anew. */
      let begun: Begun | null = first;
      const made = (): Queries<Decision> => {
        const going = begun ?? begin(decide());
        begun = null;
        return goOn(going);
      };
      const store = function* (calls: CallsToAdd): Queries<Decision> {
        const decision = decided ?? (yield* made());
        yield* writeChanges(decision, calls);
        return decision;
      };
      if (decided === null) return db.commit(owner, store, 'alone');
      return db.commit(owner, store, areApart(decided.changes) ? 'at once' : 'beside');
    },

    turn: reading(findTurn),
    sessions: reading(listSessions),
    session: reading(findSession),
    rename: (key, title) => db.write(key.owner, () => renameSession(key, title), 'beside'),
    countTasks: reading(countTasks),
    tasks: (key, page) => ofSession(key, NO_PAGE, ({ id }) => listTasks(key.owner, id, page)),
    rate: (owner, turnId, feedback) => db.write(owner, () => rateTurn(owner, turnId, feedback), 'beside'),
    feedback: (key, taskId, page) => ofSession(key, NO_PAGE, ({ id }) => listFeedback(key.owner, id, taskId, page)),
    turns: (key, page) => ofSession(key, NO_PAGE, ({ id }) => listTurns(key.owner, id, page)),
    waiting: reading(listWaiting),
    approvals: reading(listApprovals),
    moved: reading(listMoved),
    task: reading(findTask),
    loadTask: (key, taskId) =>
      ofTask(key, taskId, null, function* (row): Queries<LoadedTask> {
        return loadTask(yield* storedTask(row));
      }),
    entries: (key, taskId, after, limit) =>
      taskId === null
        ? ofSession(key, [], (row) => sessionEntries(row, after, limit))
        : ofTask(key, taskId, [], (row) => taskEntries(row, key.session_id, after, limit)),

    recover: (owner, wasReleased) => db.write(owner, () => findLeftOpen(owner, wasReleased)),
    ownerCounts: reading(ownerCounts),
    pendingCallbacks: reading(pendingCallbacks),
    storedBytes: async () => (await db.size()).used,
    lastUsedAt: reading(lastUsedAt),
    removeOwner: (owner) => db.write(owner, () => removeOwner(owner)),
    removable: reading(findRemovable),
    nextCallback: reading(outbox.nextCallback),
    callbacks: reading(outbox.listCallbacks),
    callback: reading(outbox.findCallback),
    settleCallback: (callback, result, now) =>
      db.write(callback.reader, () => outbox.settleCallback(callback, result, now)),
    // Any node may make the webhook's callbacks due.
    resendCallback: (callback, now) => db.write(callback.reader || null, () => outbox.resendCallback(callback, now)),
    isWritable: db.isWritable,
    close: async (isOrderly) => {
      try {
        if (isOrderly) await db.write(null, markClean);
      } finally {
        await db.close();
      }
    },
  };
};
