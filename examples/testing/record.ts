// Records the trace that the test replays: `node examples/testing/record.ts`. From a service it is `tripact trace <task> --format json`.
import { writeFileSync } from 'node:fs';
import { recordTrace, scriptedModel } from 'tripact/testing';
import config from './agent.ts';

const { trace } = await recordTrace({
  config,
  inputs: ['What does tea cost?'],
  model: scriptedModel([
    { status: 'planned', plan: ['Look the price up'] },
    { status: 'continue', current_step: 'Look', next_action: { tool: 'price', input: '{"article":"tea"}' } },
    { status: 'done', response: '4.5 euros' },
    { status: 'done', response: 'Tea costs 4.5 euros' },
  ]),
});
const lines = trace.map((entry) => `${JSON.stringify(entry)}\n`);
writeFileSync(new URL('price-of-tea.ndjson', import.meta.url), lines.join(''));
