import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as wait } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
import { isPublicAddress, literalOf } from './public-address.ts';

/** Longest wait for a name server when a callback is asked for, in milliseconds: a name that is not known by then is checked when it is called. */
const RESOLVE_MS = 1_500;

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
  /** The addresses of a name; rejects or gives none where they are not known. */
  resolve?: (name: string) => Promise<string[]>;
}

const askNameServers = async (name: string): Promise<string[]> => {
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: 1 });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};

/**
 * Asks the name servers, and the system, which knows names of its own (`/etc/hosts`). The system is asked for one name at a time, as that
 * takes a thread that files are read by.
 */
const createResolve = (): ((name: string) => Promise<string[]>) => {
  let isSystemBusy = false;
  const askSystem = async (name: string): Promise<string[]> => {
    if (isSystemBusy) return [];
    isSystemBusy = true;
    const asked = lookup(name, { all: true })
      .then((found) => found.map(({ address }) => address))
      .catch(() => [])
      .finally(() => {
        isSystemBusy = false;
      });
    return Promise.race([asked, wait(RESOLVE_MS, [], { ref: false })]);
  };
  return async (name) => (await Promise.all([askNameServers(name), askSystem(name)])).flat();
};

/** Names that are this machine by definition (RFC 6761). */
const isLocalName = (name: string): boolean => /(^|\.)localhost\.?$/.test(name);

/** Makes the guard of callbacks (SPEC 13). */
export const createCallbackGuard = ({ hosts, resolve = createResolve() }: CallbackGuardParts): CallbackGuard => {
  const mayReach = (address: string): boolean => {
    if (isPublicAddress(address)) return true;
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return hosts.networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match([network, bits]));
  };
  const isNamed = ({ hostname }: URL): boolean => hosts.names.includes(hostname.toLowerCase());

  const mayBeReached = async (url: URL): Promise<boolean> => {
    const literal = literalOf(url);
    if (literal !== null) return mayReach(literal);
    if (isLocalName(url.hostname)) return false;
    return (await resolve(url.hostname).catch(() => [])).every(mayReach);
  };
  return {
    fetch: createGuardedFetch({ allow: isNamed, mayReach, bytesMax: 0 }),
    problem: async (text, name = 'callback_url') => {
      const url = new URL(text);
      if (url.username !== '' || url.password !== '') return `${name} must have no credentials`;
      if (isNamed(url) || (await mayBeReached(url))) return null;
      const host = literalOf(url) ?? url.hostname;
      return `${name}: ${host} is not an address on the public internet, and TRIPACT_CALLBACK_HOSTS does not name it (as TRIPACT_CALLBACK_HOSTS=${host} does)`;
    },
  };
};
