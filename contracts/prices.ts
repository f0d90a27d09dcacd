import { z } from 'zod';
import { amountOf, type Cost } from './cost.ts';
import { type CallUsage, totalTokens } from './usage.ts';

/** Digits behind the point of a price: with six, what a token costs is a whole number of the smallest unit of an amount. */
const PRICE_PLACES = 6;

/** A price in JavaScript's own way to write it, such as 0.15. */
const Price = z
  .number()
  .min(0)
  .max(1_000_000_000)
  .refine((price) => /^\d+(\.\d{1,6})?$/.test(String(price)), `must have ${PRICE_PLACES} decimal places at most`);

/** What a million tokens of each kind cost. A kind without a price has an unknown one, not none. */
export const ModelPrices = z.strictObject({
  input: Price,
  output: Price,
  cache_write: Price.optional(),
  cache_read: Price.optional(),
});
export type ModelPrices = z.infer<typeof ModelPrices>;

/** The operator's price list: by the model's name, with or without its provider, such as `anthropic:claude-…` or `claude-…` (SPEC 9). */
export const Prices = z.strictObject({
  currency: z.string().regex(/^[^\s\p{Cc}]{1,12}$/u, 'must be a currency, such as USD'),
  models: z.record(z.string(), ModelPrices),
});
export type Prices = z.infer<typeof Prices>;

/** A price for a million as the smallest units that one costs. */
const unitsEach = (price: number): bigint => {
  const [whole = '', fraction = ''] = String(price).split('.');
  return BigInt(whole + fraction.padEnd(PRICE_PLACES, '0'));
};

/** What a call cost, exactly; null where the list has no price for the model or for a kind of token that it used, and for no tokens. */
export const costOfCall = ({ currency, models }: Prices, model: string, usage: CallUsage): Cost | null => {
  const withoutProvider = model.slice(model.indexOf(':') + 1);
  const name = [model, withoutProvider].find((each) => Object.hasOwn(models, each));
  const prices = name === undefined ? undefined : models[name];
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
    units += BigInt(tokens) * unitsEach(price);
  }
  return { amount: amountOf(units), currency };
};
