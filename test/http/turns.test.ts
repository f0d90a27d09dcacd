import { describe, expect, it } from 'vitest';
import { startHttp, startHttpOn } from '../support/http/http-app.ts';
import { answer, pendingPlan, simpleTask } from '../support/http/model-scripts.ts';
import { ask, say } from '../support/http/send-request.ts';
import { someTurn, stubEngine } from '../support/http/stub-engine.ts';

describe('a posted turn', () => {
  it('is answered with the finished turn and its task', async () => {
    const { port } = await startHttp(simpleTask());
    const { status, turn } = await say(port, 's1', 'Put milk on the list');
    expect(status).toBe(200);
    expect(turn).toMatchObject({
      session_id: 's1',
      kind: 'task',
      status: 'answered',
      output: 'Milk is on the list',
      task: { state: 'done', successful_steps: 1, failed_steps: 0 },
    });
    expect((await ask(port, `/v1/turns/${turn.id}`)).turn).toEqual(turn);
  });

  it('has the metadata and the context of its request, and is shown with its metadata', async () => {
    const { port, model } = await startHttp(simpleTask());
    const metadata = { tenant: 'a', trace: [{ id: 1 }], text: '\ud800 é' };
    const body = {
      input: 'Put milk on the list',
      metadata,
      context: 'Lives in Oslo',
      tools: ['to*'],
      replan: 'always',
    };
    const { turn } = await ask(port, '/v1/sessions/s1/turns', { body });
    expect(turn).toMatchObject({ status: 'answered', metadata });
    expect((await ask(port, `/v1/turns/${turn.id}`)).turn).toEqual(turn);
    expect(model.requests[0]).toMatchObject({
      tools: [{ name: 'todo' }, { name: 'read_result' }],
      task: { background: 'Lives in Oslo' },
    });
  });

  it('that is a command is answered as it was stored, and not read again', async () => {
    const submit = async () => ({ turn: someTurn(true), isNew: true });
    const { port } = await startHttpOn(stubEngine({ submit }));
    expect((await say(port, 's1', '/help')).turn).toEqual(someTurn(true));
  });

  it('that is a command says where it failed, now and later', async () => {
    const { port } = await startHttp();
    for (const input of ['/todo done 99', '/nonsense', '/tool nothing x', '/cancel', '/plan drop 1']) {
      const { turn } = await say(port, 's1', input);
      expect(turn).toMatchObject({ input, kind: 'command', status: 'ran', ok: false });
      expect((await ask(port, `/v1/turns/${turn.id}`)).turn).toEqual(turn);
    }
    for (const input of ['/todo add milk', '/todo list', '/help', '/status', '/tool files write a.txt b'])
      expect((await say(port, 's1', input)).turn).not.toHaveProperty('ok');
  });
});

describe('an Idempotency-Key', () => {
  it.each([
    ['empty', ''],
    ['long', 'k'.repeat(256)],
    ['spaced', 'a b'],
    ['accented', 'caf\xe9'],
  ])('that is %s is refused', async (_name, key) => {
    const { port } = await startHttpOn(stubEngine({}));
    const { status, problem } = await say(port, 's1', '/help', { 'idempotency-key': key });
    expect(status).toBe(400);
    expect(problem.errors).toMatchObject([{ path: 'headers.idempotency-key' }]);
  });
});

describe('a service that stops', () => {
  it('sends its callers away with where to find their turn, and takes no new ones', async () => {
    const { plan } = pendingPlan();
    const { port, model, engine } = await startHttp({ plan: [plan], replan: [answer('never')] });
    const first = say(port, 's1', 'Put milk on the list');
    await model.asked(1);
    const closing = engine.drain(0);
    const { status, headers, problem } = await first;
    expect(status).toBe(503);
    expect(headers).toMatchObject({ 'retry-after': '5', location: expect.stringMatching(/^\/v1\/turns\/turn_/) });
    expect(problem).toMatchObject({ type: '/problems/shutting-down' });
    await closing;
    const second = await say(port, 's1', 'Another');
    expect(second.status).toBe(503);
    expect(second.headers['retry-after']).toBe('5');
    expect((await ask(port, '/readyz')).status).toBe(503);
    expect((await ask(port, '/healthz')).status).toBe(200);
    expect((await ask(port, '/healthz', { method: 'HEAD' })).status).toBe(200);
  });
});
