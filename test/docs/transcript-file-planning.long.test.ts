import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openShell } from './shell.ts';
import { readTranscript } from './transcript.ts';

it('the transcript for users of plan.json happens as it says', async () => {
  const page = 'test/docs/transcripts/file-planning.md';
  const [, left = ''] = /```json\n([^`]*)```/.exec(readFileSync(page, 'utf8')) ?? [];
  const run = openShell({ 'plan.json': left });
  const exchanges = readTranscript(page);
  expect(exchanges.length).toBeGreaterThan(3);
  for (const { input, output } of exchanges) expect({ input, output: await run(input) }).toEqual({ input, output });
});
