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

/** After every day that there can be. */
const NEWEST_DAY = 99_999_999;

/** Calls without a model's name: of an engine's tests, or a history that is older than the names. */
const UNNAMED = '';

/** Makes what adds to an owner's days, inside the caller's transaction, and what reads them. */
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
  const costSoFar = db.prepare<[Record<string, unknown>], string>(`SELECT cost FROM usage_days WHERE ${key}`).pluck();
  const addCall = db.prepare(
    `INSERT INTO usage_days (owner, day, model, currency, calls, input_tokens, output_tokens, cache_written_tokens, cache_read_tokens, cost)
     VALUES (@owner, @day, @model, @currency, 1, @input_tokens, @output_tokens, @cache_written_tokens, @cache_read_tokens, @cost)
     ON CONFLICT DO UPDATE SET calls = calls + 1, input_tokens = input_tokens + excluded.input_tokens,
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

  return {
    /** Counts a turn; the first of a day lets go of what is older than is kept. */
    addTurn: (owner: string, at: number): void => {
      if (countTurn.get(owner, dayOf(at)) !== 1) return;
      for (const statement of forget) statement.run(owner, dayOf(at - USAGE_DAYS_KEPT * DAY_MS));
    },
    addCall: (owner: string, at: number, usage: CallUsage): void => {
      const { model = UNNAMED, cost, input_tokens, output_tokens } = usage;
      const row = { owner, day: dayOf(at), model, currency: cost?.currency ?? '' };
      const { cache_written_tokens = 0, cache_read_tokens = 0 } = usage;
      addCall.run({
        ...row,
        ...{ input_tokens, output_tokens, cache_written_tokens, cache_read_tokens },
        cost: cost === undefined ? '0' : addAmounts(costSoFar.get(row) ?? '0', cost.amount),
      });
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
