import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openShell } from './shell.ts';
import { readTranscript } from './transcript.ts';

it('everything that the page for users of plan.json shows happens as it shows it', async () => {
  const page = 'docs/coming-from-file-planning.md';
  const [, left = ''] = /```json\n([^`]*)```/.exec(readFileSync(page, 'utf8')) ?? [];
  const run = openShell({ 'plan.json': left });
  const exchanges = readTranscript(page);
  expect(exchanges.length).toBeGreaterThan(3);
  for (const { input, output } of exchanges) expect({ input, output: await run(input) }).toEqual({ input, output });
});
