import type { FastifyInstance } from 'fastify';
import { createCrowdSlices } from '../loop-slices.ts';

/** Requests that are handled at once in one turn of the event loop: a few tenths of a millisecond each, and some milliseconds each in a process that has just started, stay far below 50 ms. */
const REQUESTS_A_TURN = 4;

/**
 * Spreads requests that come in at the same moment over turns of the event loop, in their order, so that a thousand of them are no single piece of
 * work. One that comes with few others is not delayed.
 */
export const sliceRequests = (app: FastifyInstance): void => {
  const inSlices = createCrowdSlices(REQUESTS_A_TURN);
  app.addHook('onRequest', (_request, _reply, done) => {
    inSlices(() => done());
  });
};
