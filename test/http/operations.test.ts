import { describe, expect, it } from 'vitest';
import { ModelUnavailable } from '../../src/models/port.ts';
import { acts, plans, replans, straight } from '../support/engine/model-answers.ts';
import { builtConsole } from '../support/http/built-console.ts';
import { startHttp, startHttpOn } from '../support/http/http-app.ts';
import { ask, say } from '../support/http/send-request.ts';
import { someTurn, stubEngine } from '../support/http/stub-engine.ts';

describe('a probe', () => {
  it('finds the service alive, and ready while its engine is', async () => {
    let isReady = true;
    let isStopping = false;
    const engine = stubEngine({ isReady: async () => isReady, isStopping: () => isStopping });
    const { port } = await startHttpOn(engine);
    expect((await ask(port, '/readyz')).json).toEqual({ status: 'ok' });
    isReady = false;
    const { status, headers, problem } = await ask(port, '/readyz');
    expect([status, headers['content-type'], headers['retry-after']]).toEqual([503, 'application/problem+json', '5']);
    expect(problem.detail).toBe('The store cannot be written, so nothing can be committed');
    isStopping = true;
    expect((await ask(port, '/readyz')).problem).toMatchObject({
      type: '/problems/shutting-down',
      detail: 'The service is stopping',
    });
    expect((await ask(port, '/healthz')).json).toEqual({ status: 'ok' });
  });

  it('may add what it likes to the address', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    for (const path of ['/healthz?x=1', '/readyz?x=1&x=2', '/healthz?'])
      expect((await ask(port, path)).json, path).toEqual({ status: 'ok' });
  });
});

describe('a HEAD', () => {
  it('is answered as the GET, without the body', async () => {
    const { port } = await startHttpOn(stubEngine({}), { findConsole: builtConsole(), protocols: ['openai', 'a2a'] });
    const paths = [
      ...['/healthz', '/readyz', '/metrics', '/', '/console', '/console/assets/main-abc.js'],
      ...['/docs', '/docs/static/swagger-ui.css', '/openapi.json'],
      ...['/v1/models', '/v1/models/', '/.well-known/agent-card.json', '/v1/me', '/v1/contracts', '/v1/nothing'],
    ];
    for (const path of paths) {
      const [head, get] = [await ask(port, path, { method: 'HEAD' }), await ask(port, path)];
      const { status, headers } = head;
      expect([path, status, headers['content-type']]).toEqual([path, get.status, get.headers['content-type']]);
      expect([path, head.text]).toEqual([path, '']);
    }
  });

  it('opens no event stream, which would not end', async () => {
    const { port } = await startHttpOn(stubEngine({}), { protocols: ['openai', 'ai-sdk', 'mcp'] });
    for (const path of ['/v1/sessions/s1/events', '/v1/turns/turn_1/events', '/v1/responses/r1', '/api/chat/c1/stream'])
      expect((await ask(port, path, { method: 'HEAD' })).status, path).toBe(404);
  });
});

describe('the description', () => {
  it('is shown on a page that loads nothing from elsewhere', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    const page = await ask(port, '/docs');
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none';/);
    expect(page.headers['content-security-policy']).not.toMatch(/https?:/);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      expect(file).toMatch(/^\/docs\//);
      expect((await ask(port, file)).status).toBe(200);
    }
    expect(page.text).not.toMatch(/<script(?![^>]* src=)/);
  });
});

