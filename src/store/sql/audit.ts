import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditLine } from '../../../contracts/audit.ts';
import { type Act, actsOf, sha256 } from '../../audit/act.ts';
import { DAY_MS, dayAt, daysBetween, startOf } from '../../audit/days.ts';
import { hashOf, type ListedAct, linesOfDay } from '../../audit/line.ts';
import { dayOf, iso } from '../../lib/iso-time.ts';
import { execute, type Queries, query, queryOne } from '../../lib/queries.ts';
import type { ActHashes } from '../../session/change.ts';
import type { SessionKey, SessionRecord } from '../../session/image.ts';
import type { AuditQuery, AuditStore, Versions } from '../port.ts';
import type { SqlDatabase } from './database.ts';
import { entriesBetween, sessionEntries } from './entries.ts';
import { SET_META } from './recover.ts';
import { sessionRow } from './sessions.ts';

/** Entries and sessions read by one query. */
const PAGE = 500;

/** `meta`: the last day whose root was accepted by its receiver, such as 2026-11-29. */
const SENT = 'audit_root_sent';

type Audited = Pick<SessionRecord, 'id' | 'owner' | 'session_id'>;

/** A session's place in each day's list. It tells nobody whose session it was. */
const keyOf = ({ owner, session_id }: Omit<Audited, 'id'>): string => sha256(`${owner}\n${session_id}`);

/** An act of a day's list as it is kept without its session: one line. */
const kept = (act: ListedAct): string => `${typeof act === 'string' ? act : JSON.stringify(act)}\n`;

function* keep(session_key: string, day: number, acts: string): Queries<void> {
  yield* execute(
    `INSERT INTO audit_left (session_key, day, acts) VALUES (@session_key, @day, @acts)
     ON CONFLICT (session_key, day) DO UPDATE SET acts = audit_left.acts || excluded.acts`,
    { session_key, day, acts },
  );
}

/** The hashes of a session's acts, entry after entry. */
class Hashes implements ActHashes {
  readonly session: number;
  seq = 0;
  acts = 0;
  readonly days: Map<number, string>;

  /** Goes on after those of `before`, where they are of this session. */
  constructor(session: number, before: ActHashes | null) {
    const known = before?.session === session ? before : null;
    this.session = session;
    this.seq = known?.seq ?? 0;
    this.acts = known?.acts ?? 0;
    this.days = new Map(known?.days);
  }

  add(day: number, act: ListedAct): void {
    this.days.set(day, (this.days.get(day) ?? '') + kept(act));
  }

  /** Reads the next page; true: there may be more. */
  *readPage(session: Audited): Queries<boolean> {
    const entries = yield* sessionEntries(session, this.seq, PAGE);
    for (const entry of entries)
      for (const act of actsOf(session.owner, entry)) {
        this.add(dayOf(Date.parse(entry.at)), hashOf(act));
        this.acts += 1;
      }
    this.seq = entries.at(-1)?.seq ?? this.seq;
    return entries.length === PAGE;
  }
}

/**
 * Reads the hashes of a session's acts before it is removed. A page is one transaction, and others have their turn
 * between two. Null: there is no such session.
 */
const readHashes = async (db: SqlDatabase, key: SessionKey): Promise<ActHashes | null> => {
  const session = await db.read(() => sessionRow(key));
  if (session === null) return null;
  const hashes = new Hashes(session.id, null);
  while (await db.read(() => hashes.readPage(session))) await nextTurn();
  return hashes;
};

/**
 * Keeps the hashes of a session's acts, before it is removed at `at` (epoch milliseconds), and that it was. `read`:
 * those that were read before; the entries after them are read here.
 */
export function* keepHashes(session: Audited, at: number, read: ActHashes | null): Queries<void> {
  const hashes = new Hashes(session.id, read);
  while (yield* hashes.readPage(session));
  const session_key = keyOf(session);
  const { acts } = hashes;
  if (acts > 0) hashes.add(dayOf(at), { act: 'removed', at: iso(at), session: session_key, acts });
  for (const [day, text] of hashes.days) yield* keep(session_key, day, text);
}

/** A day such as 20261129 as 2026-11-29. */
const dayIn = (day: number): string => String(day).replace(/^(\d+)(\d\d)(\d\d)$/, '$1-$2-$3');

const ofKept = (line: string): ListedAct => (line.startsWith('{') ? JSON.parse(line) : line);

/** The sessions that may have entries of a day. */
async function* sessionsOf(db: SqlDatabase, from: number): AsyncGenerator<Audited> {
  for (let last = { owner: '', session_id: '' }, isMore = true; isMore; ) {
    const values = { ...last, from, to: from + DAY_MS, limit: PAGE };
    const rows = await db.read(() =>
      query<Audited & { changed_at: number | null; created_at: number }>(
        `SELECT s.id, s.owner, s.session_id, s.created_at,
           (SELECT at FROM entries WHERE {owner = s.owner AND} session = s.id ORDER BY seq DESC LIMIT 1) AS changed_at
         FROM sessions s WHERE (s.owner, s.session_id) > (@owner, @session_id)
         ORDER BY s.owner, s.session_id LIMIT @limit`,
        values,
      ),
    );
    for (const row of rows) if ((row.changed_at ?? 0) >= from) yield row;
    last = rows.at(-1) ?? last;
    isMore = rows.length === PAGE;
  }
}

