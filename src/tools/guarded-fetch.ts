import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { madeOnce } from '../lib/once.ts';
import { loadHttpClient } from '../paced-fetch.ts';
import { AddressNotPublic, type AddressRule, checkedLookup, isPublicAddress, literalOf } from './public-address.ts';
import { tlsFault } from './tls-fault.ts';

/** Largest body read from a guarded fetch, in bytes: far above any page of text, far below what fills the memory. */
export const FETCH_BYTES_MAX = 5 * 1024 * 1024;

/** Longest guarded fetch from its start to its last byte, redirects included, in milliseconds. */
export const FETCH_TIMEOUT_MS = 30_000;

/** Redirects followed before a fetch is refused: real sites need two or three. */
export const FETCH_REDIRECTS_MAX = 5;

/** Headers that must not travel to another origin, as in the Fetch standard. */
const CREDENTIAL_HEADERS = ['authorization', 'proxy-authorization', 'cookie'];

/** Why the guard refused: the URL's own form or host, a redirect that may not be followed, or an answer out of bounds. */
export type Refusal = 'url' | 'other_host' | 'too_many_redirects' | 'redirect' | 'answer';

/** The guard refused a URL, or an answer broke its bounds. The message never says what a name resolved to. */
export class FetchRefused extends Error {
  override name = 'FetchRefused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

/** Does what global `fetch` does for http and https, within the guard's bounds. Throws `FetchRefused`. */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface GuardedFetchOptions {
  /** URLs that the operator configured and trusts: exempt from the address rule, at a redirect too. Default none. */
  allow?: (url: URL) => boolean;
  /** The addresses that may be reached, whatever name resolves to them. Default the public ones. */
  mayReach?: AddressRule;
  /** The only URLs that may be fetched, at a redirect too; the address rule holds for them all the same. Default all. */
  only?: (url: URL) => boolean;
  /** Resolves names; default the system's resolver. */
  lookup?: LookupFunction;
  /** Default `FETCH_BYTES_MAX`; 0: answers are given without their bodies, of which nothing is read, whatever their encoding. */
  bytesMax?: number;
  /** Default `FETCH_TIMEOUT_MS`. */
  timeoutMs?: number;
  /** Default `FETCH_REDIRECTS_MAX`. */
  redirectsMax?: number;
}

interface Hop {
  url: URL;
  method: string;
  headers: Headers;
  body: Buffer | null;
}

const notPublic = (url: URL): FetchRefused =>
  new FetchRefused('url', `Refused to fetch from ${url.host}: it is not an address on the public internet.`);

/** Ends a byte stream with an error once more than `bytesMax` bytes have passed through it. */
export const byteLimit = (bytesMax: number): TransformStream<Uint8Array, Uint8Array> => {
  let bytes = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax)
        controller.error(new FetchRefused('answer', `The answer is longer than ${bytesMax} bytes.`));
      else controller.enqueue(chunk);
    },
  });
};

/** Opens a fresh connection for each request, for a pooled one may have been opened when its name resolved otherwise. */
const openAgent = async (lookup: LookupFunction, timeoutMs: number): Promise<Dispatcher> => {
  // Loaded with the first fetch: it takes longer than all the rest of a start.
  await loadHttpClient();
  const { Agent } = await import('undici');
  const { createPacedConnector } = await import('../paced-connector.ts');
  const connect = createPacedConnector({ lookup, timeout: timeoutMs });
  // The signal of a fetch bounds it as a whole, so the client's own time limits are off.
  return new Agent({ connect, pipelining: 0, headersTimeout: 0, bodyTimeout: 0, allowH2: false });
};

const discard = (body: Readable): void => {
  body.on('error', () => {}).destroy();
};

const toResponse = (answer: Dispatcher.ResponseData, method: string, bytesMax: number): Response => {
  const { statusCode: status, body } = answer;
  const encoding = (bytesMax > 0 && answer.headers['content-encoding']) || 'identity';
  if (status < 200 || status > 599 || encoding !== 'identity') {
    discard(body);
    throw new FetchRefused('answer', `The answer can't be read: status ${status}, content-encoding ${encoding}.`);
  }
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headers))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  if (bytesMax === 0 || method === 'HEAD' || [204, 205, 304].includes(status)) {
    discard(body);
    return new Response(null, { status, headers });
  }
  // Not by `Readable.toWeb`: what arrives after its reader cancelled is an uncaught exception.
  const bytes = ReadableStream.from(body as AsyncIterable<Uint8Array>);
  return new Response(bytes.pipeThrough(byteLimit(bytesMax)), { status, headers });
};

