import { lookup } from 'node:dns/promises';
import { setTimeout as wait } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { createGuardedFetch, type GuardedFetch, isPublicAddress, literalOf } from './guarded-fetch.ts';

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
