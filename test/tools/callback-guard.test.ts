import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { createCallbackGuard, isPublicAddress } from '../../src/tools/callback-guard.ts';
import { serve } from '../support/http/local-server.ts';

const known: Record<string, string[]> = {
  'public.example': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'inside.example': ['10.1.2.3'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  localhost: ['127.0.0.1'],
};

describe('which addresses are public', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('%s is', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'fe80::1',
    '2001:db8::1',
    'no address',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

const guardOf = (hosts: string) =>
  createCallbackGuard(loadConfig({ TRIPACT_CALLBACK_HOSTS: hosts }).callbackHosts, async (name) => known[name] ?? []);

describe('a callback_url', () => {
  it.each([
    'http://127.0.0.1/hook',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost:8080/',
    'https://inside.example/',
    'https://mixed.example/',
  ])('that may not be reached is refused when it is sent: %s', async (url) => {
    expect(await guardOf('').problem(url)).toContain('is not on the public internet');
  });

  it.each(['https://public.example/x', 'https://93.184.216.34/', 'https://not-known-yet.example/'])(
    'that may be reached, or is not known yet, is taken: %s',
    async (url) => expect(await guardOf('').problem(url)).toBeNull(),
  );

  it('may reach what is named, and nothing beside it', async () => {
    const { problem } = guardOf('Hooks.Internal, 10.1.0.0/16, fd00::/8, 192.168.1.7');
    for (const url of [
      'http://hooks.internal/',
      'http://HOOKS.internal:9000/',
      'http://10.1.255.1/',
      'http://[fd00::1]/',
      'http://192.168.1.7/',
      'http://inside.example/',
    ])
      expect([url, await problem(url)]).toEqual([url, null]);
    for (const url of ['http://10.2.0.1/', 'http://192.168.1.8/', 'http://[fe80::1]/', 'http://mixed.example/'])
      expect([url, await problem(url)]).toEqual([url, expect.stringContaining('TRIPACT_CALLBACK_HOSTS')]);
  });

  it('has no credentials', async () => {
    expect(await guardOf('').problem('https://me:secret@public.example/')).toBe(
      'callback_url must not contain credentials',
    );
  });

  it.each(['127.0.0.1', '2130706433', '127.0.0.1.', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'mixed.example'])(
    'never reaches a server on this machine as http://%s',
    async (host) => {
      const victim = await serve((_, response) => response.end('secret'));
      const failed = await guardOf('')
        .fetch(`http://${host}:${victim.port}/`, {})
        .then(String, (error: Error) => `${error.message} ${error.cause}`);
      expect(failed).toContain('is not on the public internet');
      expect(victim.seen).toEqual([]);
    },
  );

  it('that is named is posted to, and its status is the answer', async () => {
    const server = await serve((_, response) => response.writeHead(201).end('text'));
    for (const [hosts, host] of [
      ['localhost', 'localhost'],
      ['127.0.0.0/8', '127.0.0.1'],
    ] as const) {
      const url = `http://${host}:${server.port}/a?b=1`;
      expect(await guardOf(hosts).fetch(url, { method: 'POST', body: 'ping' })).toMatchObject({ status: 201 });
    }
    expect(server.seen[0]).toMatchObject({ url: '/a?b=1', body: 'ping' });
  });
});
