import type { RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { createCrowdSlices } from '../loop-slices.ts';

/** Requests that are handled at once in one turn of the event loop: a few tenths of a millisecond each, and some milliseconds each in a process that has just started, stay far below 50 ms. */
const REQUESTS_A_TURN = 4;

/**
 * Spreads requests that come in at the same moment over turns of the event loop, in their order, so that a thousand of them are no single piece of
 * work. One that comes with few others is not delayed. What looks for a request's route waits too: 64 KiB of a connection may hold a thousand.
 */
export const sliceRequests = (app: FastifyInstance): void => {
  const inSlices = createCrowdSlices(REQUESTS_A_TURN);
  const handlers = app.server.listeners('request') as RequestListener[];
  app.server.removeAllListeners('request').on('request', (request, response) =>
    inSlices(() => {
      for (const handle of handlers) handle(request, response);
    }),
  );
  // Fastify listens on the second address of `localhost` by another server, which it gives to nobody.
  const behindOtherServers = createCrowdSlices(REQUESTS_A_TURN);
  app.addHook('onRequest', (_request, _reply, done) => behindOtherServers(() => done()));
};
