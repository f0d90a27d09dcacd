import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { WaitingState } from '../../../contracts/http.ts';
import type { TaskState } from '../../../contracts/task.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import type { SessionKey } from '../../engine/session-image.ts';
import { ServiceError } from '../../lib/errors.ts';
import { CURSOR } from '../../lib/page.ts';
import { storedTaskView } from '../../projections/task-view.ts';
import type { EntriesPage, ListedSession, ListedTask, StoreReads } from '../port.ts';
import { createListSessions, withoutContents } from './list-sessions.ts';
import { loadTask } from './load-session.ts';
import { prepareOutboxReads } from './outbox.ts';
import type { EntryRow, SessionRow, TaskRow, TurnRow } from './rows.ts';
import type { Reads } from './statements.ts';
import type { storageErrors } from './storage-errors.ts';
import { prepareTaskCounts } from './task-counts.ts';
import { traceEntry, turnView } from './views.ts';

/** Greater than every number of a row: where a list starts. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/** The first and the last time that a row may have: one that was written by hand may be beyond what a number tells apart. */
const TIMES = { first: -(2n ** 63n), last: 2n ** 63n - 1n };

/** A place in a list by time. */
type Place = readonly [at: bigint, id: number];

/** The one that a row of a list names. */
const placeOf = (cursor: string): Place => {
  const [at = '', id = NEWEST] = cursor.split('.');
  return [BigInt.asIntN(64, BigInt(at)), Number(id)];
};

/** The one that a caller names. `INVALID_REQUEST` for what is no cursor, which in a row would be damage. */
const placeAfter = (cursor: string): Place => {
  if (!CURSOR.test(cursor)) throw new ServiceError('INVALID_REQUEST', 'The cursor is not the `next` of another page');
  return placeOf(cursor);
};

const listedTask = ({ task_id, view }: Pick<TaskRow, 'task_id' | 'view'>): ListedTask => ({
  task_id,
  view: view === null ? null : storedTaskView(view),
});

const NO_ENTRIES = { entries: [], isEnd: true };

/** Entries of a trace. */
const entriesPage = (entries: EntryRow[], limit: number): EntriesPage<EntryRow> => ({
  entries,
  isEnd: entries.length < limit,
});

/** A turn for a list; one whose reply is damaged is shown without it, one that is damaged otherwise is left out. */
const shownTurn = (row: TurnRow, errors: Pick<ReturnType<typeof storageErrors>, 'orElse'>): TurnView[] =>
  errors.orElse(
    () => [turnView(row)],
    () =>
      errors.orElse(
        () => [turnView({ ...row, reply: null, view: null })],
        () => [],
      ),
  );

