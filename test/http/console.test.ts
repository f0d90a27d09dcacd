import { describe, expect, it } from 'vitest';
import type { FindConsole } from '../../src/http/routes/console.ts';
import { ServiceError } from '../../src/lib/errors.ts';
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

  it.each(['/console/assets/other.js', '/console/assets/..%2f..%2fpackage.json', '/console/assets/'])(
    'gives no other file: %s',
    async (path) => {
      expect((await (await open(builtConsole()))(path)).status).toBe(404);
    },
  );

  it('says why it is not there', async () => {
    const reason = new ServiceError('PACKAGE_MISSING', 'The console is not available: nothing builds it.');
    const get = await open(() => Promise.reject(reason));
    const { status, problem } = await get('/console/sessions/s1');
    expect([status, problem.detail]).toEqual([501, reason.message]);
  });

  it('is where a browser comes to at /, and the description of the API is where others do', async () => {
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
