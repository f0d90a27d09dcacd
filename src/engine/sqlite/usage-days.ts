import type { Database } from 'better-sqlite3';
import { addAmounts } from '../../../contracts/cost.ts';
import { USAGE_DAYS_KEPT } from '../../../contracts/limits.ts';
import type { CallUsage, Usage } from '../../../contracts/usage.ts';
import type { UsageDay } from '../../../contracts/usage-day.ts';
import type { Page } from '../../page.ts';
import { dayOf, usageDay } from '../usage-day.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

interface CallsRow extends Usage {
  day: number;
  model: string;
  currency: string;
  calls: number;
  cost: string;
}

/** Calls of an owner, a day, a model and a currency that are written with the commit that they are part of. */
type AddedCalls = CallsRow & { owner: string };

/** After every day that there can be. */
const NEWEST_DAY = 99_999_999;

/** Calls without a model's name: of an engine's tests, or a history that is older than the names. */
const UNNAMED = '';

/**
 * Makes what adds to an owner's days, inside the caller's transaction, and what reads them. Calls are gathered while a transaction is open, so that one
 * that stores those of many sessions writes each row once: `begin` and `end` stand around it.
 */
export const createUsageDays = (db: Database) => {
  const countTurn = db
    .prepare<[string, number], number>(
      `INSERT INTO turn_days (owner, day, turns) VALUES (?, ?, 1)
       ON CONFLICT DO UPDATE SET turns = turns + 1 RETURNING turns`,
    )
    .pluck();
  const forget = ['turn_days', 'usage_days'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE owner = ? AND day < ?`),
  );
  const key = 'owner = @owner AND day = @day AND model = @model AND currency = @currency';
  const costSoFar = db.prepare<[AddedCalls], string>(`SELECT cost FROM usage_days WHERE ${key}`).pluck();
  const addCalls = db.prepare<[AddedCalls], unknown>(
    `INSERT INTO usage_days (owner, day, model, currency, calls, input_tokens, output_tokens, cache_written_tokens, cache_read_tokens, cost)
     VALUES (@owner, @day, @model, @currency, @calls, @input_tokens, @output_tokens, @cache_written_tokens, @cache_read_tokens, @cost)
     ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, input_tokens = input_tokens + excluded.input_tokens,
       output_tokens = output_tokens + excluded.output_tokens,
       cache_written_tokens = cache_written_tokens + excluded.cache_written_tokens,
       cache_read_tokens = cache_read_tokens + excluded.cache_read_tokens, cost = excluded.cost`,
  );
  const days = db
    .prepare<[string, number, string, number, number], number>(
      `SELECT day FROM turn_days WHERE owner = ? AND day < ?
       UNION SELECT day FROM usage_days WHERE owner = ? AND day < ? ORDER BY day DESC LIMIT ?`,
    )
    .pluck();
  const turns = db.prepare<[string, number], number>('SELECT turns FROM turn_days WHERE owner = ? AND day = ?').pluck();
  const calls = db.prepare<[string, number], CallsRow>('SELECT * FROM usage_days WHERE owner = ? AND day = ?');

  const read = (owner: string, day: number): UsageDay => {
    const parts = calls.all(owner, day).map(({ model, currency, calls, cost, ...row }) => ({
      model,
      calls,
      usage: {
        input_tokens: row.input_tokens,
        output_tokens: row.output_tokens,
        cache_written_tokens: row.cache_written_tokens,
        cache_read_tokens: row.cache_read_tokens,
      },
      cost: currency === '' ? null : { amount: cost, currency },
    }));
    return usageDay(day, turns.get(owner, day) ?? 0, parts);
  };

  const added = new Map<string, AddedCalls>();
  const callsOf = (owner: string, day: number, model: string, currency: string): AddedCalls => {
    // Neither an owner nor a currency has a space in it.
    const name = `${owner} ${day} ${currency} ${model}`;
    const known = added.get(name);
    if (known !== undefined) return known;
    const none = { input_tokens: 0, output_tokens: 0, cache_written_tokens: 0, cache_read_tokens: 0 };
    const row = { owner, day, model, currency, calls: 0, ...none, cost: '0' };
    added.set(name, row);
    return row;
  };

  return {
    /** Counts a turn; the first of a day lets go of what is older than is kept. */
    addTurn: (owner: string, at: number): void => {
      if (countTurn.get(owner, dayOf(at)) !== 1) return;
      for (const statement of forget) statement.run(owner, dayOf(at - USAGE_DAYS_KEPT * DAY_MS));
    },
    /** A transaction begins: what was gathered for one that was taken back is forgotten. */
    begin: (): void => added.clear(),
    /** Writes what was gathered, as the last part of its transaction. */
    end: (): void => {
      for (const row of added.values()) {
        const before = row.currency === '' ? undefined : costSoFar.get(row);
        addCalls.run({ ...row, cost: before === undefined ? row.cost : addAmounts(before, row.cost) });
      }
      added.clear();
    },
    addCall: (owner: string, at: number, usage: CallUsage): void => {
      const { model = UNNAMED, cost, input_tokens, output_tokens } = usage;
      const { cache_written_tokens = 0, cache_read_tokens = 0 } = usage;
      const day = dayOf(at);
      const currency = cost?.currency ?? '';
      const calls = callsOf(owner, day, model, currency);
      calls.calls += 1;
      calls.input_tokens += input_tokens;
      calls.output_tokens += output_tokens;
      calls.cache_written_tokens += cache_written_tokens;
      calls.cache_read_tokens += cache_read_tokens;
      if (cost !== undefined) calls.cost = addAmounts(calls.cost, cost.amount);
    },
    /** An owner's days, newest first. */
    page: (owner: string, limit: number, after: string | null): Page<UsageDay> => {
      const before = Number(after ?? NEWEST_DAY);
      const found = days.all(owner, before, owner, before, limit);
      const last = found.at(-1);
      return {
        items: found.map((day) => read(owner, day)),
        next: last === undefined || found.length < limit ? null : String(last),
      };
    },
    /** One day of an owner, with nothing used where nothing was. */
    on: (owner: string, at: number): UsageDay => read(owner, dayOf(at)),
  };
};

export type UsageDays = ReturnType<typeof createUsageDays>;
