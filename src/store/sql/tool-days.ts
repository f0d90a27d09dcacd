import { addAmounts, addCosts, type Cost, type ToolUsage } from '../../../contracts/usage.ts';
import { type Queries, query, type Statement, statement } from '../../lib/queries.ts';

interface Counted {
  calls: number;
  failed: number;
  duration_ms: number;
  model_calls: number;
  /** An amount; 0 in the row without a currency. */
  cost: string;
}

interface StoredTool extends Counted {
  tool: string;
  currency: string;
}

/** Counts to be added to a row of `tool_days`. */
export interface ToolRow extends StoredTool {
  owner: string;
  day: number;
}

/** Adds counts to those of a transaction, by the row that they belong to. */
export const addToolRow = (added: Map<string, ToolRow>, more: ToolRow): void => {
  const { owner, day, tool, currency } = more;
  // None of them contains a line break.
  const row = [owner, day, tool, currency].join('\n');
  const before = added.get(row);
  if (before === undefined) return void added.set(row, more);
  added.set(row, {
    ...before,
    calls: before.calls + more.calls,
    failed: before.failed + more.failed,
    duration_ms: before.duration_ms + more.duration_ms,
    model_calls: before.model_calls + more.model_calls,
    cost: addAmounts(before.cost, more.cost),
  });
};

const ADD = `INSERT INTO tool_days (owner, day, tool, currency, calls, failed, duration_ms, model_calls, cost)
  VALUES (@owner, @day, @tool, @currency, @calls, @failed, @duration_ms, @model_calls, @cost)
  ON CONFLICT (owner, day, tool, currency) DO UPDATE SET calls = tool_days.calls + excluded.calls,
    failed = tool_days.failed + excluded.failed, duration_ms = tool_days.duration_ms + excluded.duration_ms,
    model_calls = tool_days.model_calls + excluded.model_calls,
    cost = CASE excluded.currency WHEN '' THEN tool_days.cost ELSE add_amounts(tool_days.cost, excluded.cost) END`;

/** The statements that add a transaction's counts to their days. */
export const toolsToStore = (added: ReadonlyMap<string, ToolRow>): Statement[] =>
  [...added.values()].map((row) => statement(ADD, { ...row }));

/** The cost of model calls; undefined where one of them had no price, or in two currencies. */
const costOf = (parts: readonly StoredTool[]): Cost | undefined => {
  const asked = parts.filter(({ model_calls }) => model_calls > 0);
  if (asked.length === 0 || asked.some(({ currency }) => currency === '')) return undefined;
  const costs = asked.map(({ currency, cost }): Cost | null => ({ amount: cost, currency }));
  return costs.reduce((sum, cost) => (sum === null || cost === null ? null : addCosts(sum, cost))) ?? undefined;
};

/** The calls of each tool on a day, by the tool's name. */
export function* toolsOfDay(owner: string, day: number): Queries<ToolUsage[]> {
  const rows = yield* query<StoredTool>(
    `SELECT tool, currency, calls, failed, duration_ms, model_calls, cost FROM tool_days
     WHERE owner = @owner AND day = @day ORDER BY tool, currency`,
    { owner, day },
  );
  return [...Map.groupBy(rows, ({ tool }) => tool)].map(([tool, parts]) => {
    const sum = (name: Exclude<keyof Counted, 'cost'>): number => parts.reduce((total, part) => total + part[name], 0);
    const cost = costOf(parts);
    return {
      tool,
      calls: sum('calls'),
      failed: sum('failed'),
      duration_ms: sum('duration_ms'),
      model_calls: sum('model_calls'),
      ...(cost !== undefined && { cost }),
    };
  });
}
