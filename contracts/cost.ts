import { z } from 'zod';

/** Decimal places of an amount: a price of a millionth for a million tokens is exact. */
const PLACES = 12;

/** An amount of money, written out in full: numbers of a computer would drift. Never negative. */
export const Amount = z.string().regex(/^(0|[1-9]\d{0,29})(\.\d{1,12})?$/);

/** What something cost, in the currency of the price list. */
export const Cost = z.object({ amount: Amount, currency: z.string() });
export type Cost = z.infer<typeof Cost>;

/** An amount as a count of its smallest unit, of which there are 10^12 in one. */
const unitsOf = (amount: string): bigint => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
};

/** A count of smallest units as an amount, without zeros at its end. */
export const amountOf = (units: bigint): string => {
  const digits = String(units).padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0{1,12}$/, '');
  const whole = digits.slice(0, -PLACES);
  return fraction === '' ? whole : `${whole}.${fraction}`;
};

/** The exact sum of two amounts. */
export const addAmounts = (one: string, other: string): string => amountOf(unitsOf(one) + unitsOf(other));

/** The exact sum of two costs; null for two currencies. */
export const addCosts = (one: Cost, other: Cost): Cost | null =>
  one.currency === other.currency ? { amount: addAmounts(one.amount, other.amount), currency: one.currency } : null;
