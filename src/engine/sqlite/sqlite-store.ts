import type { TurnView } from '../../../contracts/http.ts';
import { MACHINE } from '../../../machines/task-machine.ts';
import type { Asking } from '../../owner-data/port.ts';
import { storedTaskView } from '../../projections/task-view.ts';
import type { Decision } from '../change.ts';
import { newSessionImage, type SessionImage } from '../session-image.ts';
import type { SessionKey } from '../session-key.ts';
import { type ListedSession, type ListedTask, type SessionStore, StaleImage } from '../store.ts';
import { answerQuestions } from './answer-questions.ts';
import { type CommitQueue, createCommitQueue } from './commit-queue.ts';
import type { OpenStore } from './database.ts';
import { createListSessions, withoutContents } from './list-sessions.ts';
import { loadSession, loadTask, supplyNeed } from './load-session.ts';
import { findLeftOpen, markClean } from './recover.ts';
import { findRemovable } from './removable-sessions.ts';
import type { SessionRow, TaskRow, TurnRow } from './rows.ts';
import { prepareReads, prepareWrites } from './statements.ts';
import { storageErrors } from './storage-errors.ts';
import { createUsageDays } from './usage-days.ts';
import { traceEntry, turnView } from './views.ts';
import { createWriteChanges } from './write-changes.ts';

/** Greater than every time and every number of a row: where a list starts. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/** A write that found its session changed: its entry's seq is taken. */
const isSeqTaken = (error: unknown): boolean =>
  (error as { code?: string }).code === 'SQLITE_CONSTRAINT_UNIQUE' &&
  String((error as Error).message).includes('entries.');

/** Options of the embedded store alone. */
export interface SqliteStoreParts {
  store: OpenStore;
  /** Makes the queue that all commits go through; another one to watch or to delay them. */
  createCommits?(db: OpenStore['db'], isAlone: () => boolean, check: () => void): CommitQueue;
  /** A fault was found that no later write mends. Called once. */
  onLastingFault?(error: unknown): void;
}

const listedTask = ({ task_id, view }: TaskRow): ListedTask => ({
  task_id,
  view: view === null ? null : storedTaskView(view),
});

