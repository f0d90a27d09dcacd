import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Global unicast space: what lies outside is unassigned, or embeds an IPv4 address (`::127.0.0.1`). */
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** A name resolved to an address that is not public. Never says to which. */
export class AddressNotPublic extends Error {
  override name = 'AddressNotPublic';
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

/** Whether an address may be reached. */
export type AddressRule = (address: string) => boolean;

/** Addresses of one name that a connection is tried to, one after the other: a name may have hundreds, of other machines. */
const ADDRESSES_TRIED_MAX = 8;

/**
 * A resolver for the connection itself, so that no second answer of a rebinding name can differ from the one checked. Fails with
 * `AddressNotPublic` when any address that the name resolves to is not one that may be reached.
 */
export const checkedLookup =
  (lookup: LookupFunction, mayReach: AddressRule): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found, family) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [{ address: found, family: family ?? isIP(found) }];
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => mayReach(address)))
        return callback(new AddressNotPublic(hostname), []);
      if (options.all === true) return callback(null, addresses.slice(0, ADDRESSES_TRIED_MAX));
      callback(null, first.address, first.family);
    });
