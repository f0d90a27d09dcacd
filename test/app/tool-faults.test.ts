import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { outliveToolFaults } from '../../src/app/tool-faults.ts';
import { runAsTool } from '../../src/tools/tool-scope.ts';
import { seenLog } from '../support/mcp/setup.ts';

it('a tool that leaves thousands of rejections behind in one moment has ten lines a minute in the log', async () => {
  const seen = seenLog();
  // The test runner's own listeners take each for a fault of the test.
  const own = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  const stop = outliveToolFaults(seen.log);
  onTestFinished(() => {
    stop();
    for (const listener of own) process.on('unhandledRejection', listener);
  });
  const left = once(process, 'unhandledRejection');
  await runAsTool('fetch_all', async () => {
    for (let count = 0; count < 1_000; count += 1) void Promise.reject(new Error(`no page ${count}`));
  });
  await left;
  await new Promise(setImmediate);
  expect(seen.text().match(/"tool":"fetch_all".*nobody waits/g)).toHaveLength(10);
});
