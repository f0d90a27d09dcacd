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

it('breaks off long answers where those of many calls have more than 128 MiB together, and takes usual ones', async () => {
  const MIB = new Uint8Array(1024 * 1024);
  const USUAL = new Uint8Array(100 * 1024);
  const begin = () => {
    const call = Promise.withResolvers<Response>();
    call.promise.catch(() => {});
    const receiver = new Receiver({ idleMs: 1_000, signal: null, ...call });
    let isAborted = false;
    const control = {
      abort: (error: Error) => {
        isAborted = true;
        receiver.onResponseError(control, error);
      },
      pause: () => {},
      resume: () => {},
    } as never;
    receiver.onResponseStart(control, 200, { 'content-type': 'application/json' });
    return {
      text: async () => (await call.promise).text(),
      gets: (chunk: Uint8Array) => receiver.onResponseData(control, chunk),
      ends: () => isAborted || receiver.onResponseEnd(),
      isAborted: () => isAborted,
    };
  };
  const calls = Array.from({ length: 100 }, begin);
  for (const { gets } of calls) gets(MIB);
  expect(calls.some(({ isAborted }) => isAborted())).toBe(false);
  for (const { gets } of calls) gets(MIB);
  const aborted = calls.filter(({ isAborted }) => isAborted());
  expect(aborted.length).toBeGreaterThan(30);
  await expect(aborted[0]!.text()).rejects.toThrow('come in at once');
  const usual = begin();
  usual.gets(USUAL);
  usual.ends();
  expect(await usual.text()).toHaveLength(USUAL.length);
  for (const { ends } of calls) ends();
  await Promise.allSettled(calls.map(({ text }) => text()));

  const next = Array.from({ length: 100 }, begin);
  for (const { gets, ends } of next) {
    gets(MIB);
    ends();
  }
  for (const { text } of next) expect(await text()).toHaveLength(MIB.length);
});
