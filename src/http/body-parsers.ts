import { isUtf8 } from 'node:buffer';
import type { FastifyBodyParser, FastifyInstance, FastifyRequest } from 'fastify';
import { createCrowdSlices } from '../event-loop/loop-slices.ts';
import { ServiceError } from '../lib/errors.ts';
import { createMessageMeter, MessageTooLarge } from '../message-meter.ts';

/** Bodies that are parsed at once in one turn of the event loop, as long as they are quick: one of 2 MiB and what is done with it take up to 50 ms. */
const BODIES_A_TURN = 4;

const inSlices = createCrowdSlices(BODIES_A_TURN);

/** Where a body contains a string that no store, terminal or program takes as it is, half a surrogate pair or NUL; null for nowhere. */
const unstorableAt = (body: unknown): string | null => {
  const left: [path: string, value: unknown][] = [['', body]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [path, value] = next;
    if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) return path;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) left.push([path, key], [`${path}/${key}`, inner]);
  }
  return null;
};

/** The fault in the shape of the framework's schema errors. */
const unstorable = (instancePath: string): Error =>
  Object.assign(new Error('the body contains a text that cannot be stored'), {
    statusCode: 400,
    validation: [{ instancePath, message: 'must hold neither NUL nor half a surrogate pair', params: {} }],
    validationContext: 'body',
  });

/** The refusal of a compressed body; null for any other. */
export const encodingFault = ({ headers }: Pick<FastifyRequest, 'headers'>): ServiceError | null =>
  (headers['content-encoding'] ?? 'identity') === 'identity'
    ? null
    : new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding');

const tooManyValues = (body: Uint8Array): ServiceError | null => {
  try {
    createMessageMeter('body')(body);
    return null;
  } catch (error) {
    if (!(error instanceof MessageTooLarge)) throw error;
    return new ServiceError('INPUT_TOO_LARGE', `The body is too large: ${error.message}`);
  }
};

/**
 * Takes JSON bodies only: any other type, and a compressed body, is 415, so that no form of a foreign page is ever read. `__proto__` and
 * `constructor` keys, bytes that are not UTF-8, lone surrogates and NUL are refused; no body at all is left to the route's schema.
 * `hasManyValues`: bodies may be so long that their bytes alone do not bound how long they take to parse.
 */
export const parseJsonOnly = (app: FastifyInstance, { hasManyValues = false } = {}): void => {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  const read: FastifyBodyParser<Buffer> = (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    const encoding = encodingFault(request);
    if (encoding !== null) return done(encoding);
    if (!isUtf8(body)) return done(new ServiceError('INVALID_REQUEST', 'The body is not UTF-8'));
    const fault = hasManyValues ? tooManyValues(body) : null;
    if (fault !== null) return done(fault);
    const text = body.toString();
    return parse(request, text, (error, value) => {
      // Only an escape can bring such a string in: the bytes are UTF-8.
      const path = error === null && text.includes('\\u') ? unstorableAt(value) : null;
      return path === null ? done(error, value) : done(unstorable(path));
    });
  };
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) =>
    inSlices(() => read(request, body, done), request.owner),
  );
};
