import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Amount, addAmounts, addCosts, amountOf, costOfCall, Prices, subtractAmounts } from '../../contracts/usage.ts';

const usage = { input_tokens: 1_000, output_tokens: 10 };
const prices = (models: Prices['models']): Prices => ({ currency: 'USD', models });

describe('what a call costs', () => {
  it.each([
    [{ input: 3, output: 15 }, usage, '0.00315'],
    [{ input: 0.15, output: 0.6 }, { input_tokens: 1, output_tokens: 1 }, '0.00000075'],
    [{ input: 0.1, output: 0.2 }, { input_tokens: 3_000_000, output_tokens: 1 }, '0.3000002'],
    [{ input: 0.000001, output: 0 }, { input_tokens: 1, output_tokens: 5 }, '0.000000000001'],
    [
      { input: 3, output: 15, cache_write: 3.75, cache_read: 0.3 },
      { ...usage, cache_written_tokens: 2_000, cache_read_tokens: 10_000 },
      '0.01365',
    ],
  ])('%o of %o is exactly %s', (model, used, amount) => {
    expect(costOfCall(prices({ m: model }), 'm', used)).toEqual({ amount, currency: 'USD' });
  });

  it('is found by the name with its provider, otherwise without', () => {
    const list = prices({ m: { input: 1, output: 1 }, 'acme:m': { input: 2, output: 2 } });
    const one = { input_tokens: 1_000_000, output_tokens: 0 };
    expect(costOfCall(list, 'acme:m', one)?.amount).toBe('2');
    expect(costOfCall(list, 'other:m', one)?.amount).toBe('1');
  });

  it('is unknown, never nothing, for a model or a kind of token without a price', () => {
    const list = prices({ m: { input: 1, output: 1 } });
    expect(costOfCall(list, 'anthropic:other', usage)).toBeNull();
    expect(costOfCall(list, 'constructor', usage)).toBeNull();
    expect(costOfCall(list, 'm', { ...usage, cache_read_tokens: 1 })).toBeNull();
  });
});

describe('amounts', () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 30n });

  it('add up exactly, whatever they are', () => {
    expect(addAmounts('0.1', '0.2')).toBe('0.3');
    fc.assert(
      fc.property(units, units, (one, other) => {
        const sum = addAmounts(amountOf(one), amountOf(other));
        expect(sum).toBe(amountOf(one + other));
        expect(Amount.safeParse(sum).success).toBe(true);
      }),
    );
  });

  it('are subtracted exactly, down to nothing', () => {
    expect(subtractAmounts('0.3', '0.1')).toBe('0.2');
    expect(subtractAmounts('0.1', '0.3')).toBe('0');
  });

  it('of two currencies have no sum', () => {
    expect(addCosts({ amount: '1', currency: 'USD' }, { amount: '1', currency: 'EUR' })).toBeNull();
  });
});

it.each([-1, 0.0000001, Number.NaN, '3', 2_000_000_000])('a price of %s is refused', (input) => {
  expect(Prices.safeParse({ currency: 'USD', models: { m: { input, output: 1 } } }).success).toBe(false);
});
