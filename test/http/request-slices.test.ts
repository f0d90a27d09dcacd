import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { sliceRequests } from '../../src/http/request-slices.ts';

const FLOOD = 1_000;

const from = (url: string, key?: string): Partial<IncomingMessage> => ({
  url,
  socket: new Socket(),
  headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
});

it.each([
  ['another caller', from('/v1/sessions', 'key-of-bob')],
  ['a probe of health', from('/healthz')],
])('lets %s not wait behind a thousand requests of one caller, which keep their order', async (_, last) => {
  const server = new EventEmitter();
  const handled: Partial<IncomingMessage>[] = [];
  const isOver = Promise.withResolvers<void>();
  server.on('request', (request: IncomingMessage) => {
    handled.push(request);
    if (handled.length > FLOOD) isOver.resolve();
  });
  sliceRequests({ server, addHook: () => {} } as never);
  const flood = Array.from({ length: FLOOD }, (_, place) => from(`/v1/sessions/${place}`, 'key-of-ada'));
  for (const request of [...flood, last]) server.emit('request', request, {});
  await isOver.promise;
  expect(handled.indexOf(last)).toBeLessThan(20);
  expect(handled.filter((request) => request !== last)).toEqual(flood);
});
