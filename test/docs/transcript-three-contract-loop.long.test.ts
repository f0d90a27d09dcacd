import { expect, it } from 'vitest';
import { openShell } from './shell.ts';
import { readTranscript } from './transcript.ts';

it('the transcript for users of the three-contract loop happens as it says', async () => {
  const run = openShell();
  const exchanges = readTranscript('test/docs/transcripts/three-contract-loop.md');
  expect(exchanges.length).toBeGreaterThan(3);
  for (const { input, output } of exchanges) expect({ input, output: await run(input) }).toEqual({ input, output });
});
