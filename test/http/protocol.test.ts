import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { KEYS, startHttp, startHttpOn } from '../support/http/http-app.ts';
import { simpleTask } from '../support/http/model-scripts.ts';
import { ask, dial, untilHangup } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

describe('a request that is odd by the protocol', () => {
  it('gets a problem when it names no host', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    const reply = await untilHangup(await dial(port, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'));
    expect(reply).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json.*"type":"\/problems\/invalid-request"/s);
  });

  it('gets a problem when it names no host where keys are set', async () => {
    const { port } = await startHttpOn(stubEngine({}), { apiKeys: KEYS });
    const reply = await untilHangup(await dial(port, 'GET /v1/contracts HTTP/1.1\r\nConnection: close\r\n\r\n'));
    expect(reply).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json/s);
  });

  it('gets a problem for an unknown expectation', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    const head =
      'POST /v1/sessions/s1/turns HTTP/1.1\r\nHost: localhost\r\nExpect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}';
    const reply = await untilHangup(await dial(port, head));
    expect(reply).toMatch(/^HTTP\/1\.1 417 .*application\/problem\+json.*"status":417/s);
  });

  it('gets a problem where it takes the service for a proxy', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    const head = 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n';
    const reply = await untilHangup(await dial(port, head));
    expect(reply).toMatch(/^HTTP\/1\.1 501 .*application\/problem\+json.*is no proxy/s);
    expect((await ask(port, '/healthz')).status).toBe(200);
  });

  it('does no harm where it takes the service for a proxy and is broken off', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    const sockets = await Promise.all(
      Array.from({ length: 10 }, () => dial(port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n')),
    );
    // An error of a socket that nobody listens to ends the process, and this run.
    for (const socket of sockets) socket.resetAndDestroy();
    expect((await ask(port, '/healthz')).status).toBe(200);
  });

  it('gets a problem where it names a host twice', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    const head = 'GET /v1/limits HTTP/1.1\r\nHost: localhost\r\nhost: example.com\r\nConnection: close\r\n\r\n';
    const reply = await untilHangup(await dial(port, head));
    expect(reply).toMatch(/^HTTP\/1\.1 400 .*Name the host in one Host header/s);
  });

  it('is answered like any other when it wants to upgrade and its body comes later', async () => {
    const { port } = await startHttp();
    for (const upgrade of ['Upgrade: websocket', 'Upgrade: h2c', 'X-None: 1']) {
      const body = '{"input":"/help"}';
      const head = `Host: localhost\r\nConnection: Upgrade\r\n${upgrade}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
      const socket = await dial(port, `POST /v1/sessions/s1/turns HTTP/1.1\r\n${head}\r\n\r\n`);
      socket.write(body);
      const [reply] = await once(socket, 'data');
      expect(String(reply)).toMatch(/^HTTP\/1\.1 200 /);
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      expect(await untilHangup(socket)).toContain('{"status":"ok"}');
    }
  });
});

describe('a body whose text no store takes as it is', () => {
  it.each([
    ['NUL', '{"input":"a\\u0000b"}'],
    ['half a surrogate pair', '{"input":"a\\ud800b"}'],
    ['half a surrogate pair in a field', '{"input":"a","timezone":"\\udfff"}'],
    ['NUL in a name', '{"input":"a","\\u0000":1}'],
  ])('with %s is refused', async (_name, body) => {
    const { port } = await startHttpOn(stubEngine({}));
    const headers = { 'content-type': 'application/json' };
    const { status, problem } = await ask(port, '/v1/sessions/s1/turns', { method: 'POST', body, headers });
    expect(status).toBe(400);
    expect(problem).toMatchObject({ type: '/problems/invalid-request', detail: expect.stringContaining('NUL') });
  });

  it('is taken when its escapes make whole characters', async () => {
    const { port } = await startHttp(simpleTask());
    const headers = { 'content-type': 'application/json' };
    const body = '{"input":"\\ud83d\\ude00 \\u4f60\\u597d"}';
    expect((await ask(port, '/v1/sessions/s1/turns', { method: 'POST', body, headers })).status).toBe(200);
  });
});

describe('below /docs', () => {
  const nowhere = [
    'static/%00',
    'static/a%5cb',
    'static//x',
    `static/${'a'.repeat(5_000)}`,
    'static/index.html%00',
    'static/%ff',
    'static/%',
    'static/..%2f..%2fpackage.json',
    'static/.env',
    'static/%F0%9F%98%80',
    'nothing',
    'static/x/y',
  ];

  it('nothing is found at an address of nothing', async () => {
    const { port, logged } = await startHttpOn(stubEngine({}));
    for (const path of nowhere) {
      const { status, problem } = await ask(port, `/docs/${path}`);
      expect([path, status, problem.type]).toEqual([path, 404, '/problems/not-found']);
    }
    expect(logged().filter(({ level }) => Number(level) > 40)).toEqual([]);
  });
});
