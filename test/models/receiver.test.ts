import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { Receiver } from '../../src/models/http/receiver.ts';

const controller = { abort: () => {}, pause: () => {}, resume: () => {} } as never;

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

it('holds nothing of a response that broke off, for who tries again may hold on to it', async () => {
  const receiver = new Receiver({ idleMs: 1_000, signal: null, resolve: () => {}, reject: () => {} });
  receiver.onResponseStart(controller, 200, { 'content-type': 'application/json' });
  const given = (() => {
    const chunk = new Uint8Array(1_000_000);
    receiver.onResponseData(controller, chunk);
    return new WeakRef(chunk);
  })();
  await nextTurn();
  collectGarbage();
  expect(given.deref()).toBeDefined();
  receiver.onResponseError(controller, new Error('cut off'));
  await nextTurn();
  collectGarbage();
  expect(given.deref()).toBeUndefined();
  receiver.onResponseError(controller, new Error('still here'));
});
