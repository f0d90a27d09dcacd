import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/lib/errors.ts';
import { startHttpOn } from '../support/http/http-app.ts';
import { type Asked, ask } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

const TURNS = '/v1/sessions/s1/turns';
const json = { 'content-type': 'application/json' };

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('a body', () => {
  const fields: [string, unknown, string][] = [
    ['a blank input', { input: ' \n\t ' }, 'body.input'],
    ['an input that is no text', { input: 1 }, 'body.input'],
    ['an input of half a character', { input: '\ud800' }, 'body.input'],
    ['an input of more than 32 KiB', { input: '会'.repeat(11_000) }, 'body.input'],
    ['an unknown field', { input: 'x', inputs: 'x' }, 'body.inputs'],
    ['a zone that is none', { input: 'x', timezone: 'Mars/Olympus' }, 'body.timezone'],
    ['an unknown on_busy', { input: 'x', on_busy: 'wait' }, 'body.on_busy'],
    ['metadata that are no object', { input: 'x', metadata: [1] }, 'body.metadata'],
    ['metadata of more than 4 KiB', { input: 'x', metadata: { text: 'x'.repeat(4_096) } }, 'body.metadata'],
    ['a context that is too long', { input: 'x', context: 'x'.repeat(4_001) }, 'body.context'],
    ['tools with a star inside', { input: 'x', tools: ['mail_*x'] }, 'body.tools.0'],
    ['a callback to a file', { input: 'x', callback_url: 'file:///etc/passwd' }, 'body.callback_url'],
    ['a list', [{ input: 'x' }], 'body'],
  ];

  it('with a fault is refused, and the fault named', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    for (const [name, body, path] of fields) {
      const { problem } = await ask(port, TURNS, { body });
      expect(problem, name).toMatchObject({ status: 400, type: '/problems/invalid-request', errors: [{ path }] });
    }
  });

  const bodies: [string, number, Asked][] = [
    ['of broken JSON', 400, { headers: json, body: '{"input": "x"' }],
    ['with a __proto__ key', 400, { headers: json, body: '{"input":"/help","__proto__":{"x":1}}' }],
    [
      'with a number that JSON rounds',
      400,
      { headers: json, body: '{"input":"x","metadata":{"order":725653563933458433}}' },
    ],
    [
      'with a schema that JSON rounds',
      400,
      { headers: json, body: '{"input":"x","answer_schema":{"const":9007199254740993}}' },
    ],
    ['that is not UTF-8', 400, { headers: json, body: Buffer.from('{"input":"caf\xe9"}', 'latin1') }],
    ['of 120,000 levels', 400, { headers: json, body: nested(120_000) }],
    ['of no type', 415, { body: '{"input":"/help"}' }],
    ['that is empty', 400, { headers: json, body: '' }],
  ];

  it('that cannot be read is a problem, and the service serves on', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    for (const [name, expected, asked] of bodies) {
      const { status, problem } = await ask(port, TURNS, asked);
      expect([status, problem.status], name).toEqual([expected, expected]);
    }
    expect((await ask(port, '/healthz')).status).toBe(200);
  });

  it.each([
    [TURNS, { 'content-type': 'text/plain' }, 'Send the body as Content-Type: application/json'],
    ['/v1/replay', json, 'Send the body as Content-Type: application/x-ndjson'],
  ])('that %s does not take: the problem says how to send it', async (path, headers, detail) => {
    const { port } = await startHttpOn(stubEngine({}));
    expect((await ask(port, path, { headers, body: '{"input":"/help"}' })).problem).toMatchObject({
      status: 415,
      detail,
    });
  });
});

describe('an address', () => {
  it('that does not exist is a problem', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    for (const path of ['/v1', '/v2', '/v1/sessions/s1/nothing', `/${'x'.repeat(9_000)}`])
      expect((await ask(port, path)).problem).toMatchObject({ type: '/problems/not-found', status: 404 });
  });
});

describe('a failure of the service', () => {
  it('tells the caller nothing but where to look, and logs everything', async () => {
    const engine = stubEngine({
      task: () => {
        throw new TypeError('secret path /srv/data');
      },
    });
    const { port, logged } = await startHttpOn(engine);
    const { status, headers, problem, text } = await ask(port, '/v1/tasks/task_1');
    expect(status).toBe(500);
    expect(problem).toMatchObject({ type: '/problems/internal', request_id: headers['x-request-id'] });
    expect(text).not.toMatch(/secret|TypeError|\.ts/);
    const line = logged().find(({ level }) => level === 50);
    expect(line).toMatchObject({ request_id: headers['x-request-id'], err: { message: 'secret path /srv/data' } });
  });

  it('that passes says when to come back', async () => {
    const engine = stubEngine({
      submit: async () => {
        throw new ServiceError('STORAGE_UNAVAILABLE', 'The disk is full');
      },
    });
    const { port, logged } = await startHttpOn(engine);
    const { status, headers, problem } = await ask(port, TURNS, { body: { input: 'x' } });
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    // The store's fault is logged where it is found, once for all requests.
    expect(logged().filter(({ level }) => Number(level) >= 50)).toEqual([]);
    expect(problem).toEqual({
      type: '/problems/storage-unavailable',
      title: 'Storage unavailable',
      status: 503,
      detail: 'The disk is full',
    });
  });
});
