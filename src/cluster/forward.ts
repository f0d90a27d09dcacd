import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Agent } from 'undici';
import { ServiceError } from '../lib/errors.ts';
import type { MetricsSource } from '../telemetry/port.ts';
import type { Homes } from './port.ts';

/** Counts how often a request was forwarded: a stopping node forwards it a second time, and never more often. */
const HOP = 'x-tripact-hop';
const HOPS_MAX = 2;

/** Hop-by-hop headers, which are not part of the message. */
const OF_CONNECTION = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect)$/i;

const ofMessage = (headers: Record<string, string | string[] | undefined>): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_CONNECTION.test(name) ? [] : [[name, value]],
    ),
  );

const movedAway = (cause?: unknown): ServiceError =>
  new ServiceError('STORAGE_UNAVAILABLE', 'Another node serves you and cannot be reached now; try again', {
    cause,
    retryAfterSeconds: 1,
  });

/**
 * Serves requests at their owner's home (`ownerOf` null: any node). Forwards those of other homes unchanged; they are
 * authenticated again there, and never sent twice; else 503.
 */
export const serveAtHome = (
  app: FastifyInstance,
  homes: Homes,
  ownerOf: (request: FastifyRequest) => Promise<string | null>,
  { happened }: Pick<MetricsSource, 'happened'>,
): void => {
  // Undici alone: @fastify/reply-from repeats a GET after a 503, reads the path as a URL, and takes no signal, so it cannot
  // end a request that waits for its reply when the caller disconnects or the home dies.
  // A reply may take as long as a turn, and an event stream as long as its reader likes.
  const nodes = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  app.addHook('onClose', () => nodes.destroy());
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const owner = await ownerOf(request);
    if (owner === null) return;
    const home = await homes.find(owner);
    if (home.kind === 'here') return;
    const { raw } = request;
    const hops = Number(raw.headers[HOP] ?? 0) + 1;
    if (!(hops >= 1 && hops <= HOPS_MAX)) throw movedAway();
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    const hasBody = raw.method !== 'GET' && raw.method !== 'HEAD';
    // Origin and path stay separate: joined into one URL, a path could name another host, or become another path.
    const answer = await nodes
      .request({
        origin: new URL(home.url).origin,
        path: raw.url ?? '/',
        method: raw.method as 'POST',
        headers: { ...ofMessage(raw.headers), [HOP]: String(hops) },
        body: hasBody ? raw : null,
        signal: AbortSignal.any([disconnected.signal, home.gone]),
      })
      .catch((error: unknown) => {
        happened({ type: 'forwarded', outcome: 'unreachable' });
        throw movedAway(error);
      });
    reply.hijack();
    reply.raw.writeHead(answer.statusCode, ofMessage(answer.headers));
    await pipeline(answer.body, reply.raw).then(
      () => happened({ type: 'forwarded', outcome: 'answered' }),
      () => {
        happened({ type: 'forwarded', outcome: 'cut_off' });
        reply.raw.destroy();
      },
    );
  });
};
