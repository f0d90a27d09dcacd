import { lookup as systemLookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import ipaddr from 'ipaddr.js';

/** Largest body read from a guarded fetch, in bytes: far above any page of text, far below what fills the memory. */
export const FETCH_BYTES_MAX = 5 * 1024 * 1024;

/** Longest guarded fetch from its start to its last byte, redirects included, in milliseconds. */
export const FETCH_TIMEOUT_MS = 30_000;

/** Redirects followed before a fetch is refused: real sites need two or three. */
export const FETCH_REDIRECTS_MAX = 5;

/** Global unicast space: what lies outside is unassigned, or embeds an IPv4 address (`::127.0.0.1`). */
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Headers that must not travel to another origin, as in the Fetch standard. */
const CREDENTIAL_HEADERS = ['authorization', 'proxy-authorization', 'cookie'];

/** The guard turned a URL down, or an answer broke its bounds. The message never tells what a name resolved to. */
export class FetchRefused extends Error {
  override name = 'FetchRefused';
}

/** Does what global `fetch` does for http and https, within the guard's bounds. Throws `FetchRefused`. */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface GuardedFetchOptions {
  /** URLs that the operator configured and trusts: exempt from the address rule, at a redirect too. Default none. */
  allow?: (url: URL) => boolean;
  /** Resolves names; default the system's resolver. */
  lookup?: LookupFunction;
  /** Default `FETCH_BYTES_MAX`. */
  bytesMax?: number;
  /** Default `FETCH_TIMEOUT_MS`. */
  timeoutMs?: number;
}

interface Hop {
  url: URL;
  method: string;
  headers: Headers;
  body: Buffer | null;
}

/** Whether an IP address is on the public internet: not loopback, private, link-local, metadata, multicast or reserved. */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(IPV6_GLOBAL_UNICAST);
};

const refusal = (url: URL): FetchRefused =>
  new FetchRefused(`Refused to fetch from ${url.host}: it is not an address on the public internet.`);

/** Resolves for the connection itself, so that no second answer of a rebinding name can differ from the one checked. */
const publicLookup =
  (lookup: LookupFunction, url: URL): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found, family) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [{ address: found, family: family ?? isIP(found) }];
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(refusal(url), []);
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });

/** Ends a byte stream with an error once more than `bytesMax` bytes have passed through it. */
export const byteLimit = (bytesMax: number): TransformStream<Uint8Array, Uint8Array> => {
  let bytes = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) controller.error(new FetchRefused(`The answer is longer than ${bytesMax} bytes.`));
      else controller.enqueue(chunk);
    },
  });
};

const send = (hop: Hop, lookup: LookupFunction, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    // Not by import: the module's ESM face pulls in the whole of fetch, which a start should not wait for.
    const client = process.getBuiltinModule(hop.url.protocol === 'https:' ? 'node:https' : 'node:http');
    const headers = { ...Object.fromEntries(hop.headers), 'accept-encoding': 'identity' };
    // A fresh connection for every hop: a pooled one could have been opened for another, trusted URL.
    const outgoing = client.request(hop.url, { method: hop.method, headers, lookup, agent: false, signal });
    outgoing.on('response', resolve);
    outgoing.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    outgoing.on('close', () => reject(new Error(`${hop.url.host} closed the connection without an answer`)));
    outgoing.end(hop.body ?? undefined);
  });

const toResponse = (incoming: IncomingMessage, method: string, bytesMax: number): Response => {
  const status = incoming.statusCode ?? 0;
  const encoding = incoming.headers['content-encoding'] ?? 'identity';
  if (status < 200 || status > 599 || encoding !== 'identity') {
    incoming.destroy();
    throw new FetchRefused(`The answer can't be read: status ${status}, content-encoding ${encoding}.`);
  }
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  if (method === 'HEAD' || [204, 205, 304].includes(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
  return new Response(body.pipeThrough(byteLimit(bytesMax)), { status, headers });
};

/** Where a redirect leads, or null for an answer that is none. */
const redirectTarget = (incoming: IncomingMessage, from: URL): URL | null => {
  const { location } = incoming.headers;
  if (location === undefined || ![301, 302, 303, 307, 308].includes(incoming.statusCode ?? 0)) return null;
  if (!URL.canParse(location, from.href)) throw new FetchRefused(`${from.host} redirects to something that is no URL.`);
  return new URL(location, from.href);
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
  const { allow = () => false, lookup = systemLookup } = options;
  const { bytesMax = FETCH_BYTES_MAX, timeoutMs = FETCH_TIMEOUT_MS } = options;

  const lookupFor = (url: URL): LookupFunction => {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new FetchRefused(`Refused to fetch ${url.protocol} URLs: only http and https are allowed.`);
    if (url.username !== '' || url.password !== '')
      throw new FetchRefused(`Refused to fetch from ${url.host}: the URL holds credentials.`);
    if (allow(url)) return lookup;
    // A literal address is never looked up when connecting, so it is judged here.
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw refusal(url);
    return publicLookup(lookup, url);
  };

  return async (input, init) => {
    const request = new Request(input, init);
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
    let hop: Hop = { url: new URL(request.url), method: request.method, headers: request.headers, body };
    for (let redirects = 0; ; redirects += 1) {
      const incoming = await send(hop, lookupFor(hop.url), signal);
      const target = request.redirect === 'manual' ? null : redirectTarget(incoming, hop.url);
      if (target === null) return toResponse(incoming, hop.method, bytesMax);
      incoming.destroy();
      if (request.redirect === 'error')
        throw new FetchRefused(`${hop.url.host} redirects, which is not followed here.`);
      if (redirects === FETCH_REDIRECTS_MAX)
        throw new FetchRefused(`${hop.url.host} redirects more than ${FETCH_REDIRECTS_MAX} times.`);
      hop = follow(hop, target, incoming.statusCode ?? 0);
    }
  };
};
