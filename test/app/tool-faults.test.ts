import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { createRedaction } from '../../src/app/redaction.ts';
import { outliveToolFaults, runAsTool } from '../../src/app/tool-faults.ts';
import { seenLog } from '../support/mcp/setup.ts';

it('what a tool, a model or a verifier leaves behind is logged with its name, and ends no process', async () => {
  const seen = seenLog();
  // The test runner's own listeners take each for a fault of the test.
  const own = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  const stop = outliveToolFaults(seen.log);
  onTestFinished(() => {
    stop();
    for (const listener of own) process.on('unhandledRejection', listener);
  });
  const leave = async (): Promise<never> => {
    void Promise.reject(new Error('no page'));
    throw new Error('no luck');
  };
  const { signal } = new AbortController();
  const { model, verifier } = createRedaction([]);
  const left = once(process, 'unhandledRejection');
  await Promise.allSettled([
    runAsTool('fetch_all', leave),
    model({ name: 'acme', answer: leave }).answer({} as never, signal),
    verifier(leave)({ signal } as never),
  ]);
  await left;
  await new Promise(setImmediate);
  expect(seen.text().match(/"tool":"[a-z_]+"/g)).toEqual(['"tool":"fetch_all"', '"tool":"acme"', '"tool":"verify"']);
});
