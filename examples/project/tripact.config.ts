import { defineConfig, defineTool } from 'tripact';
import { z } from 'zod';

/** Prices in euros. */
const PRICES: ReadonlyMap<string, number> = new Map([
  ['tea', 4.5],
  ['coffee', 6],
  ['cake', 12],
]);

/** Looks a price up. It changes nothing, so it may run again after a crash, and what it did needs no verification. */
const price = defineTool({
  name: 'price',
  description: 'Tells what an article of the shop costs, in euros.',
  input: z.object({ article: z.string().min(1) }),
  effect: 'idempotent',
  writes: false,
  run: ({ article }) => {
    const euros = PRICES.get(article.toLowerCase());
    return euros === undefined ? { ok: false, result: `There is no article "${article}"` } : `${euros} euros`;
  },
});

export default defineConfig({
  instructions: 'You work in a small shop. Answer in one or two sentences.',
  tools: [price],
  // Built-in tools that the model has beside yours.
  builtinTools: ['todo', 'schedule', 'remember'],
});
