import type { Database, Statement } from 'better-sqlite3';
import { SLICE_ROWS, type SliceBudget } from './slice-budget.ts';

/** A table whose rows go with what they belong to, after what belongs to them. */
interface Table {
  readonly name: string;
  /** Finds the rows of `@of`. */
  readonly where: string;
  /** What a row takes. */
  readonly bytes: string;
  /** The column that tells its rows apart. */
  readonly key?: string;
  readonly children?: readonly Table[];
}

/** What belongs to a session, but for its entries and callbacks. The numbers are such that SQLite does not look at to plan. */
const TABLES: readonly Table[] = [
  {
    name: 'turns',
    where: 'session = CAST(@of AS INTEGER)',
    bytes: 'octet_length(input) + coalesce(octet_length(reply), 0)',
  },
  {
    name: 'tasks',
    where: 'session = CAST(@of AS INTEGER)',
    bytes: 'coalesce(octet_length(view), 0)',
    children: [
      { name: 'model_calls', where: 'task = CAST(@of AS INTEGER)', bytes: 'octet_length(facts) + octet_length(body)' },
      {
        name: 'snapshots',
        where: 'task = CAST(@of AS INTEGER)',
        bytes:
          'octet_length(body) + coalesce((SELECT octet_length(body) FROM snapshot_bodies WHERE id = snapshots.shared), 0)',
        key: 'task',
      },
    ],
  },
  {
    name: 'named_plans',
    where: '(owner, session_id) = (SELECT owner, session_id FROM sessions WHERE id = @of)',
    bytes: 'octet_length(title)',
    children: [
      {
        name: 'named_plan_steps',
        where: 'plan = CAST(@of AS INTEGER)',
        bytes: 'octet_length(step) + coalesce(octet_length(notes), 0)',
        key: 'position',
      },
    ],
  },
];

interface Prepared {
  readonly find: Statement<[{ of: number }], { id: number; bytes: number }>;
  readonly remove: Statement<[{ of: number; id: number }]>;
  readonly children: readonly Prepared[];
}

const prepared = (db: Database, { name, where, bytes, key = 'id', children = [] }: Table): Prepared => ({
  find: db.prepare(`SELECT ${key} AS id, ${bytes} AS bytes FROM ${name} WHERE ${where} LIMIT ${SLICE_ROWS}`),
  remove: db.prepare(`DELETE FROM ${name} WHERE ${where} AND ${key} = @id`),
  children: children.map((child) => prepared(db, child)),
});

/** Removes a table's rows as far as the budget goes; a row goes when nothing of what belongs to it is left. */
const removeRows = ({ find, remove, children }: Prepared, of: number, budget: SliceBudget): void => {
  if (!budget.isLeft()) return;
  for (const { id, bytes } of find.all({ of })) {
    for (const child of children) removeRows(child, id, budget);
    if (!budget.isLeft()) return;
    remove.run({ of, id });
    budget.use(bytes);
  }
};

/** Makes what removes a removed session's rows as far as the budget goes, inside the caller's transaction: all but its entries and callbacks. */
export const prepareRowSweep = (db: Database): ((session: number, budget: SliceBudget) => void) => {
  const tables = TABLES.map((table) => prepared(db, table));
  return (session, budget) => {
    for (const table of tables) removeRows(table, session, budget);
  };
};
