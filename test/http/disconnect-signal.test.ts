import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { expect, it } from 'vitest';
import { disconnectSignal } from '../../src/http/event-stream.ts';

it('clients that leave at once are cleaned up after a few in each turn of the event loop', async () => {
  const raws = Array.from({ length: 200 }, () => Object.assign(new EventEmitter(), { writableFinished: false }));
  let ended = 0;
  for (const raw of raws)
    disconnectSignal({ raw } as unknown as FastifyReply).addEventListener('abort', () => {
      ended += 1;
    });
  for (const raw of raws) raw.emit('close');
  const inTurns: number[] = [];
  for (let before = 0; before < raws.length; before = ended) {
    await nextTurn();
    inTurns.push(ended - before);
  }
  expect(Math.max(...inTurns)).toBeLessThanOrEqual(33);
});
