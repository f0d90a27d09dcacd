import { z } from 'zod';
import { AnyOwner } from '../../../contracts/access.ts';
import { ServiceError } from '../../lib/errors.ts';
import { jsonLine } from '../../lib/printable.ts';
import { type Queries, query, queryOne, type Row, type Value } from '../../lib/queries.ts';
import type { Admin, Imported } from '../port.ts';
import { markKeysAdded } from './access.ts';
import type { SqlDatabase } from './database.ts';
import { machineNumber, storedChain } from './entries.ts';
import { noteSpent } from './session-spent.ts';

/** The version of the file, raised when an older Tripact would not understand it. */
const VERSION = 4;

/** From this version on, files have what sessions called and cost. */
const HAS_SPENT = 4;

/** Columns with the `id` of another table's row, which gets a new id on import. */
const NAMED = { session: 'sessions', task: 'tasks', plan: 'named_plans', system: 'prompt_texts' };
const newIds = () => new Map(Object.values(NAMED).map((table) => [table, new Map<unknown, number>()]));

/**
 * The tables of an owner's data, with the columns that number and select their rows. A row comes after those that it
 * refers to.
 */
const TABLES = new Map(
  `access_keys.number owner_quotas sign_ins usage_days tool_days turn_days owner_counters facts todos todo_tags schedule_events reminders.id
   sessions.id session_tools..session session_costs..session goals remembered_conversations named_plans.id named_plan_steps..plan tasks.id entries.id.session snapshots..task approvals..task
   turns.id.session session_files outbox.number prompt_texts.id model_calls.id.task`
    .split(/\s+/)
    .map((each) => each.split('.'))
    .map(([table = '', number = '', by = '']) => [table, { number, by: by as keyof typeof NAMED | '' }]),
);

/** Tables whose rows name their owner and are not removed with a session in both databases. */
export const OWNER_TABLES = [...TABLES].flatMap(([table, { by }]) =>
  by === '' && table !== 'session_files' ? [table] : [],
);

/** Statements that differ between the databases. */
export interface Dialect {
  /** The names of the columns of @table. */
  columns: string;
  /** The number of a new session, as `id`. */
  newSession: string;
  /** A row if the last process that served @owner ended in order. */
  released: string;
}

/** Work that the last process left open. */
const OPEN = `SELECT 1 AS one FROM tasks WHERE owner = @owner AND state = 'running'
  UNION ALL SELECT 1 FROM turns WHERE owner = @owner AND finished_at IS NULL LIMIT 1`;

const Bytes = z.strictObject({ base64: z.base64() }).transform(({ base64 }) => Buffer.from(base64, 'base64'));
const Stored = z.record(z.string(), z.union([z.string(), z.number(), z.null(), Bytes]));
const Header = z.strictObject({ tripact_owner: z.int(), owner: AnyOwner, machine: z.int() });
const Line = z.strictObject({ table: z.enum([...TABLES.keys()]), row: Stored });
/** The last line: a file without it is truncated. */
const End = z.strictObject({ rows: z.int() });

/** The columns of each table, and whether the owner has any row. */
function* lookAt({ columns }: Dialect, owner: string): Queries<{ columns: Map<string, string[]>; isKnown: boolean }> {
  const found = new Map<string, string[]>();
  let isKnown = false;
  for (const table of TABLES.keys()) {
    const names = (yield* query<{ name: string }>(columns, { table })).map(({ name }) => name);
    found.set(table, names);
    const sql = `SELECT 1 AS one FROM ${table} WHERE owner = @owner LIMIT 1`;
    if (names.includes('owner')) isKnown ||= (yield* queryOne(sql, { owner })) !== null;
  }
  return { columns: found, isKnown };
}

/** Reads everything stored for an owner as lines of JSON. */
async function* exportOwner(db: SqlDatabase, dialect: Dialect, owner: string): AsyncGenerator<string> {
  const { columns, isKnown } = await db.read(() => lookAt(dialect, owner));
  if (!isKnown) throw new ServiceError('NOT_FOUND', `Nothing is stored for an owner "${owner}"`);
  if ((await db.read(() => queryOne(OPEN, { owner }))) && !(await db.read(() => queryOne(dialect.released, { owner }))))
    throw new ServiceError(
      'INVALID_REQUEST',
      `A crash interrupted work of "${owner}": start the service, which resumes it, stop it in order, and then export`,
    );
  yield jsonLine({ tripact_owner: VERSION, owner, machine: machineNumber } satisfies z.infer<typeof Header>);
  const ids = newIds();
  let rows = 0;
  for (const [table, { number, by }] of TABLES) {
    if (columns.get(table)!.length === 0) continue;
    const where = [columns.get(table)!.includes('owner') && 'owner = @owner', by !== '' && `${by} = @id`];
    const sql = `SELECT * FROM ${table} WHERE ${where.filter(Boolean).join(' AND ')} ${number && `ORDER BY ${number}`}`;
    for (const id of by === '' ? [null] : ids.get(NAMED[by])!.values())
      for (const { owner: _, ...row } of await db.read(() => query<Row>(sql, { owner, id }))) {
        const known = ids.get(table);
        if (known === undefined) delete row[number];
        else known.set(row['id'], row['id'] as number);
        // Running work was handed over, so its begins do not count (SPEC 6, crash_loop). An effect that never began
        // stays one.
        if (row['state'] === 'running' && Number(row['begins']) > 0)
          Object.assign(row, { begins: 0, begun_effect: null });
        for (const [name, value] of Object.entries(row))
          if (value instanceof Uint8Array) row[name] = { base64: Buffer.from(value).toString('base64') };
        rows += 1;
        yield jsonLine({ table, row });
      }
  }
  yield jsonLine({ rows });
}

