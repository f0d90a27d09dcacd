import { z } from 'zod';

/** Decimal places of an amount: with them, a price of a millionth per million tokens is exact. */
const PLACES = 12;

/** An amount of money as an exact decimal, since floating-point numbers would drift. Never negative. */
export const Amount = z.string().regex(/^(0|[1-9]\d{0,29})(\.\d{1,12})?$/);

/** A cost in the price list's currency. */
export const Cost = z.object({ amount: Amount, currency: z.string() });
export type Cost = z.infer<typeof Cost>;

/** A decimal number as a count of its smallest unit: one unit of money has 10^12. */
const unitsOf = (decimal: string, places = PLACES): bigint => {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
};

/** A count of smallest units as an amount, without trailing zeros. */
export const amountOf = (units: bigint): string => {
  const digits = String(units).padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0{1,12}$/, '');
  const whole = digits.slice(0, -PLACES);
  return fraction === '' ? whole : `${whole}.${fraction}`;
};

export const addAmounts = (one: string, other: string): string => amountOf(unitsOf(one) + unitsOf(other));

/** The difference of two amounts; 0 where the second is larger. */
export const subtractAmounts = (one: string, other: string): string => {
  const units = unitsOf(one) - unitsOf(other);
  return amountOf(units < 0n ? 0n : units);
};

export const isAtLeast = (one: string, other: string): boolean => unitsOf(one) >= unitsOf(other);

/** The exact sum of two costs; null for two currencies. */
export const addCosts = (one: Cost, other: Cost): Cost | null =>
  one.currency === other.currency ? { amount: addAmounts(one.amount, other.amount), currency: one.currency } : null;

const tokens = z.number().int().min(0);

export const MODEL_NAME_CHARS_MAX = 250;

/** A count that a model's server reported; 0 for anything else. */
export const tokenCount = (count: unknown): number =>
  Number.isSafeInteger(count) && (count as number) > 0 ? (count as number) : 0;

/**
 * Tokens by kind. `input_tokens` were not cached; tokens written to or read from the provider's cache are counted
 * apart.
 */
export const Usage = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_written_tokens: tokens,
  cache_read_tokens: tokens,
});
export type Usage = z.infer<typeof Usage>;

/**
 * Tokens of one model call, with its model; `cost` is by the price list at the time, and absent where that has no price
 * for it.
 */
export const CallUsage = Usage.partial({ cache_written_tokens: true, cache_read_tokens: true }).extend({
  model: z.string().max(MODEL_NAME_CHARS_MAX).optional(),
  cost: Cost.optional(),
  /** The model's server did not report all of them, so the call's usage is unknown. */
  is_unknown: z.literal(true).optional(),
});
export type CallUsage = z.infer<typeof CallUsage>;

const isCount = (count: unknown): boolean => Number.isSafeInteger(count) && (count as number) >= 0;

/** A call's tokens from what was reported, which may be anything. Without both counts they are unknown. */
export const saidUsage = (said: unknown): CallUsage => {
  const counts: Partial<Record<string, unknown>> = typeof said === 'object' && said !== null ? { ...said } : {};
  const { input_tokens, output_tokens, cache_written_tokens, cache_read_tokens, is_unknown } = counts;
  const isKnown = is_unknown !== true && isCount(input_tokens) && isCount(output_tokens);
  return {
    input_tokens: tokenCount(input_tokens),
    output_tokens: tokenCount(output_tokens),
    ...(cache_written_tokens !== undefined && { cache_written_tokens: tokenCount(cache_written_tokens) }),
    ...(cache_read_tokens !== undefined && { cache_read_tokens: tokenCount(cache_read_tokens) }),
    ...(!isKnown && { is_unknown: true }),
  };
};

export const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, cache_written_tokens: 0, cache_read_tokens: 0 };

export const addUsage = (usage: Usage, more: CallUsage): Usage => ({
  input_tokens: usage.input_tokens + more.input_tokens,
  output_tokens: usage.output_tokens + more.output_tokens,
  cache_written_tokens: usage.cache_written_tokens + (more.cache_written_tokens ?? 0),
  cache_read_tokens: usage.cache_read_tokens + (more.cache_read_tokens ?? 0),
});

/** The tokens of the prompt, including those that the provider's cache took or gave. */
export const promptTokens = ({ input_tokens, cache_written_tokens = 0, cache_read_tokens = 0 }: CallUsage): number =>
  input_tokens + cache_written_tokens + cache_read_tokens;

