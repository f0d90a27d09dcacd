import { expect, it } from 'vitest';
import { withHeartbeats } from '../../src/http/heartbeats.ts';

const HEARTBEAT = ': heartbeat\n\n';

it('a message that comes while its reader still has a heartbeat in hand is not lost', async () => {
  const message = Promise.withResolvers<string>();
  async function* source(): AsyncGenerator<string> {
    yield await message.promise;
    yield 'second';
  }
  const stream = withHeartbeats(source(), 1);
  expect((await stream.next()).value).toBe(HEARTBEAT);
  message.resolve('first');
  await new Promise(setImmediate);
  const read: string[] = [];
  for await (const block of stream) if (block !== HEARTBEAT) read.push(block);
  expect(read).toEqual(['first', 'second']);
});

it('no message is asked for before the last one was taken', async () => {
  let made = 0;
  async function* source(): AsyncGenerator<string> {
    for (;;) yield `${++made}`;
  }
  const stream = withHeartbeats(source(), 60_000);
  await stream.next();
  await new Promise(setImmediate);
  expect(made).toBe(1);
  await stream.return(undefined);
});

it('a reader that stops ends the source, and a source that fails fails its reader', async () => {
  let isEnded = false;
  async function* source(): AsyncGenerator<string> {
    try {
      yield 'first';
      throw new Error('broken');
    } finally {
      isEnded = true;
    }
  }
  const left = withHeartbeats(source(), 60_000);
  await left.next();
  await left.return(undefined);
  expect(isEnded).toBe(true);
  const failed = withHeartbeats(source(), 60_000);
  await failed.next();
  await expect(failed.next()).rejects.toThrow('broken');
});
