import type { Database } from 'better-sqlite3';
import { USAGE_DAYS_KEPT } from '../../../contracts/limits.ts';
import { addAmounts, addUsage, type CallUsage, NO_USAGE, type Usage, type UsageDay } from '../../../contracts/usage.ts';
import { createClockJumps } from '../../engine/prune-sessions.ts';
import { dayOf, usageDay } from '../../engine/usage-day.ts';
import type { Page } from '../../lib/page.ts';

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

const usageOf = ({ input_tokens, output_tokens, cache_written_tokens, cache_read_tokens }: Usage): Usage => ({
  input_tokens,
  output_tokens,
  cache_written_tokens,
  cache_read_tokens,
});

const sumOf = (one: AddedCalls, other: AddedCalls): AddedCalls => ({
  ...one,
  ...addUsage(one, usageOf(other)),
  calls: one.calls + other.calls,
  cost: addAmounts(one.cost, other.cost),
});

/** After every day that there can be. */
const NEWEST_DAY = 99_999_999;

/** Models of one owner and day that are counted each by its name: a server may say another one at each call, and each is a row. */
const MODELS_A_DAY = 100;

/** Models of all days of one page, about: a year of 100 models a day took 120 ms. */
const MODELS_A_PAGE = 2_000;

/** What stands for every model beyond. */
const OTHER = 'other';

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
  const models = db
    .prepare<[AddedCalls], number>('SELECT count(*) FROM usage_days WHERE owner = @owner AND day = @day')
    .pluck();
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
      usage: usageOf(row),
      cost: currency === '' ? null : { amount: cost, currency },
    }));
    return usageDay(day, turns.get(owner, day) ?? 0, parts);
  };

  const hasJumped = createClockJumps();
  let added: AddedCalls[] = [];

  /** Those of one row as one. */
  const summed = (): Iterable<AddedCalls> => {
    const rows = new Map<string, AddedCalls>();
    for (const call of added) {
      // Neither an owner nor a currency has a space in it.
      const name = `${call.owner} ${call.day} ${call.currency} ${call.model}`;
      const row = rows.get(name);
      rows.set(name, row === undefined ? call : sumOf(row, call));
    }
    return rows.values();
  };

  return {
    /** Counts a turn; the first of a day lets go of what is older than is kept, but for a clock that just went ahead by days. */
    addTurn: (owner: string, at: number): void => {
      const isDoubtful = hasJumped(at);
      if (countTurn.get(owner, dayOf(at)) !== 1 || isDoubtful) return;
      for (const statement of forget) statement.run(owner, dayOf(at - USAGE_DAYS_KEPT * DAY_MS));
    },
    /** A transaction begins: what was gathered for one that was taken back is forgotten. */
    begin: (): void => {
      added = [];
    },
    /** Writes what was gathered, as the last part of its transaction. */
    end: (): void => {
      for (const call of summed()) {
        const isBeyond = costSoFar.get(call) === undefined && models.get(call)! >= MODELS_A_DAY;
        const row = isBeyond ? { ...call, model: OTHER } : call;
        addCalls.run({ ...row, cost: addAmounts(costSoFar.get(row) ?? '0', row.cost) });
      }
      added = [];
    },
    addCall: (owner: string, at: number, usage: CallUsage): void => {
      const { model = UNNAMED, cost } = usage;
      const currency = cost?.currency ?? '';
      const day = dayOf(at);
      added.push({ owner, day, model, currency, calls: 1, ...addUsage(NO_USAGE, usage), cost: cost?.amount ?? '0' });
    },
    /** An owner's days, newest first; a page ends early where they have many models. */
    page: (owner: string, limit: number, after: string | null): Page<UsageDay> => {
      const before = Number(after ?? NEWEST_DAY);
      const found = days.all(owner, before, owner, before, limit);
      const items: UsageDay[] = [];
      let models = 0;
      for (const day of found) {
        if (models >= MODELS_A_PAGE) break;
        items.push(read(owner, day));
        models += items.at(-1)!.models.length;
      }
      const isEnd = items.length === found.length && found.length < limit;
      return { items, next: isEnd ? null : String(found[items.length - 1]) };
    },
    /** One day of an owner, with nothing used where nothing was. */
    on: (owner: string, at: number): UsageDay => read(owner, dayOf(at)),
  };
};

export type UsageDays = ReturnType<typeof createUsageDays>;