/** All tokens of a usage; a token budget counts them (SPEC 4). */
export const totalTokens = (usage: CallUsage): number => promptTokens(usage) + usage.output_tokens;

/** A call's tokens as a provider reports them. A real call uses some on both sides, so zero counts as unknown. */
export const providerUsage = (said: unknown): CallUsage => {
  const usage = saidUsage(said);
  return promptTokens(usage) === 0 || usage.output_tokens === 0 ? { ...usage, is_unknown: true } : usage;
};

/** Model calls and their tokens; `cost` only where every call had a price, all in one currency. */
const Spent = z.object({ calls: z.number().int(), usage: Usage, cost: Cost.optional() });
export type Spent = z.infer<typeof Spent>;

/** An owner's usage on one UTC day (SPEC 9). Counts turns that a task answers, and no commands. */
export const UsageDay = Spent.extend({
  day: z.iso.date(),
  turns: z.number().int(),
  models: z.array(Spent.extend({ model: z.string() })),
});
export type UsageDay = z.infer<typeof UsageDay>;

/**
 * Calls of one tool: how many, how many of them failed, and how long they took. `model_calls` asked for them, and `cost`
 * is theirs: only where each of them had a price, all in one currency. One that asked for several tools counts for the
 * first.
 */
export const ToolUsage = z.object({
  tool: z.string(),
  calls: z.number().int(),
  failed: z.number().int(),
  duration_ms: z.number().int(),
  model_calls: z.number().int(),
  cost: Cost.optional(),
});
export type ToolUsage = z.infer<typeof ToolUsage>;

/** A day's usage with that of each tool. */
export const ListedUsageDay = UsageDay.extend({ tools: z.array(ToolUsage) });
export type ListedUsageDay = z.infer<typeof ListedUsageDay>;

/** Decimal places of a price: with six, a token's cost is a whole number of an amount's smallest units. */
const PRICE_PLACES = 6;

/** A price as a JavaScript number, such as 0.15. */
const Price = z
  .number()
  .min(0)
  .max(1_000_000_000)
  .refine((price) => /^\d+(\.\d{1,6})?$/.test(String(price)), `must have ${PRICE_PLACES} decimal places at most`);

/** Prices of a million tokens of each kind. A missing price means unknown, not free. */
export const ModelPrices = z.strictObject({
  input: Price,
  output: Price,
  cache_write: Price.optional(),
  cache_read: Price.optional(),
});

/**
 * The operator's price list, by model name with or without its provider, such as `anthropic:claude-…` or `claude-…`
 * (SPEC 9).
 */
export const Prices = z.strictObject({
  currency: z.string().regex(/^[^\s\p{Cc}]{1,12}$/u, 'must be a currency, such as USD'),
  models: z.record(z.string(), ModelPrices),
});
export type Prices = z.infer<typeof Prices>;

/** The prices of a model; undefined: the list has none. */
const pricesOf = ({ models }: Prices, model: string): z.infer<typeof ModelPrices> | undefined => {
  const withoutProvider = model.slice(model.indexOf(':') + 1);
  const name = [model, withoutProvider].find((each) => Object.hasOwn(models, each));
  return name === undefined ? undefined : models[name];
};

export const hasPrice = (prices: Prices, model: string): boolean => pricesOf(prices, model) !== undefined;

/**
 * The exact cost of a call. Null where the list has no price for the model or for a kind of token that it used, and for
 * zero tokens.
 */
export const costOfCall = (list: Prices, model: string, usage: CallUsage): Cost | null => {
  const prices = pricesOf(list, model);
  if (prices === undefined || totalTokens(usage) === 0) return null;
  const parts: [tokens: number, price: number | undefined][] = [
    [usage.input_tokens, prices.input],
    [usage.output_tokens, prices.output],
    [usage.cache_written_tokens ?? 0, prices.cache_write],
    [usage.cache_read_tokens ?? 0, prices.cache_read],
  ];
  let units = 0n;
  for (const [tokens, price] of parts) {
    if (tokens === 0) continue;
    if (price === undefined) return null;
    units += BigInt(tokens) * unitsOf(String(price), PRICE_PLACES);
  }
  return { amount: amountOf(units), currency: list.currency };
};
