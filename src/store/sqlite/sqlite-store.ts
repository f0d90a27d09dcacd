import { MACHINE } from '../../../machines/task-machine.ts';
import type { AccessStore } from '../../access/port.ts';
import type { Decision } from '../../engine/change.ts';
import { newSessionImage, type SessionImage } from '../../engine/session-image.ts';
import { type SessionStore, StaleImage } from '../port.ts';
import type { Asking } from '../questions.ts';
import { createAccessStore } from './access-store.ts';
import { answerQuestions } from './answer-questions.ts';
import { type AroundCommit, type CommitQueue, createCommitQueue, LOCK_WAIT_MS } from './commit-queue.ts';
import type { OpenStore } from './database.ts';
import { loadSession, supplyNeed } from './load-session.ts';
import { watchLongLog } from './long-log.ts';
import { createModelCalls } from './model-calls.ts';
import { prepareOutboxWrites } from './outbox.ts';
import { findLeftOpen, markClean } from './recover.ts';
import { findRemovable } from './removable-sessions.ts';
import { prepareReads, prepareWrites } from './statements.ts';
import { type StorageListeners, storageErrors } from './storage-errors.ts';
import { createStoreReads } from './store-reads.ts';
import { createUsageDays } from './usage-days.ts';
import { createWriteChanges } from './write-changes.ts';

/** A write that found its session changed: its entry's seq is taken. */
const isSeqTaken = (error: unknown): boolean =>
  (error as { code?: string }).code === 'SQLITE_CONSTRAINT_UNIQUE' &&
  String((error as Error).message).includes('entries.');

/** Options of the embedded store alone. */
export interface SqliteStoreParts extends StorageListeners {
  store: OpenStore;
  /** Makes the queue that all commits go through; another one to watch or to delay them. */
  createCommits?(db: OpenStore['db'], around: AroundCommit): CommitQueue;
  /** The write-ahead log has grown beyond so many pages, as a reader in another process needs it. */
  onLongLog?(pages: number): void;
}

/** The embedded store: the sessions, and who may call. */
export interface SqliteStore extends SessionStore {
  readonly access: AccessStore;
}

/**
 * Makes the embedded store on an open database. It stores what was decided, and decides nothing. No other process writes what it reads of
 * sessions; keys alone may also come from the command line.
 */
export const createSqliteStore = (parts: SqliteStoreParts): SqliteStore => {
  const { db, files, close } = parts.store;
  const reads = prepareReads(db);
  const writes = prepareWrites(db);
  const usageDays = createUsageDays(db);
  writes.addMachine.run(MACHINE);
  const machine = reads.machineId.get(MACHINE)!.id;
  const writeChanges = createWriteChanges({ db, writes, usageDays, machine });
  const outbox = prepareOutboxWrites(db);
  const answer = answerQuestions(db);
  const log = watchLongLog(db, parts.onLongLog ?? (() => {}));
  const errors = storageErrors(db, files, parts, log);
  const commits = (parts.createCommits ?? createCommitQueue)(db, {
    prepare: log.mend,
    begin: () => {
      files.assertInPlaceOnCommit();
      usageDays.begin();
    },
    end: usageDays.end,
    committed: () => {
      const copyLog = log.committed();
      if (copyLog !== null) setImmediate(copyLog);
    },
    failed: log.doubt,
  });
  const removable = findRemovable(db);
  let lastSessionId = reads.lastSession.get()?.id ?? 0;
  const newSession: SessionStore['newSession'] = ({ owner, session_id }, timezone, now) => {
    lastSessionId += 1;
    return newSessionImage({
      id: lastSessionId,
      owner,
      session_id,
      timezone,
      created_at: now,
      updated_at: now,
      turn_count: 0,
      is_fork: false,
    });
  };

  /** What is decided without a question is decided before the transaction, so that one that is refused disturbs no other's commit. */
  const commitDecision = ({ isStored }: SessionImage, decide: () => Asking<Decision>): Promise<Decision> | Decision => {
    const first = decide().next();
    if (first.done !== true)
      return commits.commit(() => {
        // What a question writes may belong to a session that is only stored after it.
        if (!isStored) db.pragma('defer_foreign_keys = ON');
        return writeChanges(answer(decide()));
      });
    const decision = first.value;
    return decision.changes.length === 0 ? decision : commits.commit(() => writeChanges(decision));
  };

  const watched = <Result>(write: () => Result): Promise<Result> => errors.watch(() => commits.commit(write));
  const access = createAccessStore(db, usageDays, watched, (read) => errors.read(read)());

  return {
    ownerData: { run: (work) => watched(() => answer(work())) },
    access,
    calls: createModelCalls(db, errors),
    quotaOf: access.quotas.of,
    load: errors.read(async (key, timezone, now) => {
      const row = reads.sessionByName.get(key.owner, key.session_id);
      return row === undefined ? newSession(key, timezone, now) : loadSession(reads, row);
    }),
    newSession,
    supply: errors.read(async (image, need) => supplyNeed(reads, image, need)),
    commit: (image, decide) =>
      errors.watch(
        () => commitDecision(image, decide),
        (error) => (isSeqTaken(error) ? new StaleImage('the session has changed meanwhile', { cause: error }) : error),
      ),
    ...createStoreReads(db, reads, errors),
    usageByDay: errors.read(async (owner, limit, after) => usageDays.page(owner, limit, after)),
    usageOn: errors.read(async (owner, at) => usageDays.on(owner, at)),
    recover: errors.read(async () => {
      const left = findLeftOpen(db, reads, writes);
      // A start waits for a lock; from now on commits do, in turns of the event loop.
      db.pragma(`busy_timeout = ${LOCK_WAIT_MS}`);
      return left;
    }),
    storedBytes: errors.read(
      async () => Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })),
    ),
    lastUsedAt: errors.read(async (until) => reads.lastUsed.get(until)?.at ?? null),
    removable: errors.read(async (query) => removable(query)),
    settleCallback: (id, result, now) => watched(() => outbox.settle(id, result, now)),
    hurryCallbacks: (reader, after, at) => watched(() => outbox.hurryAll(reader, after, at)),
    giveUpOldest: (reader, count, now) => watched(() => outbox.giveUpOldest(reader, count, now)),
    pruneCallbacks: (before, after) => watched(() => outbox.prune(before, after)),
    resendCallback: (id, now) => watched(() => outbox.resend(id, now)),
    isWritable: async () => errors.isWritable(),
    close: async () => {
      try {
        await commits.commit(() => markClean(db, writes));
      } finally {
        await log.stop();
        close();
      }
    },
  };
};
