import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import type { ServiceLimits } from '../../contracts/service-limits.ts';
import { createTakenBytes, type TakenBytes } from './taken-bytes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True where the handler reads the body as it comes in, and keeps none of it. */
    isStreamed?: boolean;
  }
}

/** The bytes of bodies, by owner. */
export interface ReceivedBytes {
  /** Bounds the bodies of all routes of `app`, together with those of the other applications that it is added to. To be added after authentication. */
  limit(app: FastifyInstance): void;
  /** Those that are still coming in. */
  receiving: TakenBytes;
  /** Those of requests that are being answered. */
  answering: TakenBytes;
}

/** A body of no declared length, which takes its bytes as they come. Leaves the connection open for the reply. */
const counted = (body: Readable, take: (bytes: number) => void): Readable => {
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      take(chunk.length);
      yield chunk;
    }
  }
  // A body that was refused already fails without anybody who listens.
  return Readable.from(chunks()).on('error', () => {});
};

/**
 * Makes what refuses bodies beyond the limits with `TOO_MANY_REQUESTS`, before they are read. A body takes its declared length, or without one what has come of it: while it
 * comes in, and then until its reply ends, for who answers may hold on to it.
 */
export const limitReceivedBytes = (limits: ServiceLimits): ReceivedBytes => {
  const receiving = createTakenBytes(limits.receiving_bytes, limits.receiving_bytes_in_all, 'come in');
  const answering = createTakenBytes(limits.answering_bytes, limits.answering_bytes_in_all, 'are answered');
  const answer = new WeakMap<FastifyRequest, () => void>();

  /** What takes bytes for one request. */
  const takerFor = (request: FastifyRequest, { raw }: FastifyReply): ((bytes: number) => void) => {
    const { owner } = request;
    let own = 0;
    let from = receiving;
    let isOver = raw.destroyed;
    raw.once('close', () => {
      isOver = true;
      from.giveBack(owner, own);
      own = 0;
    });
    answer.set(request, () => {
      const bytes = own;
      own = 0;
      from.giveBack(owner, bytes);
      if (isOver) return;
      answering.take(owner, bytes);
      from = answering;
      own = bytes;
    });
    return (bytes) => {
      if (isOver) return;
      receiving.take(owner, bytes);
      own += bytes;
    };
  };

  const onBody: preParsingHookHandler = (request, reply, payload, done) => {
    const { headers, routeOptions } = request;
    const declared = headers['content-length'];
    const isChunked = headers['transfer-encoding'] !== undefined;
    // A body that is too long is refused unread.
    const hasBody = isChunked || Number(declared ?? 0) > 0;
    if (!hasBody || routeOptions.config.isStreamed === true || Number(declared) > (routeOptions.bodyLimit ?? 0))
      return done(null, payload);
    const take = takerFor(request, reply);
    if (isChunked) return done(null, counted(payload as Readable, take));
    take(Number(declared));
    done(null, payload);
  };
  return {
    limit: (app) => {
      app.addHook('preParsing', onBody);
      app.addHook('preValidation', (request, _reply, done) => {
        answer.get(request)?.();
        done();
      });
    },
    receiving,
    answering,
  };
};