describe('the log', () => {
  it('has a line a request with its id and what it was about, and no word of what was said', async () => {
    const { port, logged } = await startHttp();
    const { headers, turn } = await say(port, 's1', '/todo add secret plan', { 'x-request-id': 'mine-1.a_B' });
    expect(headers['x-request-id']).toBe('mine-1.a_B');
    const line = expect.objectContaining({
      request_id: 'mine-1.a_B',
      session_id: 's1',
      turn_id: turn.id,
      method: 'POST',
      route: '/v1/sessions/:session_id/turns',
      status: 200,
      turn_status: 'ran',
    });
    // It may come a moment after the reply.
    await expect.poll(() => logged().filter(({ msg }) => msg === 'request ended')).toEqual([line]);
    expect(JSON.stringify(logged())).not.toContain('secret plan');
  });

  it('has a line for each task that pauses or fails and each tool that fails, with why and what it asked', async () => {
    const { port, logged, model } = await startHttp([
      plans('Add milk'),
      acts('todo', 'ad secret'),
      ...[
        new ModelUnavailable('the server is away'),
        replans('Add milk'),
        { status: 'done', outcome: 'blocked', response: 'no' },
      ],
      { status: 'done', outcome: 'failed', response: 'no' },
    ]);
    const paused = (await say(port, 's1', 'Buy secret milk')).turn;
    expect(paused.status).toBe('paused');
    const failed = (await say(port, 's1', 'continue')).turn;
    expect(failed.status).toBe('failed');
    expect(model.requests).toHaveLength(6);
    const { task_id } = paused;
    const of = (message: string) => logged().filter(({ msg }) => msg === message);
    const ids = { session_id: 's1', task_id };
    expect(of('a tool failed')).toMatchObject([{ level: 30, ...ids, turn_id: paused.id, tool: 'todo' }]);
    expect(of('a task is paused')).toMatchObject([
      {
        level: 40,
        ...ids,
        turn_id: paused.id,
        turn_status: 'paused',
        reason: 'model_unavailable',
        effect: 'model.thought',
        model: 'scripted',
      },
    ]);
    expect(of('a task failed')).toMatchObject([
      { level: 40, ...ids, turn_id: failed.id, turn_status: 'failed', reason: 'given_up' },
    ]);
    await expect.poll(() => of('request ended').map(({ turn_status }) => turn_status)).toEqual(['paused', 'failed']);
    expect(JSON.stringify(logged())).not.toContain('secret');
  });

  it('says the status of a turn that was streamed, or sent by a front end', async () => {
    const script = [...straight('Hi'), ...straight('Hi')];
    const { port, logged } = await startHttp(script, { protocols: ['openai'] });
    await ask(port, '/v1/sessions/s1/turns', {
      body: { input: 'Hello' },
      headers: { accept: 'text/event-stream' },
    });
    await ask(port, '/v1/chat/completions', {
      body: { model: 'tripact', messages: [{ role: 'user', content: 'Hello' }] },
    });
    const ended = () => logged().filter(({ msg }) => msg === 'request ended');
    await expect.poll(() => ended().map(({ turn_status }) => turn_status)).toEqual(['answered', 'answered']);
  });

  it('never takes over an invalid request id', async () => {
    const { port, logged } = await startHttpOn(stubEngine({}));
    for (const given of ['a b', 'x'.repeat(65), '"}', '<b>', '']) {
      const { headers } = await ask(port, '/v1/nothing', { headers: { 'x-request-id': given } });
      expect(headers['x-request-id'], given).toMatch(/^[0-9a-f-]{36}$/);
      const line = { request_id: headers['x-request-id'], route: null, status: 404 };
      await expect.poll(() => logged().at(-1)).toMatchObject(line);
    }
  });

  it('says when a caller was cut off', async () => {
    const waiting = Promise.withResolvers<void>();
    const wait = (): Promise<never> => {
      waiting.resolve();
      return new Promise(() => {});
    };
    const { port, http, logged } = await startHttpOn(
      stubEngine({ submit: async () => ({ turn: someTurn(false), isNew: true }), wait }),
    );
    const asked = say(port, 's1', 'hello');
    const closed = expect(asked).rejects.toThrow();
    await waiting.promise;
    await http.close();
    await closed;
    const line = expect.objectContaining({ msg: 'request ended', turn_id: 'turn_1', cut_off: true });
    await expect.poll(logged).toContainEqual(line);
  });
});
