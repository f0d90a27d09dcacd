import { addCosts, addUsage, NO_USAGE, type Spent, type UsageDay } from '../../contracts/usage.ts';

const sumOf = (parts: readonly Spent[]): Spent => {
  const costs = parts.map(({ cost = null }) => cost);
  const cost = costs.length === 0 ? null : costs.reduce((a, b) => (a === null || b === null ? null : addCosts(a, b)));
  return {
    calls: parts.reduce((sum, { calls }) => sum + calls, 0),
    usage: parts.map(({ usage }) => usage).reduce(addUsage, NO_USAGE),
    ...(cost !== null && { cost }),
  };
};

/** A day, `20260105`, as the API shows it: its sums, and those of each model by name. Each part is priced in one currency, or not at all; a sum with a part of unknown cost has none. */
export const usageDay = (day: number, turns: number, parts: UsageDay['models']): UsageDay => {
  const models = [...Map.groupBy(parts, ({ model }) => model)].map(([model, own]) => ({ model, ...sumOf(own) }));
  return { day: String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'), turns, ...sumOf(parts), models };
};

/** The day of a time in epoch milliseconds, in UTC, such as 20260105. */
export const dayOf = (at: number): number => {
  const date = new Date(at);
  return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
};
