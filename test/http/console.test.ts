import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FindConsole } from '../../src/http/routes/console.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { builtConsole, PAGE } from '../support/http/built-console.ts';
import { KEYS, startHttpOn } from '../support/http/http-app.ts';
import { ask } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

const open = async (findConsole: FindConsole, setup = {}) => {
  const { port } = await startHttpOn(stubEngine({}), { findConsole, ...setup });
  return (path: string, method = 'GET') => ask(port, path, { method });
};

describe('the console', () => {
  it.each(['/console', '/console/', '/console/sessions/s1', '/console/sessions/s1/tasks/t1?seq=3&tab=plan'])(
    'is one page at %s, which loads nothing from elsewhere and nothing inline',
    async (path) => {
      const get = await open(builtConsole(), { apiKeys: KEYS });
      const { status, headers, text } = await get(path);
      expect({ status, text }).toEqual({ status: 200, text: PAGE });
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

  it.each(['/console/', '/console/assets/main-abc.js'])(
    'is sent compressed where that is accepted: %s',
    async (path) => {
      const { port } = await startHttpOn(stubEngine({}), { findConsole: builtConsole() });
      const encodingFor = async (accept: string) => {
        const { status, headers } = await ask(port, path, { headers: { 'accept-encoding': accept } });
        return [status, headers['content-encoding'], headers['accept-ranges']];
      };
      expect(await encodingFor('gzip, deflate, br')).toEqual([200, 'br', undefined]);
      expect(await encodingFor('gzip')).toEqual([200, 'gzip', undefined]);
      expect(await encodingFor('identity')).toEqual([200, undefined, undefined]);
    },
  );

  it('gives no other file, and neither does the page of the API', async () => {
    const { port, logged } = await startHttpOn(stubEngine({}), { findConsole: builtConsole() });
    const names = [
      'other.js',
      '..',
      '../../../package.json',
      '..%2f..%2fpackage.json',
      '%2e%2e/%2e%2e/package.json',
      'a\\..\\..\\package.json',
      './main-abc.js',
      '/main-abc.js',
      'main-abc.js/x',
      '%00',
      '.env',
      'x'.repeat(5_000),
    ];
    const files = ['/console/assets/', '/docs/static/'].flatMap((folder) => names.map((name) => folder + name));
    for (const path of ['/console/assets/', ...files])
      expect((await ask(port, path)).problem, path).toMatchObject({ status: 404, type: '/problems/not-found' });
    expect(logged().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it('answers conditions and ranges that its files do not meet by their own status', async () => {
    const { port } = await startHttpOn(stubEngine({}), { findConsole: builtConsole() });
    const statusFor = async (path: string, headers: Record<string, string>) =>
      (await ask(port, path, { headers })).status;
    const { etag } = (await ask(port, '/console/')).headers;
    for (const path of ['/console/', '/console/assets/main-abc.js', '/docs/static/swagger-ui.css']) {
      expect(await statusFor(path, { 'if-match': '"other"' })).toBe(412);
      expect(await statusFor(path, { 'if-none-match': '*' })).toBe(304);
    }
    expect(await statusFor('/console/', { 'if-none-match': `${etag}` })).toBe(304);
    expect(await statusFor('/docs/static/swagger-ui.css', { range: 'bytes=99999999-' })).toBe(416);
  });

  it('that cannot be read is a failure of the service, whose log has more under the id of the reply', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'assets'));
    symlinkSync('index.html.gz', join(folder, 'index.html.gz'));
    const { port, logged } = await startHttpOn(stubEngine({}), { findConsole: async () => folder });
    const { headers, problem } = await ask(port, '/console/');
    expect(problem).toMatchObject({ status: 500, request_id: headers['x-request-id'] });
    expect(logged().find(({ level }) => level === 50)).toMatchObject({
      request_id: headers['x-request-id'],
      err: { code: 'ELOOP' },
    });
  });

  it('says why it is not there', async () => {
    const reason = new ServiceError('PACKAGE_MISSING', 'The console is not available: nothing builds it.');
    const get = await open(() => Promise.reject(reason));
    const { status, problem } = await get('/console/sessions/s1');
    expect([status, problem.detail]).toEqual([501, reason.message]);
  });

  it('is where a browser lands at /, and others land at the description of the API', async () => {
    const { port } = await startHttpOn(stubEngine({}), { findConsole: builtConsole(), apiKeys: KEYS });
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
