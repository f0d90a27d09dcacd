import { defineConfig } from '../../src/app/define-config.ts';
import type { OutsideTool } from '../../src/tools/port.ts';

/** A tool whose work is one line in an outside ledger, written before the result is returned. */
const ledgerTool = (name: string, effect: OutsideTool['effect'], approval = false): OutsideTool => ({
  name,
  description: `Writes one line into a ledger outside; ${effect.replaceAll('_', '-')}.`,
  usage: `${name} <text>`,
  writes: true,
  approval,
  effect,
  run: async (input, { effect_id, signal }) => {
    const { CRASHTEST_LEDGER_URL: url, CRASHTEST_LIFE: life } = process.env;
    const body = JSON.stringify({ tool: name, input, effect_id, life: Number(life) });
    const response = await fetch(`${url}/tools`, { method: 'POST', body, signal });
    return { ok: true, result: await response.text() };
  },
});

/** Configuration of the service under the crash test, beside its own tools. */
export default defineConfig({
  tools: [
    ledgerTool('ledger_once', 'at_most_once'),
    ledgerTool('ledger_again', 'idempotent'),
    ledgerTool('ledger_approved', 'at_most_once', true),
  ],
  builtinTools: ['todo'],
  // The checks read everything again, as one caller.
  limits: { requests_per_second: 100_000 },
  verify: [async () => ({ ok: true, output: 'nothing to object to' })],
});