/** Makes the embedded store on an open database that no other process writes. It stores what was decided, and decides nothing. */
export const createSqliteStore = (parts: SqliteStoreParts): SessionStore => {
  const { db, files, close } = parts.store;
  const reads = prepareReads(db);
  const writes = prepareWrites(db);
  const usageDays = createUsageDays(db);
  writes.addMachine.run(MACHINE);
  const writeChanges = createWriteChanges(db, writes, usageDays, reads.machineId.get(MACHINE)!.id);
  const answer = answerQuestions(db);
  const errors = storageErrors(db, files, parts.onLastingFault ?? (() => {}));
  let isAlone = true;
  const commits = (parts.createCommits ?? createCommitQueue)(db, () => isAlone, files.assertInPlaceOnCommit);
  const removable = findRemovable(db);
  const listSessions = createListSessions(db);
  let lastSessionId = reads.lastSession.get()?.id ?? 0;

  const sessionRow = ({ owner, session_id }: SessionKey): SessionRow | undefined =>
    reads.sessionByName.get(owner, session_id);

  /** A page of sessions; one whose rows are damaged is listed without what they hold, and breaks no list. */
  const listed = (rows: readonly SessionRow[]): ListedSession[] =>
    errors.orElse(
      () => listSessions(rows),
      () =>
        rows.flatMap((row) =>
          errors.orElse(
            () => listSessions([row]),
            () => [withoutContents(row)],
          ),
        ),
    );

  /** A turn for a list; one whose reply is damaged is shown without it, one that is damaged otherwise is left out. */
  const shownTurn = (row: TurnRow): TurnView[] =>
    errors.orElse(
      () => [turnView(row)],
      () =>
        errors.orElse(
          () => [turnView({ ...row, reply: null, view: null })],
          () => [],
        ),
    );

  const taskRow = (owner: string | null, taskId: string): { row: TaskRow; session: SessionRow } | null => {
    const row = reads.taskByName.get(taskId);
    const session = row === undefined ? undefined : reads.sessionById.get(row.session);
    if (row === undefined || session === undefined || (owner !== null && session.owner !== owner)) return null;
    return { row, session };
  };

  const transaction = async <Result>(write: () => Result): Promise<Result> => {
    let result: { value: Result } | undefined;
    await commits.commit(() => {
      result = { value: write() };
    });
    return result!.value;
  };

  /** What is decided without a question is decided before the transaction, so that one that is refused disturbs no other's commit. */
  const commitDecision = async ({ isStored }: SessionImage, decide: () => Asking<Decision>): Promise<Decision> => {
    const first = decide().next();
    if (first.done !== true)
      return transaction(() => {
        // What a question writes may belong to a session that is only stored after it.
        if (!isStored) db.pragma('defer_foreign_keys = ON');
        const decision = answer(decide());
        writeChanges(decision);
        return decision;
      });
    const decision = first.value;
    if (decision.changes.length > 0) await commits.commit(() => writeChanges(decision));
    return decision;
  };

  return {
    ownerData: { run: (work) => errors.watch(() => transaction(() => answer(work()))) },
    load: errors.read(async (key, timezone, now) => {
      const row = sessionRow(key);
      if (row !== undefined) return loadSession(reads, row);
      lastSessionId += 1;
      return newSessionImage({
        id: lastSessionId,
        owner: key.owner,
        session_id: key.session_id,
        timezone,
        created_at: now,
        updated_at: now,
        turn_count: 0,
        copied_bytes: 0,
      });
    }),
    supply: errors.read(async (image, need) => supplyNeed(reads, image, need)),
    commit: (image, decide, alone) => {
      isAlone = alone;
      return errors.watch(
        () => commitDecision(image, decide),
        (error) => (isSeqTaken(error) ? new StaleImage('the session has changed meanwhile', { cause: error }) : error),
      );
    },
    turn: errors.read(async (owner, turnId) => {
      const row = reads.turnOfOwner.get(turnId, owner);
      return row === undefined ? null : { turn: turnView(row), body_hash: row.body_hash };
    }),
    turnInput: errors.read(async (owner, turnId) => reads.turnOfOwner.get(turnId, owner)?.input ?? null),
    turnByKey: errors.read(async (owner, key) => {
      const row = reads.turnByKey.get(owner, key);
      return row === undefined ? null : { turn: turnView(row), body_hash: row.body_hash };
    }),
    sessions: errors.read(async (owner, limit, after) => {
      const [at = NEWEST, id = NEWEST] = after === null ? [] : after.split('.').map(Number);
      const rows = reads.sessionsOf.all(owner, at, id, limit);
      const last = rows.at(-1);
      const next = last === undefined || rows.length < limit ? null : `${last.updated_at}.${last.id}`;
      return { items: listed(rows), next };
    }),
    session: errors.read(async (key) => {
      const row = sessionRow(key);
      return row === undefined ? null : (listSessions([row])[0] ?? null);
    }),
    tasks: errors.read(async (key, limit, after) => {
      const session = sessionRow(key);
      if (session === undefined) return { items: [], next: null };
      const rows = reads.tasksOf.all(session.id, Number(after ?? 0), limit);
      const last = rows.at(-1);
      return {
        items: rows.flatMap((row) =>
          errors.orElse(
            () => [listedTask(row)],
            () => [],
          ),
        ),
        next: last === undefined || rows.length < limit ? null : String(last.first_seq),
      };
    }),
    turns: errors.read(async (key, limit, after) => {
      const session = sessionRow(key);
      if (session === undefined) return { items: [], next: null };
      const rows = reads.turnsOf.all(session.id, Number(after ?? NEWEST), limit);
      const last = rows.at(-1);
      return {
        items: rows.flatMap(shownTurn),
        next: last === undefined || rows.length < limit ? null : String(last.id),
      };
    }),
    waiting: errors.read(async (owner, states, limit, after) => {
      const [since = 0, id = 0] = after === null ? [] : after.split('.').map(Number);
      // The index alone gives the page, so that a damaged row of one session leaves the others in the list.
      const page = reads.waitingTasks.all(owner, since, id, JSON.stringify(states), limit);
      const last = page.at(-1);
      return {
        items: page.flatMap(({ id, waiting_since }) =>
          errors.orElse(
            () =>
              reads.waitingTask.all(id).map(({ session_id, question, ...row }) => ({
                ...{ owner, session_id, question, waiting_since },
                ...listedTask(row),
              })),
            () => [],
          ),
        ),
        next: last === undefined || page.length < limit ? null : `${last.waiting_since}.${last.id}`,
      };
    }),
    task: errors.read(async (owner, taskId) => {
      const found = taskRow(owner, taskId);
      if (found === null) return null;
      const { row, session } = found;
      return { owner: session.owner, session_id: session.session_id, ...listedTask(row) };
    }),
    loadTask: errors.read(async ({ owner }, taskId) => {
      const found = taskRow(owner, taskId);
      return found === null ? null : loadTask(reads, found.row);
    }),
    entries: errors.read(async (key, after, limit) => {
      const session = sessionRow(key);
      if (session === undefined) return [];
      return reads.entriesAfter.all(session.id, after, limit).map((row) => traceEntry(row, key.session_id));
    }),
    taskEntries: errors.read(async (owner, taskId, after, limit) => {
      const found = taskRow(owner, taskId);
      if (found === null) return [];
      const { row, session } = found;
      const from = Math.max(after, row.first_seq - 1);
      return reads.taskEntriesAfter
        .all(session.id, from, row.id, limit)
        .map((entry) => traceEntry(entry, session.session_id));
    }),
    storedEntries: errors.read(async (owner, taskId, after, limit) => {
      const found = taskRow(owner, taskId);
      if (found === null) return [];
      return reads.taskEntriesAfter.all(
        found.session.id,
        Math.max(after, found.row.first_seq - 1),
        found.row.id,
        limit,
      );
    }),
    usageByDay: errors.read(async (owner, limit, after) => usageDays.page(owner, limit, after)),
    usageOn: errors.read(async (owner, at) => usageDays.on(owner, at)),
    recover: errors.read(async () => findLeftOpen(db, reads, writes)),
    storedBytes: errors.read(
      async () => Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })),
    ),
    removable: errors.read(async (query) => removable(query)),
    dueCallbacks: errors.read(async (now, limit) =>
      reads.dueCallbacks.all(now, limit).flatMap((row) =>
        shownTurn(row).map((turn) => ({
          owner: row.owner,
          url: row.callback_url ?? '',
          turn,
          attempts: row.callback_attempts,
        })),
      ),
    ),
    nextCallbackAt: errors.read(async () => reads.nextCallback.get()?.due_at ?? null),
    settleCallback: (turnId, { isDelivered, attempts, retryAt }) => {
      const outcome = retryAt !== null ? null : isDelivered ? 'delivered' : 'given_up';
      return transaction(() => void writes.settleCallback.run(retryAt, attempts, outcome, turnId));
    },
    isWritable: async () => errors.isWritable(),
    close: async () => {
      try {
        await transaction(() => markClean(writes));
      } finally {
        close();
      }
    },
  };
};
