import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { ServiceError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True where the handler reads the body as it comes in, and keeps none of it. */
    isStreamed?: boolean;
  }
}

/** The bytes of bodies that are still coming in, by owner. */
export interface ReceivedBytes {
  /** Bounds the bodies of all routes of `app`, together with those of the other applications that it is added to. To be added after authentication. */
  limit(app: FastifyInstance): void;
  /** Bytes that the owner's bodies take. */
  used(owner: string): number;
  /** Bytes that the bodies of all owners take. */
  usedInAll(): number;
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
 * Makes what refuses bodies of an owner beyond `bytesMax`, or of all beyond `inAllMax`, with `TOO_MANY_REQUESTS`, before they are read. A body takes its declared length, or without one
 * what has come of it, until it has been parsed or its request is closed.
 */
export const limitReceivedBytes = (bytesMax: number, inAllMax: number): ReceivedBytes => {
  const taken = new Map<string, number>();
  let total = 0;
  const giveBack = new WeakMap<FastifyRequest, () => void>();
  const used = (owner: string): number => taken.get(owner) ?? 0;

  /** What takes bytes for one request. */
  const takerFor = (request: FastifyRequest, { raw }: FastifyReply): ((bytes: number) => void) => {
    const { owner } = request;
    let own = 0;
    let isOver = raw.destroyed;
    const end = (): void => {
      isOver = true;
      // Owners come and go: one with nothing taken is not remembered.
      if (used(owner) === own) taken.delete(owner);
      else taken.set(owner, used(owner) - own);
      total -= own;
      own = 0;
    };
    giveBack.set(request, end);
    raw.once('close', end);
    return (bytes) => {
      if (isOver) return;
      if (used(owner) + bytes > bytesMax)
        throw new ServiceError(
          'TOO_MANY_REQUESTS',
          `At most ${bytesMax} bytes of your bodies come in at once; send this again when others are through`,
        );
      if (total + bytes > inAllMax)
        throw new ServiceError(
          'TOO_MANY_REQUESTS',
          `At most ${inAllMax} bytes of all bodies come in at once; send this again when others are through`,
        );
      own += bytes;
      total += bytes;
      taken.set(owner, used(owner) + bytes);
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
        giveBack.get(request)?.();
        done();
      });
    },
    used,
    usedInAll: () => total,
  };
};
