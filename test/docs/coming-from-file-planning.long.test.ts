import { expect, it } from 'vitest';
import { openShell } from './shell.ts';
import { readTranscript } from './transcript.ts';

it('everything that the page for users of plan.json shows happens as it shows it', async () => {
  const run = openShell();
  const exchanges = readTranscript('docs/coming-from-file-planning.md');
  expect(exchanges.length).toBeGreaterThan(3);
  for (const { input, output } of exchanges) expect({ input, output: await run(input) }).toEqual({ input, output });
});