function* linesOf(file: Buffer): Generator<unknown, undefined> {
  for (let [from, to] = [0, 0]; from < file.length; from = to + 1) {
    const end = file.indexOf('\n', from);
    to = end === -1 ? file.length : end;
    yield JSON.parse(file.toString('utf8', from, to));
  }
}

const fileFault = (error: unknown, line: number): unknown => {
  if (error instanceof ServiceError) return error;
  const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
  const text = `The file is not a complete export of "tripact export"; nothing was imported. Line ${line}: ${why}`;
  return new ServiceError('INVALID_REQUEST', text, { cause: error });
};

/** The header of a file. Throws `INVALID_REQUEST` for any other file, and `STORE_TOO_NEW`. */
const headerOf = (file: Buffer): z.infer<typeof Header> => {
  try {
    const header = Header.parse(linesOf(file).next().value);
    if (header.tripact_owner <= VERSION && header.machine <= machineNumber) return header;
    throw new ServiceError('STORE_TOO_NEW', 'A newer Tripact wrote the file: upgrade this one');
  } catch (error) {
    throw fileFault(error, 1);
  }
};

/** Stores everything of a file's owner, or nothing. */
const importOwner = async (db: SqlDatabase, dialect: Dialect, file: Buffer): Promise<Imported> => {
  const { owner, tripact_owner: version } = headerOf(file);
  let line = 1;
  const add = function* (): Queries<Imported> {
    const { columns, isKnown } = yield* lookAt(dialect, owner);
    if (isKnown) throw new ServiceError('INVALID_REQUEST', `"${owner}" already has data here: nothing was imported`);
    const ids = newIds();
    let filesLeft = 0;
    const lines = linesOf(file);
    lines.next();
    line = 2;
    let given = lines.next().value;
    for (; !End.safeParse(given).success; given = lines.next().value, line += 1) {
      const { table, row } = Line.parse(given);
      if (columns.get(table)!.length === 0) {
        filesLeft += 1;
        continue;
      }
      const values: Record<string, Value> = columns.get(table)!.includes('owner') ? { ...row, owner } : { ...row };
      // Files of version 1 have chains as hex.
      if (typeof values['chain'] === 'string') values['chain'] = storedChain(values['chain']);
      if (table === 'sessions') values['id'] = (yield* queryOne<{ id: number }>(dialect.newSession, {}))!.id;
      else if (ids.has(table)) delete values['id'];
      const names = Object.keys(values);
      for (const name of names) {
        if (!columns.get(table)!.includes(name)) throw new Error(`there is no ${table}.${name}`);
        if (!(name in NAMED) || values[name] === null) continue;
        const id = ids.get(NAMED[name as keyof typeof NAMED])!.get(values[name]);
        if (id === undefined) throw new Error(`${name} ${String(values[name])} does not occur before it`);
        values[name] = id;
      }
      const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`;
      const added = yield* queryOne<{ id: number }>(`${sql}${ids.has(table) ? ' RETURNING id' : ''}`, values);
      ids.get(table)?.set(row['id'], added!.id);
    }
    if (End.parse(given).rows !== line - 2 || !lines.next().done)
      throw new Error('rows are missing, or there are extra rows');
    if (version < HAS_SPENT) yield* noteSpent(owner);
    const hasKeys = (yield* queryOne('SELECT 1 AS one FROM access_keys WHERE owner = @owner', { owner })) !== null;
    if (hasKeys) yield* markKeysAdded(Date.now());
    return { owner, sessions: ids.get('sessions')!.size, tasks: ids.get('tasks')!.size, hasKeys, filesLeft };
  };
  try {
    return await db.write(null, add, 'beside');
  } catch (error) {
    throw fileFault(error, line);
  }
};

/**
 * Creates exports and imports of owners for a database, which `open` opens for an owner that nobody serves meanwhile.
 */
export const createTransfers = (
  open: (owner: string) => Promise<SqlDatabase>,
  dialect: Dialect,
): Pick<Admin, 'exportOwner' | 'importOwner'> => ({
  exportOwner: async function* (owner) {
    const db = await open(owner);
    try {
      yield* exportOwner(db, dialect, owner);
    } finally {
      await db.close();
    }
  },
  importOwner: async (file) => {
    const db = await open(headerOf(file).owner);
    try {
      return await importOwner(db, dialect, file);
    } finally {
      await db.close();
    }
  },
});
