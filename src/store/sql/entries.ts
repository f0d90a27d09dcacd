import { TRACE_VERSION, type TraceEntry } from '../../../contracts/trace.ts';
import { MACHINE } from '../../../machines/task-machine.ts';
import type { StoredEntry } from '../../history/stored-history.ts';
import { iso } from '../../lib/iso-time.ts';
import { type Queries, query } from '../../lib/queries.ts';
import type { EntryTexts } from '../../session/change.ts';
import type { SessionRecord } from '../../session/image.ts';
import { pack, unpack } from './frames.ts';
import { NEWEST } from './pages.ts';

/** A machine's version is stored as a number, as every entry has one. */
const [MACHINE_NAME, MACHINE_VERSION] = MACHINE.split('@');

export const machineNumber = Number(MACHINE_VERSION);

/** A column with the machine's full name, for a query; `table` is its table's alias with a dot. */
export const machineColumn = (table: string): string => `'${MACHINE_NAME}@' || ${table}machine AS machine`;

/** A row with an entry's chain, as bytes; null: an older version wrote it. */
export interface Chained {
  readonly chain: Uint8Array | null;
}

/** A chain, which is hex everywhere else, as it is stored. */
export const storedChain = (chain: string): Uint8Array => Buffer.from(chain, 'hex');

/** A stored chain as hex. */
export const chainIn = (stored: Uint8Array | null): string | null => stored && Buffer.from(stored).toString('hex');

interface EntryRow extends StoredEntry, Chained {
  task_id: string | null;
  at: number;
}

/** In the order of a trace entry's fields. */
const ENTRY = `SELECT e.seq, e.at, t.task_id, ${machineColumn('e.')}, e.event, e.state, e.step_count, e.effects, e.chain
  FROM entries e LEFT JOIN tasks t ON {t.owner = e.owner AND} t.id = e.task
  WHERE {e.owner = @owner AND} e.session = @session AND e.seq > @after`;

/** Replaces the tool and input in a tool call's effect if they equal those of the thought that asked for it. */
const AS_THOUGHT = '\u0003';

const NO_EFFECTS = '[]';

/** The tool and input of a thought, as its effect repeats them; empty for other events. */
const actionIn = (event: { next_action?: unknown }): string =>
  event.next_action ? JSON.stringify(event.next_action).slice(1, -1) : '';

/** The JSON of an event and its effects as stored; `effects` is null if there are none. */
export const storedTexts = (event: object, texts: EntryTexts): { event: string; effects: string | null } => {
  const action = actionIn(event);
  const asked = texts.effects === NO_EFFECTS ? null : texts.effects;
  return {
    event: pack(texts.event),
    effects: asked && pack(action === '' ? asked : asked.replace(action, () => AS_THOUGHT)),
  };
};

export const entryTexts = (stored: { event: string; effects: string | null }): typeof stored => {
  const event = unpack(stored.event);
  const effects = stored.effects === null ? null : unpack(stored.effects);
  return { event, effects: effects?.replace(AS_THOUGHT, () => actionIn(JSON.parse(event))) ?? null };
};

const traceEntry = ({ seq, at, chain: stored, ...row }: EntryRow, session_id: string): TraceEntry => {
  const { event, effects } = entryTexts(row);
  const chain = chainIn(stored);
  return {
    v: TRACE_VERSION,
    seq,
    at: iso(at),
    session_id,
    ...row,
    event: JSON.parse(event),
    effects: effects === null ? [] : JSON.parse(effects),
    ...(chain !== null && { chain }),
  } as TraceEntry;
};

export function* sessionEntries(
  { id: session, owner, session_id }: Pick<SessionRecord, 'id' | 'owner' | 'session_id'>,
  after: number,
  limit: number,
): Queries<TraceEntry[]> {
  const rows = yield* query<EntryRow>(`${ENTRY} ORDER BY e.seq LIMIT @limit`, { owner, session, after, limit });
  return rows.map((row) => traceEntry(row, session_id));
}

/** Entries of a session with a greater seq than `after`, and a time from `from` to before `to`, in epoch milliseconds. */
export function* entriesBetween(
  { id: session, owner, session_id }: Pick<SessionRecord, 'id' | 'owner' | 'session_id'>,
  place: { after: number; from: number; to: number; limit: number },
): Queries<TraceEntry[]> {
  const sql = `${ENTRY} AND e.at >= @from AND e.at < @to ORDER BY e.seq LIMIT @limit`;
  const rows = yield* query<EntryRow>(sql, { owner, session, ...place });
  return rows.map((row) => traceEntry(row, session_id));
}

interface TaskPlace {
  owner: string;
  id: number;
  session: number;
  first_seq: number;
}

function* taskRows({ owner, id, session, first_seq }: TaskPlace, after: number, limit: number): Queries<EntryRow[]> {
  const values = { owner, session, after: Math.max(after, first_seq - 1), task: id, limit };
  return yield* query(`${ENTRY} AND e.task = @task ORDER BY e.seq LIMIT @limit`, values);
}

export function* taskEntries(task: TaskPlace, sessionId: string, after: number, limit: number): Queries<TraceEntry[]> {
  return (yield* taskRows(task, after, limit)).map((row) => traceEntry(row, sessionId));
}

/** All of them as stored, for a fold. */
export function* storedEntries(task: TaskPlace, after: number): Queries<(StoredEntry & Chained)[]> {
  const rows = yield* taskRows(task, after, NEWEST);
  return rows.map((row) => ({ ...row, ...entryTexts(row) }));
}
