import type { SessionView } from '../../../contracts/http.ts';
import type { Spent, UsageDay } from '../../../contracts/usage.ts';

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

const costOf = (parts: readonly Spent[]): SpentByModel['cost'] => {
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
