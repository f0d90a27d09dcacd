import {
  addAmounts,
  addCosts,
  addUsage,
  type CallUsage,
  type ListedUsageDay,
  NO_USAGE,
  type Spent,
  type Usage,
  type UsageDay,
} from '../../../contracts/usage.ts';
import { dayOf } from '../../lib/iso-time.ts';
import type { Page, PageRequest } from '../../lib/page.ts';
import { type Queries, query, queryOne, type Statement, statement } from '../../lib/queries.ts';
import type { ToolCalls } from '../../session/change.ts';
import { addToolRow, type ToolRow, toolsOfDay, toolsToStore } from './tool-days.ts';

/** Days for which an owner's usage is stored: a year, plus a month to look back. */
const USAGE_DAYS_KEPT = 400;

export const DAY_MS = 24 * 60 * 60 * 1_000;

/** After every possible day. */
const NEWEST_DAY = 99_999_999;

/** Calls without a model's name: those of tests, or of a history older than the names. */
const UNNAMED = '';

interface CallsRow extends Usage {
  model: string;
  currency: string;
  calls: number;
  cost: string;
}

interface AddedCalls extends CallsRow {
  owner: string;
  day: number;
}

/** The calls of a transaction, of models and of tools, by the row that they are added to. Each is written once, in its commit. */
export interface CallsToAdd {
  readonly models: Map<string, AddedCalls>;
  readonly tools: Map<string, ToolRow>;
}

export const noCalls = (): CallsToAdd => ({ models: new Map(), tools: new Map() });

const addRow = (added: CallsToAdd['models'], more: AddedCalls): void => {
  const { owner, day, currency, model } = more;
  // Neither an owner nor a currency contains a space.
  const row = `${owner} ${day} ${currency} ${model}`;
  const before = added.get(row);
  if (before === undefined) return void added.set(row, more);
  const { calls, cost, ...usage } = more;
  const sums = { calls: before.calls + calls, cost: addAmounts(before.cost, cost), ...addUsage(before, usage) };
  added.set(row, { ...before, ...sums });
};

/** Adds a model call; `tool` is what its answer asked for, null: no tool. */
export const addCall = (
  { models, tools }: CallsToAdd,
  owner: string,
  at: number,
  usage: CallUsage,
  tool: string | null = null,
): void => {
  const { model = UNNAMED, cost } = usage;
  const day = dayOf(at);
  const priced = { currency: cost?.currency ?? '', cost: cost?.amount ?? '0' };
  addRow(models, { owner, day, model, calls: 1, ...priced, ...addUsage(NO_USAGE, usage) });
  if (tool !== null)
    addToolRow(tools, { owner, day, tool, calls: 0, failed: 0, duration_ms: 0, model_calls: 1, ...priced });
};

/** Adds calls of a tool. */
export const addToolCalls = ({ tools }: CallsToAdd, owner: string, at: number, calls: ToolCalls): void =>
  addToolRow(tools, { owner, day: dayOf(at), currency: '', cost: '0', model_calls: 0, ...calls });

/** Adds the calls of one work to those of its transaction. */
export const addCalls = (added: CallsToAdd, more: CallsToAdd): void => {
  for (const row of more.models.values()) addRow(added.models, row);
  for (const row of more.tools.values()) addToolRow(added.tools, row);
};

const COUNTED = ['calls', 'input_tokens', 'output_tokens', 'cache_written_tokens', 'cache_read_tokens'];

const ADD_CALLS = `INSERT INTO usage_days (owner, day, model, currency, ${COUNTED.join(', ')}, cost)
  VALUES (@owner, @day, @model, @currency, ${COUNTED.map((name) => `@${name}`).join(', ')}, @cost)
  ON CONFLICT (owner, day, model, currency) DO UPDATE SET
    ${COUNTED.map((name) => `${name} = usage_days.${name} + excluded.${name}`).join(', ')},
    cost = CASE excluded.currency WHEN '' THEN usage_days.cost ELSE add_amounts(usage_days.cost, excluded.cost) END`;

