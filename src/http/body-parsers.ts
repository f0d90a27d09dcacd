import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../lib/errors.ts';

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

const [BACKSLASH, QUOTE, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [92, 34, 91, 93, 123, 125];

/** Deepest nesting of a body, in levels: V8 writes no JSON of some thousands, and no client means so many. */
const DEPTH_MAX = 1_000;

/** True where brackets nest too deeply, those inside of strings apart. */
const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let isString = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i);
    if (isString) {
      if (char === BACKSLASH) i += 1;
      else if (char === QUOTE) isString = false;
    } else if (char === QUOTE) isString = true;
    else if (char === OPEN_BRACKET || char === OPEN_BRACE) {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (char === CLOSE_BRACKET || char === CLOSE_BRACE) depth -= 1;
  }
  return false;
};

/**
 * Takes JSON bodies only: any other type, and a compressed body, is 415, so that no form of a foreign page is ever read. `__proto__` and
 * `constructor` keys, bytes that are not UTF-8, lone surrogates and NUL are refused; no body at all is left to the route's schema.
 */
export const parseJsonOnly = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    const encoding = encodingFault(request);
    if (encoding !== null) return done(encoding);
    if (!isUtf8(body)) return done(new ServiceError('INVALID_REQUEST', 'The body is not UTF-8'));
    const text = body.toString();
    if (isTooDeep(text)) return done(new ServiceError('INPUT_TOO_LARGE', `The body has more than ${DEPTH_MAX} levels`));
    return parse(request, text, (error, value) => {
      // Only an escape can bring such a string in: the bytes are UTF-8.
      const path = error === null && text.includes('\\u') ? unstorableAt(value) : null;
      return path === null ? done(error, value) : done(unstorable(path));
    });
  });
};
