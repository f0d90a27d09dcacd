import type pg from 'pg';
import { type Asking, type Question, type Row, told } from '../../lib/questions.ts';
import type { Write } from '../sql/database.ts';
import { type CallsToAdd, callsToStore } from '../sql/usage.ts';
import { answered, StatementFault, type Statements } from './statements.ts';
import { createToldBatches } from './told-batches.ts';

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

const BEGIN = told('BEGIN', {});

const isReading = ({ sql }: Question): boolean => /^\s*SELECT\b/.test(sql);

/** Works that run one after the other. */
interface Lane {
  works: RoundWork[];
  asking: Asking<unknown> | null;
  /** The question that it waits for. */
  question: Question | null;
  /** The position of its last question among those sent without waiting. */
  place: number;
  /** It has sent a write. */
  hasWritten: boolean;
}

const lanesOf = (works: readonly RoundWork[]): Lane[] =>
  [...Map.groupBy(works, (each) => (each.isAlone ? each.owner : each)).values()].map((own) => ({
    works: own,
    asking: null,
    question: null,
    place: 0,
    hasWritten: false,
  }));

/**
 * Does works together in one transaction that begins with `enter`; null: none of them needs to. They go on side by side: what they tell is sent as one statement for
 * all, and what they ask is asked in one round trip. Resolves once it is durable; a work that fails before it wrote anything is left out.
 * Rejects with a `StatementFault` or a `WorkFault`: then nothing is stored, unless the answer to the commit itself was lost.
 */
export const runRound = async (
  client: pg.ClientBase,
  statements: Statements,
  enter: Question | null,
  works: readonly RoundWork[],
): Promise<void> => {
  const batches = createToldBatches(statements);
  const calls: CallsToAdd = new Map();
  const sent: Promise<unknown>[] = [];

  const sendTold = (): void => {
    for (const { sql, rows } of batches.take())
      for (const each of statements.sendRows(client, sql, rows)) {
        each.catch(() => {});
        sent.push(each);
      }
  };

  /** Advances a lane to its next question, or to its end. */
  const advance = (lane: Lane, rows: Row[]): void => {
    let answer = rows;
    lane.question = null;
    for (let current = lane.works[0]; current !== undefined; current = lane.works[0]) {
      try {
        lane.asking ??= current.work(calls);
        let next = lane.asking.next(answer);
        for (; next.done !== true && next.value.isTold; next = lane.asking.next([])) {
          lane.place = batches.add(next.value, lane.place);
          lane.hasWritten = true;
          if (batches.areMany()) sendTold();
        }
        if (next.done !== true) {
          lane.question = next.value;
          lane.hasWritten ||= !isReading(next.value);
          return;
        }
        current.outcome = { result: next.value };
      } catch (error) {
        if (lane.hasWritten) throw new WorkFault('a work of a round failed', { cause: error });
        current.outcome = { error };
      }
      answer = [];
      lane.works.shift();
      lane.asking = null;
      lane.hasWritten = false;
    }
  };

  batches.add(BEGIN, 0);
  if (enter !== null) batches.add(enter, 1);
  sendTold();
  let waiting = lanesOf(works);
  for (const lane of waiting) advance(lane, []);
  for (;;) {
    waiting = waiting.filter(({ question }) => question !== null);
    if (waiting.length === 0) break;
    sendTold();
    const answers = waiting.map(({ question }) => statements.send(client, question!));
    for (const each of answers) each.catch(() => {});
    for (const [number, lane] of waiting.entries()) {
      const { rows } = await answered(answers[number]!, sent);
      advance(lane, rows);
    }
  }
  for (const question of callsToStore(calls)) batches.add(question, 0);
  sendTold();
  const { command } = await answered(client.query('COMMIT'), sent);
  if (command !== 'COMMIT') throw new StatementFault(`the commit ended as ${command}`);
};
