import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { buildConnector, Dispatcher } from 'undici';
import { madeOnce } from '../lib/once.ts';

/** Longest guarded fetch, redirects included, in milliseconds. */
const FETCH_TIMEOUT_MS = 30_000;

/** Global unicast space: what lies outside is unassigned, or embeds an IPv4 address (`::127.0.0.1`). */
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** The guard refused an address. The message never says what a name resolved to. */
export class FetchRefused extends Error {
  override name = 'FetchRefused';
}

/** Whether an IP address is on the public internet: not loopback, private, link-local, metadata, multicast or reserved. */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(IPV6_GLOBAL_UNICAST);
};

/** The IP address that a URL's host is, without brackets; null for a name. */
export const literalOf = ({ hostname }: URL): string | null => {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) === 0 ? null : literal;
};

/** Does what global `fetch` does, within the guard's bounds, and gives the answer without its body. Throws `FetchRefused`. */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface GuardedFetchOptions {
  /** Hosts that the operator configured and trusts: exempt from the address rule. Default none. */
  isTrusted?: (host: { hostname: string; port: string }) => boolean;
  /** The addresses that may be reached, whatever name resolves to them. Default the public ones. */
  mayReach?: (address: string) => boolean;
  /** Resolves names; default the system's resolver. */
  lookup?: LookupFunction;
}

/** OpenSSL's words for an answer that is none of TLS, such as a plain HTTP server gives. */
const NO_TLS = ['wrong version number', 'packet length too long', 'http request'];

/** An error of TLS itself in plain words, where OpenSSL's own line names its source files; null for any other error. */
export const tlsFault = (error: unknown): string | null => {
  if (!(error instanceof Error) || !('library' in error)) return null;
  const reason = String((error as { reason?: unknown }).reason);
  return NO_TLS.includes(reason)
    ? 'it does not speak TLS; a URL of a plain HTTP server begins with http://'
    : `the TLS handshake failed (${reason})`;
};

const refused = (host: string): FetchRefused =>
  new FetchRefused(`Refused to fetch from ${host}: it is not an address on the public internet.`);

/** Checks addresses as connections are opened, so that neither a redirect nor a second answer of a name server gets around it. */
const openAgent = async (options: GuardedFetchOptions): Promise<Dispatcher> => {
  const { isTrusted = () => false, mayReach = isPublicAddress, lookup = systemLookup } = options;
  // Loaded with the first fetch.
  const { Agent, buildConnector } = await import('undici');
  const checkedLookup: LookupFunction = (hostname, given, callback) =>
    lookup(hostname, { ...given, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : [];
      const [first] = addresses;
      if (error !== null || first === undefined) return callback(error ?? refused(hostname), []);
      if (!addresses.every(({ address }) => mayReach(address))) return callback(refused(hostname), []);
      if (given.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  const trusted = buildConnector({ lookup });
  const checked = buildConnector({ lookup: checkedLookup });
  const connect: buildConnector.connector = (host, callback) => {
    if (isTrusted(host)) return trusted(host, callback);
    // An address is not looked up.
    if (isIP(host.hostname) !== 0 && !mayReach(host.hostname)) return callback(refused(host.hostname), null);
    checked(host, callback);
  };
  return new Agent({ connect });
};

/**
 * Creates a fetch for URLs that a caller chose. It reaches public addresses only, whatever a name resolves to and wherever it redirects,
 * and ends after `FETCH_TIMEOUT_MS`.
 */
export const createGuardedFetch = (options: GuardedFetchOptions): GuardedFetch => {
  const opened = madeOnce(() => openAgent(options));
  return async (url, init = {}) => {
    if (!/^https?:/i.test(String(url)))
      throw new FetchRefused(`Refused to fetch ${url}: only http and https are allowed.`);
    const dispatcher = await opened();
    const { fetch } = await import('undici');
    const signal = AbortSignal.any([...(init.signal ? [init.signal] : []), AbortSignal.timeout(FETCH_TIMEOUT_MS)]);
    try {
      const { body, status, headers } = await fetch(url, { ...(init as object), signal, dispatcher });
      await body?.cancel();
      return new Response(null, { status, headers: [...headers] });
    } catch (error) {
      signal.throwIfAborted();
      const cause = error instanceof Error ? error.cause : undefined;
      if (cause instanceof FetchRefused) throw cause;
      const fault = tlsFault(cause);
      // Without its cause, whose line is OpenSSL's own.
      if (fault !== null) throw new Error(`${new URL(url).host} can not be reached by https: ${fault}`);
      throw error;
    }
  };
};
