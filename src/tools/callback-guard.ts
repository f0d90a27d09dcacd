import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { tlsFault } from '../lib/errors.ts';
import { madeOnce } from '../lib/once.ts';

/** Longest wait for a name server when a callback is asked for, in milliseconds: a name not known by then is checked when it is called. */
const RESOLVE_MS = 1_500;

/** Global unicast space: what lies outside is unassigned, or embeds an IPv4 address (`::127.0.0.1`). */
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address is on the public internet: not loopback, private, link-local, metadata, multicast or reserved. */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(IPV6_GLOBAL_UNICAST);
};

/** Hosts that callbacks may reach though they are private. */
export interface CallbackHosts {
  /** In lower case. */
  names: string[];
  networks: [ipaddr.IPv4 | ipaddr.IPv6, number][];
}

const systemAddresses = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** Creates what decides which addresses callbacks may reach (SPEC 16). `resolve` gives the addresses of a name, and rejects where it has none. */
export const createCallbackGuard = (hosts: CallbackHosts, resolve = systemAddresses) => {
  const mayReach = (address: string): boolean => {
    if (isPublicAddress(address)) return true;
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return hosts.networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match([network, bits]));
  };
  /** Of a URL without brackets. */
  const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');
  const addressesOf = async (host: string): Promise<string[]> => (isIP(host) === 0 ? resolve(host) : [host]);
  const isRefused = (host: string, addresses: string[]): boolean =>
    !hosts.names.includes(host) && !addresses.every(mayReach);
  /** The addresses of a host. Rejects where one of them may not be reached, and never says which. */
  const checkedAddresses = async (host: string): Promise<string[]> => {
    const addresses = await addressesOf(host);
    if (isRefused(host, addresses)) throw new Error(`${host} is not an address on the public internet`);
    return addresses;
  };
  const checkedLookup: LookupFunction = (host, { all }, callback) =>
    void checkedAddresses(host).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        if (all === true) callback(null, found);
        else callback(null, found[0]!.address, found[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  // Loaded with the first callback. Names are checked as connections are opened, so no second answer of a name server gets around it.
  const opened = madeOnce(async () => {
    const { Agent, fetch } = await import('undici');
    return { fetch, dispatcher: new Agent({ connect: { lookup: checkedLookup } }) };
  });
  return {
    /** Posts a callback, and gives the answer without its body. It connects to no private address, whatever a name resolves to by then. */
    fetch: async (url: string, init: RequestInit): Promise<Response> => {
      // An address is not looked up.
      if (isIP(hostOf(url)) !== 0) await checkedAddresses(hostOf(url));
      const { fetch, dispatcher } = await opened();
      try {
        const { body, status } = await fetch(url, { ...(init as object), dispatcher });
        await body?.cancel();
        return new Response(null, { status });
      } catch (error) {
        const fault = tlsFault((error as Error).cause);
        // Without its cause, whose line is OpenSSL's own.
        throw fault === null ? error : new Error(`${new URL(url).host} can not be reached by https: ${fault}`);
      }
    },
    /** Why a callback can't be posted to this URL, which is called `name`; null: nothing speaks against it so far. */
    problem: async (url: string, name = 'callback_url'): Promise<string | null> => {
      const { username, password } = new URL(url);
      if (username !== '' || password !== '') return `${name} must have no credentials`;
      const host = hostOf(url);
      const known = await Promise.race([addressesOf(host).catch(() => []), wait(RESOLVE_MS, [], { ref: false })]);
      if (!isRefused(host, known)) return null;
      return `${name}: ${host} is not an address on the public internet, and TRIPACT_CALLBACK_HOSTS does not name it (as TRIPACT_CALLBACK_HOSTS=${host} does)`;
    },
  };
};

export type CallbackGuard = ReturnType<typeof createCallbackGuard>;
