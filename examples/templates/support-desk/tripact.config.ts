import { fileURLToPath } from 'node:url';
import { defineConfig, defineTool } from 'tripact';
import { z } from 'zod';

/** Refunds up to this are paid without asking, in euros. */
const PAID_AT_ONCE = 20;

/**
 * Pays a customer back. It moves money, so after a crash in the middle it is not run again: the model is told that the
 * outcome is unknown. Put the call of your payment service here, with `effect_id` as its idempotency key.
 */
const refund = defineTool({
  name: 'refund',
  description: 'Pays a customer back for an order, in euros. Look the order up first.',
  input: z.object({ order: z.string(), euros: z.number().positive(), reason: z.string() }),
  effect: 'at_most_once',
  approval: ({ order, euros, reason }) => {
    if (euros > 500) return { deny: 'Refunds above 500 euros are made by the owner of the shop' };
    return euros <= PAID_AT_ONCE ? 'run' : { ask: `Refund ${euros} euros for order ${order}: ${reason}` };
  },
  // Who may say yes in place of the customer: keys with this role (tripact keys add ada --roles desk).
  // approvers: ['role:desk'],
  run: ({ order, euros }, { effect_id }) => `Paid ${euros} euros back for order ${order} (${effect_id})`,
});

export default defineConfig({
  instructions: `You are the support desk of a small tea shop. Look an order up before you say anything about it.
Offer a refund only for what arrived broken or not at all, and never more than was paid. Be brief and kind.`,
  tools: [refund],
  // The shop's own system, as an MCP server: a program here, or { url } for one on the network.
  mcpServers: {
    shop: {
      command: process.execPath,
      args: [fileURLToPath(new URL('shop-server.ts', import.meta.url))],
      source: 'trusted',
    },
  },
  builtinTools: ['remember'],
});
