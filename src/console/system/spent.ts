import type { SessionView } from '../../../contracts/http.ts';
import type { ListedUsageDay, Spent, ToolUsage, UsageDay } from '../../../contracts/usage.ts';

/** The usage of one model over some days. Its sum is for people to read: it is not an exact decimal. */
export interface SpentByModel {
  model: string;
  calls: number;
  tokens: number;
  /** Null: the cost of some of it is not known. */
  cost: { amount: number; currency: string } | null;
}

const tokensOf = ({ usage }: Spent): number =>
  usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_written_tokens;

const costOf = (parts: readonly Pick<Spent, 'cost'>[]): SpentByModel['cost'] => {
  const currencies = new Set(parts.map(({ cost }) => cost?.currency));
  const [currency] = currencies;
  if (currencies.size !== 1 || currency === undefined) return null;
  return { amount: parts.reduce((sum, { cost }) => sum + Number(cost?.amount), 0), currency };
};

/** The usage of each model over these days, the most expensive first; where no cost is known, that with the most tokens. */
export const spentByModel = (days: readonly UsageDay[]): SpentByModel[] => {
  const byModel = Map.groupBy(
    days.flatMap(({ models }) => models),
    ({ model }) => model,
  );
  return [...byModel]
    .map(([model, parts]) => ({
      model,
      calls: parts.reduce((sum, { calls }) => sum + calls, 0),
      tokens: parts.reduce((sum, part) => sum + tokensOf(part), 0),
      cost: costOf(parts),
    }))
    .sort((a, b) => (b.cost?.amount ?? 0) - (a.cost?.amount ?? 0) || b.tokens - a.tokens);
};

/** The usage of some days in all. Its sum of money is for people to read: it is not an exact decimal. */
export interface SpentInAll {
  turns: number;
  calls: number;
  tokens: number;
  /** The tokens of the prompts that came from a provider's cache. */
  cached: number;
  /** The tokens of all prompts. */
  prompts: number;
  /** Null: the cost of some of it is not known. */
  cost: SpentByModel['cost'];
}

/** The usage of these days in all. A day without a call of a model costs nothing. */
export const spentInAll = (days: readonly UsageDay[]): SpentInAll => {
  const sum = (of: (day: UsageDay) => number): number => days.reduce((total, day) => total + of(day), 0);
  return {
    turns: sum(({ turns }) => turns),
    calls: sum(({ calls }) => calls),
    tokens: sum(tokensOf),
    cached: sum(({ usage }) => usage.cache_read_tokens),
    prompts: sum(({ usage }) => usage.input_tokens + usage.cache_read_tokens + usage.cache_written_tokens),
    cost: costOf(days.filter(({ calls }) => calls > 0)),
  };
};

/** The calls of one tool over some days. Its sum of money is for people to read: it is not an exact decimal. */
export interface SpentByTool extends Pick<ToolUsage, 'tool' | 'calls' | 'failed' | 'duration_ms' | 'model_calls'> {
  /** Of the model calls that asked for it; null: it is not known of all, or there were none. */
  cost: SpentByModel['cost'];
}

/** The calls of each tool over these days, that with the most calls first. */
export const spentByTool = (days: readonly ListedUsageDay[]): SpentByTool[] => {
  const byTool = Map.groupBy(
    days.flatMap(({ tools }) => tools),
    ({ tool }) => tool,
  );
  return [...byTool]
    .map(([tool, parts]) => {
      const sum = (name: 'calls' | 'failed' | 'duration_ms' | 'model_calls'): number =>
        parts.reduce((total, part) => total + part[name], 0);
      const cost = costOf(parts.filter(({ model_calls }) => model_calls > 0));
      const [calls, failed] = [sum('calls'), sum('failed')];
      return { tool, calls, failed, duration_ms: sum('duration_ms'), model_calls: sum('model_calls'), cost };
    })
    .sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1));
};

/** A session's last task with what it cost. */
export interface SpentByTask {
  session: string;
  task: string;
  title: string;
  cost: { amount: number; currency: string };
}

/** The sessions' last tasks whose cost is known and above zero, the most expensive first. */
export const spentByTask = (sessions: readonly SessionView[]): SpentByTask[] =>
  sessions
    .flatMap(({ session_id, title, last_task }) => {
      const cost = last_task?.cost;
      if (last_task === null || cost === undefined || Number(cost.amount) === 0) return [];
      const { amount, currency } = cost;
      return [
        {
          session: session_id,
          task: last_task.id,
          title: title ?? session_id,
          cost: { amount: Number(amount), currency },
        },
      ];
    })
    .sort((a, b) => b.cost.amount - a.cost.amount);