async function* entriesOf(db: SqlDatabase, session: Audited, from: number): AsyncGenerator<ListedAct> {
  for (let after = 0, isMore = true; isMore; ) {
    const entries = await db.read(() => entriesBetween(session, { after, from, to: from + DAY_MS, limit: PAGE }));
    for (const entry of entries) yield* actsOf(session.owner, entry);
    after = entries.at(-1)?.seq ?? after;
    isMore = entries.length === PAGE;
  }
}

/** Which service, machine and tools were there when the day began, and each change of them. */
async function* versionsOf(db: SqlDatabase, from: number): AsyncGenerator<Act> {
  const rows = await db.read(() =>
    query<{ at: number; versions: string }>(
      `SELECT at, versions FROM audit_versions WHERE at < @to
         AND at >= coalesce((SELECT max(at) FROM audit_versions WHERE at < @from), 0) ORDER BY at`,
      { from, to: from + DAY_MS },
    ),
  );
  for (const { at, versions } of rows) yield { act: 'versions', at: iso(at), ...JSON.parse(versions) };
}

/** The acts of a day: session by session in the order of their keys, in each what was removed first. */
async function* actsOfDay(db: SqlDatabase, day: string): AsyncGenerator<ListedAct> {
  const from = startOf(day);
  yield* versionsOf(db, from);
  const sessions = new Map<string, Audited | null>();
  for await (const { id, owner, session_id } of sessionsOf(db, from))
    sessions.set(keyOf({ owner, session_id }), { id, owner, session_id });
  const left = await db.read(() =>
    query<{ session_key: string }>('SELECT session_key FROM audit_left WHERE day = @day', { day: dayOf(from) }),
  );
  for (const { session_key } of left) if (!sessions.has(session_key)) sessions.set(session_key, null);
  for (const session_key of [...sessions.keys()].sort()) {
    const row = await db.read(() =>
      queryOne<{ acts: string }>('SELECT acts FROM audit_left WHERE session_key = @session_key AND day = @day', {
        session_key,
        day: dayOf(from),
      }),
    );
    for (const line of row?.acts.split('\n') ?? []) if (line !== '') yield ofKept(line);
    const session = sessions.get(session_key);
    if (session) yield* entriesOf(db, session, from);
  }
}

/** The day of the first act; null: there was none. */
function* firstDay(): Queries<string | null> {
  const at = yield* queryOne<{ first: number | null }>(
    `SELECT min(at) AS first FROM (SELECT min(created_at) AS at FROM sessions
       UNION ALL SELECT min(at) FROM audit_versions) AS firsts`,
    {},
  );
  const left = yield* queryOne<{ first: number | null }>('SELECT min(day) AS first FROM audit_left', {});
  const days = [at?.first == null ? null : dayAt(at.first), left?.first == null ? null : dayIn(left.first)];
  return days.filter((day) => day !== null).sort()[0] ?? null;
}

/** The audit of what is stored. It reads page by page, so that no act waits for it. */
export async function* auditLines(
  db: SqlDatabase,
  { from, to, owner = null, now }: AuditQuery,
): AsyncGenerator<AuditLine> {
  const today = dayAt(now);
  const first = from ?? (await db.read(firstDay)) ?? today;
  const last = to === undefined || to > today ? today : to;
  const isShown = (act: Act): boolean => owner === null || act['owner'] === owner || act.act === 'versions';
  for (const day of daysBetween(first, last))
    yield* linesOfDay(day, actsOfDay(db, day), { isShown, isOpen: day === today });
}

function* noteVersions(at: number, versions: Versions): Queries<void> {
  const text = JSON.stringify(versions);
  const newest = yield* queryOne<{ versions: string }>(
    'SELECT versions FROM audit_versions ORDER BY at DESC LIMIT 1',
    {},
  );
  if (newest?.versions === text) return;
  yield* execute('INSERT INTO audit_versions (at, versions) VALUES (@at, @versions) ON CONFLICT DO NOTHING', {
    at,
    versions: text,
  });
}

function* sentDay(): Queries<string | null> {
  const row = yield* queryOne<{ value: string }>('SELECT value FROM meta WHERE key = @key', { key: SENT });
  return row?.value ?? null;
}

export const createAuditStore = (db: SqlDatabase): AuditStore => ({
  lines: (query) => auditLines(db, query),
  hashesOf: (session) => readHashes(db, session),
  noteVersions: (at, versions) => db.write(null, () => noteVersions(at, versions)),
  sentDay: () => db.read(sentDay),
  markSent: (day) => db.write(null, () => execute(SET_META, { key: SENT, value: day })),
});
