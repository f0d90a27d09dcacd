import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createCrowdSlices } from '../event-loop/loop-slices.ts';

/** Requests of one queue that are handled at once in one turn of the event loop: a few tenths of a millisecond each, and some milliseconds each in a process that has just started, stay far below 50 ms. */
const REQUESTS_A_TURN = 4;

/** Queues in which requests wait: most callers have one of their own, however many there are. */
const QUEUES = 64;

/** Characters at the end of what a request shows that say its queue: keys and signatures differ there. */
const COMPARED_CHARS = 16;

/** Makes what spreads requests over turns, by turns from each queue, in which connections take turns, too. The queue follows from the key as it is shown, which nobody has checked yet, or from the address where none is. */
const createRequestQueues = (): ((request: IncomingMessage, work: () => void) => void) => {
  const queues = Array.from({ length: QUEUES }, () => createCrowdSlices(REQUESTS_A_TURN));
  return ({ headers, url = '', socket }, work) => {
    const shown = (headers.authorization ?? url).slice(-COMPARED_CHARS);
    let sum = 0;
    for (let at = 0; at < shown.length; at += 1) sum = (sum * 33 + shown.charCodeAt(at)) % 65_521;
    queues[sum % QUEUES]?.(work, socket);
  };
};

/**
 * Spreads requests that come in at the same moment over turns of the event loop, those of a connection in their order, so that a thousand of them are no single piece of
 * work, and another caller's do not wait behind all of them. One that comes with few others is not delayed, also where some of a turn before still wait. What looks for a request's route waits too: 64 KiB of a
 * connection may hold a thousand. What a connection sends ahead is worked on once the reply before it was taken: else who takes none could have 64 of the longest made for each.
 */
export const sliceRequests = (app: FastifyInstance): void => {
  const inSlices = createRequestQueues();
  /** The reply to the newest request of each connection. */
  const newest = new WeakMap<Socket, ServerResponse>();
  const handlers = app.server.listeners('request') as RequestListener[];
  app.server.removeAllListeners('request').on('request', (request, response) => {
    const { socket } = request;
    const before = newest.get(socket);
    newest.set(socket, response);
    const handle = (): void => {
      // Nobody is there for the reply, nor was it promised to be made.
      if (socket.destroyed) return;
      inSlices(request, () => {
        for (const handler of handlers) handler(request, response);
      });
    };
    if (before === undefined || before.destroyed) handle();
    else before.once('close', handle);
  });
};
