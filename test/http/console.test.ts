import { describe, expect, it } from 'vitest';
import type { ConsoleBuild } from '../../src/http/routes/console.ts';
import { alwaysBuilt, builtConsole } from '../support/http/built-console.ts';
import { KEYS, startHttpOn } from '../support/http/http-app.ts';
import { ask } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

const open = async (found: ConsoleBuild, setup = {}) => {
  const { port } = await startHttpOn(stubEngine({}), { findConsole: () => found, ...setup });
  return (path: string, method = 'GET') => ask(port, path, { method });
};

describe('the console', () => {
  it.each(['/console', '/console/', '/console/sessions/s1', '/console/sessions/s1/tasks/t1?seq=3&tab=plan'])(
    'is one page at %s, which loads nothing from elsewhere and nothing inline',
    async (path) => {
      const get = await open(builtConsole());
      const { status, headers, text } = await get(path);
      expect({ status, text }).toEqual({ status: 200, text: '<!doctype html><title>Tripact</title>' });
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'self'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    },
  );

  it('has files that a browser keeps, for their names change with them', async () => {
    const get = await open(builtConsole());
    const { status, headers } = await get('/console/assets/main-abc.js');
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: 'application/javascript; charset=utf-8',
    });
    expect(headers['cache-control']).toContain('immutable');
  });

  it.each([
    '/console/assets/other.js',
    '/console/assets/..%2findex.html',
    '/console/assets/..%2f..%2fpackage.json',
    '/console/assets/',
    '/console/assets/a/b.js',
  ])('gives no other file: %s', async (path) => {
    expect((await (await open(builtConsole()))(path)).status).toBe(404);
  });

  it('needs no key, for it has no data', async () => {
    const get = await open(builtConsole(), { apiKeys: KEYS });
    expect((await get('/console')).status).toBe(200);
    expect((await get('/v1/sessions')).status).toBe(401);
  });

  it('says that it is being built, and opens by itself', async () => {
    const { status, headers, text } = await (await open({ state: 'building' }))('/console');
    expect({ status, wait: headers['retry-after'] }).toEqual({ status: 503, wait: '1' });
    expect(text).toMatch(/http-equiv="refresh" content="1".*being built.*正在构建/s);
  });

  it('says why it is not there, as text', async () => {
    const get = await open({ state: 'failed', reason: '<b>nothing</b> builds it.' });
    const { status, text } = await get('/console/sessions/s1');
    expect(status).toBe(503);
    expect(text).toContain('&lt;b&gt;nothing&lt;/b&gt; builds it.');
    expect(text).not.toContain('refresh');
  });

  it('is where a browser comes to at /, and the description of the API is where others do', async () => {
    const { port } = await startHttpOn(stubEngine({}), { findConsole: alwaysBuilt(), apiKeys: KEYS });
    const leadsTo = async (accept: string) => (await ask(port, '/', { headers: { accept } })).headers.location;
    expect(await leadsTo('text/html,application/xhtml+xml,*/*;q=0.8')).toBe('/console/');
    expect(await leadsTo('*/*')).toBe('/docs');
    const without = await startHttpOn(stubEngine({}));
    expect((await ask(without.port, '/', { headers: { accept: 'text/html' } })).headers.location).toBe('/docs');
  });

  it('is nowhere where it is turned off', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    expect((await ask(port, '/console')).status).toBe(404);
  });
});
