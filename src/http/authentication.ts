import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../config/settings.ts';
import { ServiceError } from '../errors.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const shownKey = ({ headers }: FastifyRequest): string | null => {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const header = headers['x-api-key'];
  return bearer ?? (typeof header === 'string' ? header : null);
};

/** Finds a key's owner. Compares all keys, by their hashes, so that its duration reveals nothing about any. */
const ownerFinder = (apiKeys: readonly ApiKey[]): ((key: string) => string | null) => {
  const known = apiKeys.map(({ owner, key }) => ({ owner, hash: digest(key) }));
  return (key) => {
    const hash = digest(key);
    return known.reduce<string | null>(
      (found, entry) => (timingSafeEqual(entry.hash, hash) ? entry.owner : found),
      null,
    );
  };
};

/** Requires a valid key on the routes of `app`, and sets the owner of each request. */
export const authenticate = (app: FastifyInstance, apiKeys: readonly ApiKey[]): void => {
  const ownerOf = ownerFinder(apiKeys);
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const key = shownKey(request);
    const owner = key === null ? null : ownerOf(key);
    if (owner === null) {
      reply.header('www-authenticate', 'Bearer realm="tripact"');
      throw new ServiceError('UNAUTHORIZED', 'Send a valid key as "Authorization: Bearer <key>"');
    }
    request.owner = owner;
  });
};