/** The statements that add a transaction's calls to their days. */
export const callsToStore = ({ models, tools }: CallsToAdd): Statement[] => [
  ...[...models.values()].map((row) => statement(ADD_CALLS, { ...row })),
  ...toolsToStore(tools),
];

/** Adds a transaction's calls to their days, as its last statements. */
export function* storeCalls(added: CallsToAdd): Queries<void> {
  yield* callsToStore(added);
}

/**
 * Counts a turn that a task answers, and removes days past the limit. Comes last in a commit, as other turns of the
 * owner wait for it.
 */
export function* countTurn(owner: string, at: number): Queries<void> {
  const before = dayOf(at - USAGE_DAYS_KEPT * DAY_MS);
  yield statement('DELETE FROM turn_days WHERE owner = @owner AND day < @before', { owner, before });
  yield statement('DELETE FROM usage_days WHERE owner = @owner AND day < @before', { owner, before });
  yield statement('DELETE FROM tool_days WHERE owner = @owner AND day < @before', { owner, before });
  yield statement(
    `INSERT INTO turn_days (owner, day, turns) VALUES (@owner, @day, 1)
     ON CONFLICT (owner, day) DO UPDATE SET turns = turn_days.turns + 1`,
    { owner, day: dayOf(at) },
  );
}

const sumOf = (parts: readonly Spent[]): Spent => {
  const costs = parts.map(({ cost = null }) => cost);
  const cost = costs.length === 0 ? null : costs.reduce((a, b) => (a === null || b === null ? null : addCosts(a, b)));
  return {
    calls: parts.reduce((sum, { calls }) => sum + calls, 0),
    usage: parts.map(({ usage }) => usage).reduce(addUsage, NO_USAGE),
    ...(cost !== null && { cost }),
  };
};

/**
 * A day, `20260105`, as the API shows it: its sums, and those of each model by name. Each part is priced in one
 * currency, or not at all; a sum with a part of unknown cost has no cost.
 */
const usageDay = (day: number, turns: number, parts: UsageDay['models']): UsageDay => {
  const models = [...Map.groupBy(parts, ({ model }) => model)].map(([model, own]) => ({ model, ...sumOf(own) }));
  return { day: String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'), turns, ...sumOf(parts), models };
};

/** Turns with a task that the owner sent on a day. */
export function* turnsOfDay(owner: string, day: number): Queries<number> {
  const sql = 'SELECT turns FROM turn_days WHERE owner = @owner AND day = @day';
  return (yield* queryOne<{ turns: number }>(sql, { owner, day }))?.turns ?? 0;
}

/** An owner's usage on a day, zero if there was none. */
export function* usageOfDay(owner: string, day: number): Queries<UsageDay> {
  const turns = yield* turnsOfDay(owner, day);
  const rows = yield* query<CallsRow>(
    `SELECT model, currency, ${COUNTED.join(', ')}, cost FROM usage_days WHERE owner = @owner AND day = @day`,
    { owner, day },
  );
  const parts = rows.map(({ model, currency, calls, cost, ...usage }) => ({
    model,
    calls,
    usage,
    ...(currency !== '' && { cost: { amount: cost, currency } }),
  }));
  return usageDay(day, turns, parts);
}

export function* usageByDay(owner: string, { limit, after }: PageRequest): Queries<Page<ListedUsageDay>> {
  const days = yield* query<{ day: number }>(
    `SELECT day FROM turn_days WHERE owner = @owner AND day < @before
     UNION SELECT day FROM usage_days WHERE owner = @owner AND day < @before ORDER BY day DESC LIMIT @limit`,
    { owner, before: Number(after ?? NEWEST_DAY), limit },
  );
  const items: ListedUsageDay[] = [];
  for (const { day } of days) {
    const usage = yield* usageOfDay(owner, day);
    items.push({ ...usage, tools: yield* toolsOfDay(owner, day) });
  }
  return { items, next: days.length < limit ? null : String(days.at(-1)!.day) };
}
