import { lookup as systemLookup } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import type { buildConnector, Dispatcher } from 'undici';
import { tlsFault } from '../lib/errors.ts';
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
const literalOf = ({ hostname }: URL): string | null => {
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

/** Creates a fetch for URLs that a caller chose: it reaches public addresses only, whatever a name resolves to and wherever it redirects. */
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

/** Longest wait for a name server when a callback is asked for, in milliseconds: a name not known by then is checked when it is called. */
const RESOLVE_MS = 1_500;

/** Hosts that callbacks may reach though they are private. */
export interface CallbackHosts {
  /** In lower case. */
  names: string[];
  networks: [ipaddr.IPv4 | ipaddr.IPv6, number][];
}

/** Decides which addresses callbacks may reach. */
export interface CallbackGuard {
  /** Posts a callback, and gives the answer without its body. It reaches no name that resolves to a private address by then. */
  fetch: GuardedFetch;
  /** Why a callback can't be posted to this URL, which is called `name`; null: nothing speaks against it so far. */
  problem(url: string, name?: string): Promise<string | null>;
}

const systemAddresses = async (name: string): Promise<string[]> => {
  const found = lookup(name, { all: true }).catch(() => []);
  const addresses = await Promise.race([found, wait(RESOLVE_MS, [], { ref: false })]);
  return addresses.map(({ address }) => address);
};

/** Creates the guard of callbacks (SPEC 13). `resolve` gives the addresses of a name, as far as they are known soon. */
export const createCallbackGuard = (hosts: CallbackHosts, resolve = systemAddresses): CallbackGuard => {
  const mayReach = (address: string): boolean => {
    if (isPublicAddress(address)) return true;
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return hosts.networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match([network, bits]));
  };
  const isTrusted = ({ hostname }: { hostname: string }): boolean => hosts.names.includes(hostname.toLowerCase());
  const mayBeReached = async (url: URL): Promise<boolean> => {
    const literal = literalOf(url);
    if (literal !== null) return mayReach(literal);
    // Names that are this machine by definition (RFC 6761).
    if (/(^|\.)localhost\.?$/.test(url.hostname)) return false;
    return (await resolve(url.hostname)).every(mayReach);
  };
  return {
    fetch: createGuardedFetch({ isTrusted, mayReach }),
    problem: async (text, name = 'callback_url') => {
      const url = new URL(text);
      if (url.username !== '' || url.password !== '') return `${name} must have no credentials`;
      if (isTrusted(url) || (await mayBeReached(url))) return null;
      const host = literalOf(url) ?? url.hostname;
      return `${name}: ${host} is not an address on the public internet, and TRIPACT_CALLBACK_HOSTS does not name it (as TRIPACT_CALLBACK_HOSTS=${host} does)`;
    },
  };
};
