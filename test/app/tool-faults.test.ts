import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { createRedaction } from '../../src/app/redaction.ts';
import { outliveToolFaults, runAsTool } from '../../src/app/tool-faults.ts';
import { seenLog } from '../support/mcp/setup.ts';

/** Gives the tools that are named in the log from now on. The test runner's own listeners take each fault for one of the test. */
const outlive = (event: 'unhandledRejection' | 'uncaughtException') => {
  const seen = seenLog();
  const own = process.rawListeners(event) as (() => void)[];
  process.removeAllListeners(event);
  onTestFinished(outliveToolFaults(seen.log));
  onTestFinished(() => own.forEach((listener) => void process.on(event, listener)));
  return () => seen.text().match(/"tool":"[a-z_]+"/g);
};

it('what a tool, a model or a verifier leaves behind is logged with its name, and ends no process', async () => {
  const named = outlive('unhandledRejection');
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
  expect(named()).toEqual(['"tool":"fetch_all"', '"tool":"acme"', '"tool":"verify"']);
});

it('an abort listener of a model or a verifier that throws is logged with its name, and ends no process', async () => {
  const named = outlive('uncaughtException');
  const listen = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason);
        throw new Error('no luck');
      });
    });
  const ended = new AbortController();
  const { model, verifier } = createRedaction([]);
  const running = [
    model({ name: 'acme', answer: (_, signal) => listen(signal) }).answer({} as never, ended.signal),
    verifier(({ signal }) => listen(signal))({ signal: ended.signal } as never),
  ];
  ended.abort(new Error('cancelled'));
  expect(await Promise.allSettled(running)).toMatchObject(Array(2).fill({ reason: { message: 'cancelled' } }));
  await new Promise(setImmediate);
  expect(named()).toEqual(['"tool":"acme"', '"tool":"verify"']);
});