/** Where a redirect leads, or null for an answer that is none. */
const redirectTarget = ({ statusCode, headers }: Dispatcher.ResponseData, from: URL): URL | null => {
  const location = [headers['location'] ?? []].flat()[0];
  if (location === undefined || ![301, 302, 303, 307, 308].includes(statusCode)) return null;
  const target = URL.parse(location, from.href);
  if (target === null) throw new FetchRefused('redirect', `${from.host} redirects to something that is no URL.`);
  return target;
};

/** The next request after a redirect, by the rules of the Fetch standard for methods, bodies and credentials. */
const follow = (hop: Hop, url: URL, status: number): Hop => {
  const headers = new Headers(hop.headers);
  if (url.origin !== hop.url.origin) for (const name of CREDENTIAL_HEADERS) headers.delete(name);
  const keepsBody = status >= 307 || !(status === 303 ? hop.method !== 'HEAD' : hop.method === 'POST');
  if (keepsBody) return { ...hop, url, headers };
  for (const name of ['content-type', 'content-length']) headers.delete(name);
  return { url, method: 'GET', headers, body: null };
};

/**
 * Makes a fetch for URLs that a model, a caller or the web chose. It reaches public addresses only, whatever the name
 * resolves to and wherever it redirects, speaks http and https only, and is bounded in size and time.
 */
export const createGuardedFetch = (options: GuardedFetchOptions = {}): GuardedFetch => {
  const { allow = () => false, only = () => true, lookup = systemLookup, mayReach = isPublicAddress } = options;
  const { bytesMax = FETCH_BYTES_MAX, timeoutMs = FETCH_TIMEOUT_MS, redirectsMax = FETCH_REDIRECTS_MAX } = options;
  const guarded = madeOnce(() => openAgent(checkedLookup(lookup, mayReach), timeoutMs));
  const trusting = madeOnce(() => openAgent(lookup, timeoutMs));

  const agentFor = (url: URL): Promise<Dispatcher> => {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new FetchRefused('url', `Refused to fetch ${url.protocol} URLs: only http and https are allowed.`);
    if (url.username !== '' || url.password !== '')
      throw new FetchRefused('url', `Refused to fetch from ${url.host}: the URL contains credentials.`);
    if (!only(url)) throw new FetchRefused('other_host', `Refused to fetch from ${url.host}: it is another host.`);
    if (allow(url)) return trusting();
    const literal = literalOf(url);
    // It is never looked up when a connection is opened.
    if (literal !== null && !mayReach(literal)) throw notPublic(url);
    return guarded();
  };

  const send = async ({ url, method, headers, body }: Hop, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
    const agent = await agentFor(url);
    try {
      return await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: method as Dispatcher.HttpMethod,
        headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity' },
        body,
        signal,
      });
    } catch (error) {
      if (error instanceof AddressNotPublic) throw notPublic(url);
      const fault = tlsFault(error);
      // Without its cause, whose line is OpenSSL's own.
      if (fault !== null) throw new Error(`${url.host} can not be reached by https: ${fault}`);
      if ((error as NodeJS.ErrnoException).code !== 'UND_ERR_SOCKET') throw error;
      throw new Error(`${url.host} closed the connection without an answer`, { cause: error });
    }
  };

  return async (input, init) => {
    const request = new Request(input, init);
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
    let hop: Hop = { url: new URL(request.url), method: request.method, headers: request.headers, body };
    for (let redirects = 0; ; redirects += 1) {
      const answer = await send(hop, signal);
      const target = request.redirect === 'manual' ? null : redirectTarget(answer, hop.url);
      if (target === null) return toResponse(answer, hop.method, bytesMax);
      discard(answer.body);
      if (request.redirect === 'error')
        throw new FetchRefused('redirect', `${hop.url.host} redirects, which is not followed here.`);
      if (redirects === redirectsMax)
        throw new FetchRefused('too_many_redirects', `${hop.url.host} redirects more than ${redirectsMax} times.`);
      hop = follow(hop, target, answer.statusCode);
    }
  };
};
