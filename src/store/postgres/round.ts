import type pg from 'pg';
import { type Queries, type Row, type Statement, statement } from '../../lib/queries.ts';
import type { Write } from '../sql/database.ts';
import { callsToStore, noCalls } from '../sql/usage.ts';
import { createStatementBatches } from './statement-batches.ts';
import { answered, StatementFault, type Statements } from './statements.ts';

/** A work of a round, and its result. */
export interface RoundWork {
  owner: string;
  /** It decides by its reads, so no other work of its owner may run at the same time. */
  isAlone: boolean;
  work: Write<unknown>;
  outcome?: { result: unknown } | { error: unknown };
}

/** A work failed after it had written: its round stores nothing. */
export class WorkFault extends Error {
  override name = 'WorkFault';
}

const BEGIN = statement('BEGIN', {});

const isSelect = ({ sql }: Statement): boolean => /^\s*SELECT\b/.test(sql);

/** Works that run one after the other. */
interface Lane {
  works: RoundWork[];
  running: Queries<unknown> | null;
  /** The query whose rows it waits for. */
  query: Statement | null;
  /** The position of its last statement among those sent without waiting. */
  place: number;
  /** It has sent a write. */
  hasWritten: boolean;
}

const lanesOf = (works: readonly RoundWork[]): Lane[] =>
  [...Map.groupBy(works, (each) => (each.isAlone ? each.owner : each)).values()].map((own) => ({
    works: own,
    running: null,
    query: null,
    place: 0,
    hasWritten: false,
  }));

/**
 * Does works together in one transaction that begins with `enter`; null: none of them needs to. They go on side by side:
 * their writes are sent as one statement for many rows, and their queries in one round trip. Resolves once it is
 * durable; a work that fails before it wrote anything is left out.
 * Rejects with a `StatementFault` or a `WorkFault`: then nothing is stored, unless the answer to the commit itself was lost.
 */
export const runRound = async (
  client: pg.ClientBase,
  statements: Statements,
  enter: Statement | null,
  works: readonly RoundWork[],
): Promise<void> => {
  const batches = createStatementBatches(statements);
  const calls = noCalls();
  const sent: Promise<unknown>[] = [];

  const sendBatches = (): void => {
    for (const { sql, rows } of batches.take())
      for (const each of statements.sendRows(client, sql, rows)) {
        each.catch(() => {});
        sent.push(each);
      }
  };

  /** Advances a lane to its next query, or to its end. */
  const advance = (lane: Lane, rows: Row[]): void => {
    let given = rows;
    lane.query = null;
    for (let current = lane.works[0]; current !== undefined; current = lane.works[0]) {
      try {
        lane.running ??= current.work(calls);
        let next = lane.running.next(given);
        for (; next.done !== true && !next.value.needsRows; next = lane.running.next([])) {
          lane.place = batches.add(next.value, lane.place);
          lane.hasWritten = true;
          if (batches.areMany()) sendBatches();
        }
        if (next.done !== true) {
          lane.query = next.value;
          lane.hasWritten ||= !isSelect(next.value);
          return;
        }
        current.outcome = { result: next.value };
      } catch (error) {
        if (lane.hasWritten) throw new WorkFault('a work of a round failed', { cause: error });
        current.outcome = { error };
      }
      given = [];
      lane.works.shift();
      lane.running = null;
      lane.hasWritten = false;
    }
  };

  batches.add(BEGIN, 0);
  if (enter !== null) batches.add(enter, 1);
  sendBatches();
  let waiting = lanesOf(works);
  for (const lane of waiting) advance(lane, []);
  for (;;) {
    waiting = waiting.filter(({ query }) => query !== null);
    if (waiting.length === 0) break;
    sendBatches();
    const results = waiting.map(({ query }) => statements.send(client, query!));
    for (const each of results) each.catch(() => {});
    for (const [number, lane] of waiting.entries()) {
      const { rows } = await answered(results[number]!, sent);
      advance(lane, rows);
    }
  }
  for (const each of callsToStore(calls)) batches.add(each, 0);
  sendBatches();
  const { command } = await answered(client.query('COMMIT'), sent);
  if (command !== 'COMMIT') throw new StatementFault(`the commit ended as ${command}`);
};
