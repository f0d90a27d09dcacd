import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { tlsFault } from '../lib/errors.ts';
import { madeOnce } from '../lib/once.ts';

/**
 * Longest DNS lookup when a callback is registered, in milliseconds. A name that has not resolved by then is checked
 * when it is called.
 */
const RESOLVE_MS = 1_500;

/** Global unicast space. Addresses outside are unassigned or embed an IPv4 address (`::127.0.0.1`). */
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is on the public internet: not loopback, private, link-local, metadata, multicast or reserved.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(IPV6_GLOBAL_UNICAST);
};

/** Private hosts that callbacks may still reach. */
export interface CallbackHosts {
  /** In lower case. */
  names: string[];
  networks: [ipaddr.IPv4 | ipaddr.IPv6, number][];
}

const systemAddresses = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** Longest reply that is read whole, in bytes: an issuer's metadata, or tokens. */
const REPLY_BYTES_MAX = 256 * 1024;

/** Longest wait for such a reply, in milliseconds. */
const REPLY_MS = 15_000;

/** A reply's body, if it is no longer than allowed. */
const wholeBody = async (body: AsyncIterable<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > REPLY_BYTES_MAX) throw new Error(`a reply has more than ${REPLY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
};

/**
 * Creates the check of which addresses callbacks may reach (SPEC 16). `resolve` returns the addresses of a name and
 * rejects if there are none.
 */
export const createCallbackGuard = (hosts: CallbackHosts, resolve = systemAddresses) => {
  const mayReach = (address: string): boolean => {
    if (isPublicAddress(address)) return true;
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return hosts.networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match([network, bits]));
  };
  /** The host of a URL, without brackets. */
  const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');
  const addressesOf = async (host: string): Promise<string[]> => (isIP(host) === 0 ? resolve(host) : [host]);
  const isRefused = (host: string, addresses: string[]): boolean =>
    !hosts.names.includes(host) && !addresses.every(mayReach);
  /** The addresses of a host. Rejects if any of them is not allowed, and never says which. */
  const checkedAddresses = async (host: string): Promise<string[]> => {
    const addresses = await addressesOf(host);
    if (isRefused(host, addresses)) throw new Error(`${host} is not on the public internet`);
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
  // Loaded with the first callback. Names are checked as connections open, so a later DNS answer cannot bypass the
  // check.
  const opened = madeOnce(async () => {
    const { Agent, fetch } = await import('undici');
    return { fetch, dispatcher: new Agent({ connect: { lookup: checkedLookup } }) };
  });
  return {
    /**
     * Posts a callback and returns the response without its body. Never connects to a private address, whatever the
     * name resolves to by then.
     */
    fetch: async (url: string, init: RequestInit): Promise<Response> => {
      // A literal address is not looked up, so it is checked here.
      if (isIP(hostOf(url)) !== 0) await checkedAddresses(hostOf(url));
      const { fetch, dispatcher } = await opened();
      try {
        const { body, status } = await fetch(url, { ...(init as object), dispatcher });
        await body?.cancel();
        return new Response(null, { status });
      } catch (error) {
        const fault = tlsFault((error as Error).cause);
        // Leaves out the cause, whose message is OpenSSL's own.
        throw fault === null ? error : new Error(`${new URL(url).host} cannot be reached by https: ${fault}`);
      }
    },
    /**
     * Asks an address that an untrusted server named, and returns the whole reply. Follows no redirect, and never
     * connects to a private address, but for those of the origin that the operator chose.
     */
    ask: async (url: string | URL, init: RequestInit = {}, chosen?: string): Promise<Response> => {
      const { href, origin } = new URL(url);
      if (origin !== chosen && isIP(hostOf(href)) !== 0) await checkedAddresses(hostOf(href));
      const { fetch, dispatcher } = await opened();
      const signal = AbortSignal.timeout(REPLY_MS);
      const guarded = origin === chosen ? {} : { dispatcher };
      const reply = await fetch(href, { ...(init as object), redirect: 'error', signal, ...guarded });
      const body = await wholeBody(reply.body);
      return new Response(body.length === 0 ? null : body, { status: reply.status, headers: [...reply.headers] });
    },
    /** Why a callback cannot be posted to this URL, which messages call `name`; null: no objection so far. */
    problem: async (url: string, name = 'callback_url'): Promise<string | null> => {
      const { username, password } = new URL(url);
      if (username !== '' || password !== '') return `${name} must not contain credentials`;
      const host = hostOf(url);
      const known = await Promise.race([addressesOf(host).catch(() => []), wait(RESOLVE_MS, [], { ref: false })]);
      if (!isRefused(host, known)) return null;
      return `${name}: ${host} is not on the public internet; TRIPACT_CALLBACK_HOSTS=${host} would allow it`;
    },
  };
};

export type CallbackGuard = ReturnType<typeof createCallbackGuard>;
