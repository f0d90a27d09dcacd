import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../lib/errors.ts';
import { consoleNotice } from '../console-notice.ts';

/** Where the built console is, or why there is none yet. */
export type ConsoleBuild =
  | { state: 'ready'; folder: string }
  | { state: 'building' }
  /** It can not be built; `reason` says why. */
  | { state: 'failed'; reason: string };

/** Says where the console is; the first call may begin to build it. Never waits. */
export type FindConsole = () => ConsoleBuild;

/** What the page may load: its own files and the API of its own origin, nothing inline. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** How long a browser keeps a built file, in seconds: its name changes with its content. */
const ASSET_SECONDS = 365 * 24 * 60 * 60;

/** Seconds after which a page that waits for the build asks again. */
const BUILDING_SECONDS = 1;

/** The built files by their plain names, which lie in one folder. */
const ASSET = /^\/console\/assets\/([A-Za-z0-9][\w.-]{0,99})$/;

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR');

const sendAsset = async (reply: FastifyReply, folder: string, name: string): Promise<FastifyReply> => {
  const type = types[extname(name)];
  if (type === undefined) throw new ServiceError('NOT_FOUND', 'There is nothing at this address');
  try {
    const content = await readFile(join(folder, 'assets', name));
    return reply.type(type).header('cache-control', `public, max-age=${ASSET_SECONDS}, immutable`).send(content);
  } catch (error) {
    if (isMissing(error)) throw new ServiceError('NOT_FOUND', 'There is nothing at this address');
    throw error;
  }
};

/**
 * `/console` and all below it: the console's page at every address, so that each of its screens has a link, and its files below
 * `/console/assets/`. Open to all, for it has no data: what it shows it asks the API for, with the key that its user gives it.
 */
export const addConsole = (app: FastifyInstance, find: FindConsole): void => {
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [path = ''] = request.url.split('?');
    const [, asset] = ASSET.exec(path) ?? [];
    const found = find();
    reply.header('content-security-policy', POLICY);
    if (asset !== undefined && found.state === 'ready') return sendAsset(reply, found.folder, asset);
    if (path.startsWith('/console/assets/')) throw new ServiceError('NOT_FOUND', 'There is nothing at this address');
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache');
    switch (found.state) {
      case 'ready':
        return reply.send(await readFile(join(found.folder, 'index.html')));
      case 'building':
        return reply.code(503).header('retry-after', BUILDING_SECONDS).send(consoleNotice(null, BUILDING_SECONDS));
      case 'failed':
        return reply.code(503).send(consoleNotice(found.reason, null));
      default:
        return found satisfies never;
    }
  };
  for (const url of ['/console', '/console/*'])
    app.get(url, { schema: { hide: true, querystring: z.looseObject({}) } }, serve);
};
