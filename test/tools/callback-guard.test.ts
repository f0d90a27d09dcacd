import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { createCallbackGuard } from '../../src/tools/callback-guard.ts';

const known: Record<string, string[]> = {
  'public.example': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'inside.example': ['10.1.2.3'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  localhost: ['127.0.0.1'],
};

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
    expect(await guardOf('').problem(url)).toContain('is not an address on the public internet');
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
      'callback_url must have no credentials',
    );
  });

  it('is checked again when it is called', async () => {
    await expect(guardOf('').fetch('http://127.0.0.1:2/')).rejects.toThrow('not an address on the public internet');
    await expect(guardOf('').fetch('http://localhost:2/')).rejects.toThrow('not an address on the public internet');
    await expect(guardOf('127.0.0.0/8').fetch('http://127.0.0.1:2/')).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });
});
