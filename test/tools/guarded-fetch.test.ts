import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  createGuardedFetch,
  FetchRefused,
  type GuardedFetchOptions,
  isPublicAddress,
} from '../../src/tools/callback-guard.ts';
import { serve } from '../support/http/local-server.ts';

/** A resolver that knows some names, and counts how often it is asked. */
const resolver = (names: Record<string, string[]>) => {
  const asked: string[] = [];
  const lookup: LookupFunction = (hostname, _options, callback) => {
    asked.push(hostname);
    const addresses = (names[hostname] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (addresses.length > 0) callback(null, addresses);
    else callback(Object.assign(new Error('unknown name'), { code: 'ENOTFOUND' }), []);
  };
  return { lookup, asked };
};

const fetchWith = (options: GuardedFetchOptions = {}) => createGuardedFetch(options);

const trusting = (...ports: number[]) => ({
  isTrusted: ({ port }: { port: string }) => ports.includes(Number(port)),
});

describe('which addresses are public', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('%s is', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fe80::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001:db8::1',
    'no address',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('a guarded fetch', () => {
  it.each(['127.0.0.1', '2130706433', '0x7f.1', '127.0.0.1.', '[::1]', '[::ffff:127.0.0.1]', 'localhost'])(
    'never reaches a server on this machine as http://%s',
    async (host) => {
      const victim = await serve((_, response) => response.end('secret'));
      await expect(fetchWith()(`http://${host}:${victim.port}/`)).rejects.toThrow(FetchRefused);
      expect(victim.seen).toEqual([]);
    },
  );

  it.each([
    { why: 'a private address', addresses: ['127.0.0.1'] },
    { why: 'a private address beside a public one', addresses: ['8.8.8.8', '127.0.0.1'] },
    { why: 'a mapped private address', addresses: ['::ffff:127.0.0.1'] },
  ])('never reaches a name that resolves to $why, does not tell which, and resolves it once', async ({ addresses }) => {
    const victim = await serve((_, response) => response.end('secret'));
    const { lookup, asked } = resolver({ 'rebind.test': addresses });
    await expect(fetchWith({ lookup })(`http://rebind.test:${victim.port}/`)).rejects.toThrow(
      /^Refused to fetch from rebind\.test: it is not an address on the public internet\.$/,
    );
    expect([victim.seen, asked]).toEqual([[], ['rebind.test']]);
  });

  it.each(['http://127.0.0.1', 'http://rebind.test', 'http://[::ffff:7f00:1]'])(
    'does not follow a redirect to %s on this machine',
    async (target) => {
      const victim = await serve((_, response) => response.end('secret'));
      const front = await serve((_, response) => {
        response.writeHead(302, { location: `${target}:${victim.port}/` }).end();
      });
      const { lookup } = resolver({ 'rebind.test': ['127.0.0.1'] });
      const fetch = fetchWith({ ...trusting(front.port), lookup });
      await expect(fetch(front.origin)).rejects.toThrow(FetchRefused);
      expect([front.seen.length, victim.seen.length]).toEqual([1, 0]);
    },
  );

  it('refuses what is neither http nor https, at a redirect too', async () => {
    await expect(fetchWith()('file:///etc/passwd')).rejects.toThrow(/only http and https/);
    const front = await serve((_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end());
    await expect(fetchWith(trusting(front.port))(front.origin)).rejects.toThrow('fetch failed');
  });

  it('reaches what the operator trusts, and gives status and headers as fetch does, without a body', async () => {
    const server = await serve((_, response) => {
      response.writeHead(201, { 'x-one': ['a', 'b'] }).end('text');
    });
    const { lookup } = resolver({ 'tools.test': ['127.0.0.1'] });
    const fetch = fetchWith({ ...trusting(server.port), lookup });
    const response = await fetch(`http://tools.test:${server.port}/a?b=1`, { method: 'POST', body: 'ping' });
    expect([response.status, response.headers.get('x-one'), await response.text()]).toEqual([201, 'a, b', '']);
    expect(server.seen[0]).toMatchObject({ url: '/a?b=1', body: 'ping' });
  });

  it('ends with its caller', async () => {
    const controller = new AbortController();
    const reason = new Error('the task was cancelled');
    const server = await serve(() => controller.abort(reason));
    const fetch = fetchWith(trusting(server.port));
    await expect(fetch(server.origin, { signal: controller.signal })).rejects.toBe(reason);
  });
});
