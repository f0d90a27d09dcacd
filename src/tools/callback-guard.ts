import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
import { isPublicAddress, literalOf } from './public-address.ts';
import { createResolveName, lookupWith, type ResolveName } from './resolve-name.ts';

/** Longest wait for a name server when a callback is asked for, in milliseconds: a name that is not known by then is checked when it is called. */
const RESOLVE_MS = 1_500;

/** The same when it is posted, which is tried again. */
const CONNECT_RESOLVE_MS = 5_000;

/** Hosts that callbacks may reach though they are private. */
export interface CallbackHosts {
  /** In lower case. */
  names: string[];
  networks: [ipaddr.IPv4 | ipaddr.IPv6, number][];
}

/** Which addresses callbacks may reach. */
export interface CallbackGuard {
  /** Posts a callback, and gives the answer without its body: a name that resolves to a private address by then is refused all the same. */
  fetch: GuardedFetch;
  /** Why a callback can not be posted to this URL, which is called `name`, as far as that is known when it is asked for; null: nothing speaks against it. */
  problem(url: string, name?: string): Promise<string | null>;
}

export interface CallbackGuardParts {
  hosts: CallbackHosts;
  resolve?: ResolveName;
}

/** Names that are this machine by definition (RFC 6761). */
const isLocalName = (name: string): boolean => /(^|\.)localhost\.?$/.test(name);

/** Makes the guard of callbacks (SPEC 13). */
export const createCallbackGuard = ({ hosts, resolve = createResolveName() }: CallbackGuardParts): CallbackGuard => {
  const mayReach = (address: string): boolean => {
    if (isPublicAddress(address)) return true;
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return hosts.networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match([network, bits]));
  };
  const isNamed = (hostname: string): boolean => hosts.names.includes(hostname.toLowerCase());
  const lookupOthers = lookupWith(resolve, CONNECT_RESOLVE_MS);
  const lookupAny: LookupFunction = (hostname, ...rest) =>
    isNamed(hostname) ? lookup(hostname, ...rest) : lookupOthers(hostname, ...rest);

  const mayBeReached = async (url: URL): Promise<boolean> => {
    const literal = literalOf(url);
    if (literal !== null) return mayReach(literal);
    if (isLocalName(url.hostname)) return false;
    return (await resolve(url.hostname, RESOLVE_MS)).every(mayReach);
  };
  return {
    fetch: createGuardedFetch({ allow: ({ hostname }) => isNamed(hostname), mayReach, lookup: lookupAny, bytesMax: 0 }),
    problem: async (text, name = 'callback_url') => {
      const url = new URL(text);
      if (url.username !== '' || url.password !== '') return `${name} must have no credentials`;
      if (isNamed(url.hostname) || (await mayBeReached(url))) return null;
      const host = literalOf(url) ?? url.hostname;
      return `${name}: ${host} is not an address on the public internet, and TRIPACT_CALLBACK_HOSTS does not name it (as TRIPACT_CALLBACK_HOSTS=${host} does)`;
    },
  };
};