/** Makes the reads of a store on its database. */
export const createStoreReads = (
  db: Database,
  reads: Reads,
  errors: Pick<ReturnType<typeof storageErrors>, 'read' | 'orElse'>,
): StoreReads => {
  const listSessions = createListSessions(db);
  const countTasks = prepareTaskCounts(db);

  /** The places of a page; where few tasks are in one of the states, it takes several turns of the event loop to find them. */
  const waitingPlaces = async (owner: string, states: readonly WaitingState[], limit: number, after: string | null) => {
    const page: ReturnType<typeof reads.waitingTasks.all> = [];
    let place: Place = after === null ? [TIMES.first, 0] : placeAfter(after);
    for (;;) {
      const last = reads.lastWaiting.get(owner, ...place);
      const until: Place = last === undefined ? [TIMES.last, NEWEST] : placeOf(last.place);
      page.push(...reads.waitingTasks.all(owner, ...place, ...until, JSON.stringify(states), limit - page.length));
      if (last === undefined || page.length === limit) return page;
      place = until;
      await nextTurn();
    }
  };

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

  const taskRow = (owner: string | null, taskId: string): { row: TaskRow; session: SessionRow } | null => {
    // Another owner's id takes the same query as one that never was, and as long.
    const row = owner === null ? reads.taskByName.get(taskId) : reads.taskOfOwner.get(taskId, owner);
    const session = row === undefined ? undefined : reads.sessionById.get(row.session);
    return row === undefined || session === undefined ? null : { row, session };
  };

  const outbox = prepareOutboxReads(db, (owner, turnId) => {
    const row = reads.turnOfOwner.get(turnId, owner);
    return row === undefined ? null : (shownTurn(row, errors)[0] ?? null);
  });

  return {
    dueCallbackIds: errors.read(async (reader, now, limit) => outbox.dueIds(reader, now, limit)),
    nextCallbackAt: errors.read(async (reader, now) => outbox.nextAt(reader, now)),
    pendingCallback: errors.read(async (id) => outbox.pending(id)),
    callbacks: errors.read(async (readers, states, limit, after) => outbox.list(readers, states, limit, after)),
    callback: errors.read(async (readers, id) => outbox.find(readers, id)),
    turn: errors.read(async (owner, turnId) => {
      const row = reads.turnOfOwner.get(turnId, owner);
      return row === undefined ? null : { turn: turnView(row), body_hash: row.body_hash };
    }),
    turnInput: errors.read(async (owner, turnId) => reads.inputOfTurn.get(turnId, owner)?.input ?? null),
    turnByKey: errors.read(async (owner, key) => {
      const row = reads.turnByKey.get(owner, key);
      return row === undefined ? null : { turn: turnView(row), body_hash: row.body_hash };
    }),
    sessions: errors.read(async (owner, limit, after) => {
      const [at, id] = after === null ? ([TIMES.last, NEWEST] as const) : placeAfter(after);
      const rows = reads.sessionsOf.all(owner, at, id, limit);
      const last = rows.at(-1);
      const next = last === undefined || rows.length < limit ? null : last.place;
      return { items: listed(rows), next };
    }),
    session: errors.read(async (key) => {
      const row = sessionRow(key);
      return row === undefined ? null : (listSessions([row])[0] ?? null);
    }),
    hasSession: errors.read(async (key) => sessionRow(key) !== undefined),
    countTasks: errors.read(async (owner, session_id) => {
      if (session_id === null) return countTasks(owner, null);
      const session = sessionRow({ owner, session_id });
      return session === undefined ? [] : countTasks(owner, session.id);
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
        items: rows.flatMap((row) => shownTurn(row, errors)),
        next: last === undefined || rows.length < limit ? null : String(last.id),
      };
    }),
    waiting: errors.read(async (owner, states, limit, after) => {
      // The index alone gives the page, so that a damaged row of one session leaves the others in the list.
      const page = await waitingPlaces(owner, states, limit, after);
      const rows = page.map((place) => ({
        ...place,
        found: errors.orElse(
          () => reads.waitingTask.all(place.id),
          () => [],
        ),
      }));
      const last = rows.at(-1);
      return {
        items: rows.flatMap(({ found, waiting_since }) =>
          errors.orElse(
            () =>
              found.map(({ session_id, question, ...row }) => ({
                ...{ owner, session_id, question, waiting_since },
                ...listedTask(row),
              })),
            () => [],
          ),
        ),
        next: last === undefined || page.length < limit ? null : last.place,
      };
    }),
    task: errors.read(async (owner, taskId) => {
      const found = taskRow(owner, taskId);
      if (found === null) return null;
      const { row, session } = found;
      const listed = listedTask({ ...row, ...reads.taskView.get(row.id) });
      return { owner: session.owner, session_id: session.session_id, ...listed };
    }),
    taskPlace: errors.read(async (owner, taskId) => {
      const found = taskRow(owner, taskId);
      if (found === null) return null;
      const { row, session } = found;
      const { owner: itsOwner, session_id, timezone } = session;
      return { owner: itsOwner, session_id, timezone, state: row.state as TaskState | 'running' };
    }),
    loadTask: errors.read(async ({ owner }, taskId) => {
      const found = taskRow(owner, taskId);
      return found === null ? null : loadTask(reads, found.row);
    }),
    entries: errors.read(async (key, after, limit) => {
      const session = sessionRow(key);
      if (session === undefined) return NO_ENTRIES;
      const page = entriesPage(reads.entriesAfter.all(session.id, after, limit), limit);
      return { ...page, entries: page.entries.map((row) => traceEntry(row, key.session_id)) };
    }),
    taskEntries: errors.read(async (owner, taskId, after, limit) => {
      const row = reads.taskOfOwner.get(taskId, owner);
      const session = row && reads.sessionById.get(row.session);
      if (row === undefined || session === undefined) return NO_ENTRIES;
      const from = Math.max(after, row.first_seq - 1);
      const page = entriesPage(reads.taskEntriesAfter.all(session.id, from, row.id, limit), limit);
      return { ...page, entries: page.entries.map((entry) => traceEntry(entry, session.session_id)) };
    }),
    storedEntries: errors.read(async (owner, taskId, after, limit) => {
      const found = reads.taskOfOwner.get(taskId, owner);
      if (found === undefined) return NO_ENTRIES;
      const from = Math.max(after, found.first_seq - 1);
      return entriesPage(reads.taskEntriesAfter.all(found.session, from, found.id, limit), limit);
    }),
  };
};
