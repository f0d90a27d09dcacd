import type { LookupFunction } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { createGuardedFetch, FETCH_REDIRECTS_MAX, FetchRefused } from '../../src/tools/guarded-fetch.ts';
import { AddressNotPublic, checkedLookup, isPublicAddress } from '../../src/tools/public-address.ts';
import { serve } from '../support/http/local-server.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';

/** A resolver that knows some names, and counts how often it is asked. */
const resolver = (names: Record<string, string[]>) => {
  const asked: string[] = [];
  const lookup: LookupFunction = (hostname, options, callback) => {
    asked.push(hostname);
    const addresses = (names[hostname] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const [first] = addresses;
    if (first === undefined) callback(Object.assign(new Error('unknown name'), { code: 'ENOTFOUND' }), []);
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
  return { lookup, asked };
};

const trusting = (...origins: string[]) => ({ allow: (url: URL) => origins.includes(url.origin) });

describe('which addresses are public', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('%s is', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '127.255.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
    '198.18.0.1',
    '192.0.2.1',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001:db8::1',
    '4000::1',
    'no address',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('a guarded fetch', () => {
  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '127.0.0.1.',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    'LOCALHOST',
  ])('never reaches a server on this machine as http://%s', async (host) => {
    const victim = await serve((_, response) => response.end('secret'));
    await expect(createGuardedFetch()(`http://${host}:${victim.port}/`)).rejects.toThrow(FetchRefused);
    expect(victim.seen).toEqual([]);
  });

  it.each([
    { why: 'a private address', addresses: ['127.0.0.1'] },
    { why: 'a private address beside a public one', addresses: ['8.8.8.8', '127.0.0.1'] },
    { why: 'a mapped private address', addresses: ['::ffff:127.0.0.1'] },
  ])('never reaches a name that resolves to $why, and does not tell which', async ({ addresses }) => {
    const victim = await serve((_, response) => response.end('secret'));
    const { lookup } = resolver({ 'rebind.test': addresses });
    const refused = createGuardedFetch({ lookup })(`http://rebind.test:${victim.port}/`);
    await expect(refused).rejects.toThrow(
      /^Refused to fetch from rebind\.test:\d+: it is not an address on the public/,
    );
    expect(victim.seen).toEqual([]);
  });

  it('resolves a name once a connection, so that a second, different answer is never used', async () => {
    const { lookup, asked } = resolver({ 'rebind.test': ['10.0.0.1'] });
    await expect(createGuardedFetch({ lookup })('http://rebind.test/')).rejects.toThrow(FetchRefused);
    expect(asked).toEqual(['rebind.test']);
  });

  it('says so when a name is unknown', async () => {
    const { lookup } = resolver({});
    await expect(createGuardedFetch({ lookup })('http://nowhere.test/')).rejects.toThrow('unknown name');
  });

  it('tries a few of the addresses of a name that has many, once all of them are checked', async () => {
    const many = Array.from({ length: 200 }, (_, i) => `93.184.217.${i}`);
    const { lookup } = resolver({ 'many.test': many, 'mixed.test': [...many, '::ffff:127.0.0.1'] });
    const lookupChecked = checkedLookup(lookup, isPublicAddress);
    const found = vi.fn();
    lookupChecked('many.test', { all: true }, found);
    expect(found.mock.calls[0]![1]).toHaveLength(8);
    lookupChecked('mixed.test', { all: true }, found);
    expect(found.mock.calls[1]![0]).toBeInstanceOf(AddressNotPublic);
  });

  it.each(['file:///etc/passwd', 'ftp://example.com/', 'data:text/plain,hello'])('refuses %s', async (url) => {
    await expect(createGuardedFetch()(url)).rejects.toThrow(/only http and https/);
  });

  it('reaches what the operator trusts, and gives status, headers and body as fetch does', async () => {
    const server = await serve((request, response) => {
      response.writeHead(201, { 'x-one': ['a', 'b'] }).end(`${request.method} ${request.body}`);
    });
    const { lookup } = resolver({ 'tools.test': ['127.0.0.1'] });
    const url = `http://tools.test:${server.port}`;
    const response = await createGuardedFetch({ ...trusting(url), lookup })(`${url}/mcp?a=1`, {
      method: 'POST',
      body: 'ping',
      headers: { 'x-two': 'c' },
    });
    expect([response.status, response.headers.get('x-one'), await response.text()]).toEqual([201, 'a, b', 'POST ping']);
    expect(server.seen[0]).toMatchObject({ url: '/mcp?a=1', headers: { 'x-two': 'c', 'content-length': '4' } });
  });

  it('gives an empty body for 204', async () => {
    const server = await serve((_, response) => response.writeHead(204).end());
    const response = await createGuardedFetch(trusting(server.origin))(server.origin);
    expect([response.status, response.body]).toEqual([204, null]);
  });
});

describe('a guarded fetch that is redirected', () => {
  it.each(['http://127.0.0.1', 'http://rebind.test', 'http://[::ffff:7f00:1]'])(
    'does not go to %s on this machine',
    async (target) => {
      const victim = await serve((_, response) => response.end('secret'));
      const front = await serve((_, response) => {
        response.writeHead(302, { location: `${target}:${victim.port}/` }).end();
      });
      const { lookup } = resolver({ 'rebind.test': ['127.0.0.1'] });
      const fetch = createGuardedFetch({ ...trusting(front.origin), lookup });
      await expect(fetch(front.origin)).rejects.toThrow(FetchRefused);
      expect([front.seen.length, victim.seen.length]).toEqual([1, 0]);
    },
  );

  it.each(['file:///etc/passwd', 'http://user:password@example.com/', 'http://user@example.com/', 'http://[broken'])(
    'does not go to %s',
    async (location) => {
      const front = await serve((_, response) => response.writeHead(302, { location }).end());
      await expect(createGuardedFetch(trusting(front.origin))(front.origin)).rejects.toThrow(FetchRefused);
    },
  );

  it('takes no credentials to another origin, and keeps a body only where the standard says so', async () => {
    const target = await serve((request, response) => response.end(`${request.method} ${request.body}`));
    const front = await serve((request, response) => {
      response.writeHead(Number(request.url.slice(1)), { location: `${target.origin}/` }).end();
    });
    const fetch = createGuardedFetch(trusting(front.origin, target.origin));
    const headers = { authorization: 'Bearer secret', cookie: 'a=b', 'x-kept': 'yes' };
    const arrived = async (status: number) =>
      (await fetch(`${front.origin}/${status}`, { method: 'POST', body: 'ping', headers })).text();
    expect(await Promise.all([303, 302, 307, 308].map(arrived))).toEqual(['GET ', 'GET ', 'POST ping', 'POST ping']);
    for (const { headers } of target.seen) {
      expect(headers).toMatchObject({ 'x-kept': 'yes' });
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('cookie');
    }
  });

  it('gives up after a few redirects', async () => {
    const circle = await serve((_, response) => response.writeHead(302, { location: '/again' }).end());
    await expect(createGuardedFetch(trusting(circle.origin))(circle.origin)).rejects.toThrow(/more than 5 times/);
    expect(circle.seen.length).toBe(FETCH_REDIRECTS_MAX + 1);
  });

  it('hands out or refuses the redirect itself when the caller asks for that', async () => {
    const front = await serve((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    const fetch = createGuardedFetch(trusting(front.origin));
    expect((await fetch(front.origin, { redirect: 'manual' })).status).toBe(302);
    await expect(fetch(front.origin, { redirect: 'error' })).rejects.toThrow(FetchRefused);
  });
});

describe('a guarded fetch is bounded', () => {
  it('in size, also when no length was announced', async () => {
    const server = await serve((_, response) => {
      response.write('12345');
      response.end('67890');
    });
    const fetch = createGuardedFetch({ ...trusting(server.origin), bytesMax: 9 });
    const response = await fetch(server.origin);
    await expect(response.text()).rejects.toThrow(/longer than 9 bytes/);
    const enough = createGuardedFetch({ ...trusting(server.origin), bytesMax: 10 });
    expect(await (await enough(server.origin)).text()).toBe('1234567890');
  });

  it('in time, before an answer and in the midst of one', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/stall') response.write('half');
    });
    const fetch = createGuardedFetch({ ...trusting(server.origin), timeoutMs: 200 });
    await expect(fetch(`${server.origin}/silent`)).rejects.toThrow(/timeout/);
    const stalled = await fetch(`${server.origin}/stall`);
    await expect(stalled.text()).rejects.toThrow();
  });

  it('by its caller', async () => {
    const controller = new AbortController();
    const reason = new Error('the task was cancelled');
    const server = await serve(() => controller.abort(reason));
    const fetch = createGuardedFetch(trusting(server.origin));
    await expect(fetch(server.origin, { signal: controller.signal })).rejects.toBe(reason);
  });

  it('and refuses a compressed answer, whose true size it could not bound', async () => {
    const server = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'));
    await expect(createGuardedFetch(trusting(server.origin))(server.origin)).rejects.toThrow(/content-encoding gzip/);
    expect(server.seen[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('and fails when the server hangs up without an answer', async () => {
    const server = await serve((_, response) => response.socket?.destroy());
    await expect(createGuardedFetch(trusting(server.origin))(server.origin)).rejects.toThrow(
      /hang up|without an answer/,
    );
  });

  it('and may be given up in the midst of an answer', async () => {
    const closed = Promise.withResolvers<void>();
    const server = await serve((_, response) => {
      response.on('close', closed.resolve);
      response.write('half');
    });
    const response = await createGuardedFetch(trusting(server.origin))(server.origin);
    await response.body?.cancel();
    await closed.promise;
  });

  it('and gives an answer without its body where none is wanted, compressed or endless, and closes its connection', async () => {
    const closed = Promise.withResolvers<void>();
    const server = await serve((_, response) => {
      response.on('close', closed.resolve);
      response.writeHead(200, { 'content-encoding': 'gzip' }).write('x');
    });
    const response = await createGuardedFetch({ ...trusting(server.origin), bytesMax: 0 })(server.origin);
    expect(response).toMatchObject({ status: 200, body: null });
    await closed.promise;
  });
});

it('of an https URL whose server speaks plain http says so in a sentence', async () => {
  const { port } = await serve((_request, response) => response.end());
  const origin = `https://127.0.0.1:${port}`;
  const asked = createGuardedFetch(trusting(origin))(origin);
  await expect(asked).rejects.toThrow(
    new Error(
      `127.0.0.1:${port} can not be reached by https: it does not speak TLS; a URL of a plain HTTP server begins with http://`,
    ),
  );
});

it('of an answer whose trailers never end reads them over turns of the event loop', MEASURED_AGAIN, async () => {
  const { origin } = await serve((_request, response) => {
    const { socket } = response;
    socket?.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'A: b\r\n'.repeat(40_000)}`);
  });
  const fetch = createGuardedFetch(trusting(origin));
  const blockedMs = await longestBlock(async () => {
    const { body } = await fetch(origin);
    await expect(new Response(body).text()).rejects.toThrow();
  });
  expect(blockedMs).toBeLessThan(40);
});
