import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { delayed } from '../support/anthropic/answers.ts';
import { cli, temporaryFolder } from '../support/cli/cli-process.ts';
import { ask as call } from '../support/http/send-request.ts';
import { shutGate } from '../support/service/gate.ts';
import { act, answer, ask, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

const portOf = ({ url }: Service): number => Number(new URL(url).port);

it('refuses a malformed session id with 400, and any unknown task or turn id with 404', async () => {
  const service = await startService([]);
  const port = portOf(service);
  for (const id of ['a.b', 'a%2fb', '..%2f..', '%00', 'a%20b', '%E4%BD%A0', 'x'.repeat(65), '%', 'a;b'])
    for (const asked of [{ body: { input: '/help' } }, {}]) {
      const { status, problem } = await call(port, `/v1/sessions/${id}${'body' in asked ? '/turns' : ''}`, asked);
      expect([id, status, problem.type]).toEqual([id, 400, '/problems/invalid-session-id']);
    }
  for (const id of ['task_1', '..%2f', '%00', '%', '__proto__', 'x'.repeat(3_000), '%20'])
    for (const path of [`/v1/tasks/${id}`, `/v1/tasks/${id}/trace`, `/v1/turns/${id}`]) {
      const { status, problem } = await call(port, path);
      expect([path, status]).toEqual([path, 404]);
      expect(problem.type).toMatch(/-not-found$/);
    }
});

it('gives one turn to a key however often it is sent at once, for a task as for a command', async () => {
  const service = await startService([plan(), done(), answer('once')]);
  const post = (input: string, key: string) =>
    Promise.all(
      Array.from({ length: 8 }, async () =>
        (await service.post('/v1/sessions/s1/turns', { input }, { 'idempotency-key': key })).json(),
      ),
    );
  for (const [input, key] of [
    ['hello', 'k-1'],
    ['/todo add bread', 'k-2'],
  ] as const) {
    const [first, ...more] = await post(input, key);
    for (const one of more) expect(one).toEqual(first);
  }
  expect(service.model.requests).toHaveLength(3);
  expect((await service.say('s1', '/todo list')).output).toContain('(1)');
  const elsewhere = await service.post('/v1/sessions/s2/turns', { input: 'hello' }, { 'idempotency-key': 'k-1' });
  expect(elsewhere.status).toBe(422);
});

it('answers 202 with the address of the turn, which is running and then finished', async () => {
  const gate = shutGate();
  const service = await startService([delayed(gate.opened, plan()), done(), answer('later')]);
  const stored = await service.post('/v1/sessions/s1/turns', { input: 'hello' }, { prefer: 'respond-async' });
  const turn = (await stored.json()) as { id: string };
  expect([stored.status, stored.headers.get('location')]).toEqual([202, `/v1/turns/${turn.id}`]);
  const running = { ...turn, status: 'running', output: null, task: null, finished_at: null };
  expect(await service.get(`/v1/turns/${turn.id}`)).toEqual(running);
  expect(Object.keys(turn).sort()).toEqual(
    'approval created_at finished_at id input kind options output question session_id status task task_id'.split(' '),
  );
  const cancelled = await fetch(`${service.url}/v1/tasks/${(turn as { task_id?: string }).task_id}/cancel`, {
    method: 'POST',
  });
  expect(await cancelled.json()).toMatchObject({ state: 'cancelled', phase: 'done' });
  expect(await service.get(`/v1/turns/${turn.id}`)).toMatchObject({ status: 'cancelled' });
  gate.open();
});

it('keeps owners apart, and shares todos between the sessions of one', async () => {
  const keys = { alice: 'alice-key-0123456789', bob: 'bob-key-0123456789' };
  const service = await startService([plan('a'), ask('Which?')], {
    TRIPACT_API_KEYS: `alice:${keys.alice},bob:${keys.bob}`,
  });
  const as = (owner: keyof typeof keys) => ({ authorization: `Bearer ${keys[owner]}` });
  const say = async (owner: keyof typeof keys, session: string, input: string) =>
    (await service.post(`/v1/sessions/${session}/turns`, { input }, as(owner))).json() as Promise<{
      output: string;
      task_id: string;
      id: string;
    }>;
  const turn = await say('alice', 's1', 'book it');
  await say('alice', 's1', '/todo add bread');
  expect((await say('alice', 's2', '/todo list')).output).toContain('bread');
  expect((await say('bob', 's1', '/todo list')).output).not.toContain('bread');
  const theirs = [`/v1/tasks/${turn.task_id}`, `/v1/turns/${turn.id}`, '/v1/sessions/s2'];
  for (const path of theirs) {
    const strange = await fetch(service.url + path, { headers: as('bob') });
    const never = await fetch(`${service.url}${path.replace(/\w+$/, 'never')}`, { headers: as('bob') });
    expect(strange.status).toBe(404);
    expect((await strange.text()).replaceAll('"s2', '"never').replaceAll('\\"s2', '\\"never')).toBe(await never.text());
  }
  expect((await service.post('/v1/sessions/s1/turns', { input: '/help' })).status).toBe(401);
});

it('mirrors a task in plan.json from its first tool action on, before the reply goes out', async () => {
  const cwd = temporaryFolder();
  const service = await startService(
    [plan('a', 'b', 'c'), done('A!'), replanned('b', 'c'), act('todo', 'list'), ask('?')],
    {
      TRIPACT_DATA_DIR: cwd,
    },
  );
  const file = (session: string): string => join(cwd, 'workspace/.sessions', session, 'plan.json');
  const turn = await service.say('s1', 'do it');
  expect(JSON.parse(readFileSync(file('s1'), 'utf8'))).toEqual({
    id: turn.task_id,
    goal: 'do it',
    status: 'paused',
    steps: [
      { id: '1', description: 'a', status: 'completed', result: 'A!', progress: { current: 1, total: 1 } },
      { id: '2', description: 'b', status: 'running', result: null, progress: { current: 2, total: 12 } },
      { id: '3', description: 'c', status: 'pending', result: null, progress: { current: 0, total: 12 } },
    ],
    current_step_index: 1,
    iteration_count: 3,
  });
  await service.say('s1', '/cancel');
  expect(JSON.parse(readFileSync(file('s1'), 'utf8'))).toMatchObject({ status: 'failed' });
  service.model.answer([plan('a'), done(), answer('no tool')]);
  await service.say('s2', 'do it');
  expect(existsSync(file('s2'))).toBe(false);
});

it('a bad setting stops the start with the variable, the value and what is allowed', async () => {
  const bad = { TRIPACT_PORT: '99999', TRIPACT_MODEL: 'gpt', TRIPACT_MAX_STEPS: '0', TRIPACT_CONFIRM_PLAN: 'maybe' };
  const { code, stderr } = await cli(['serve'], { env: bad });
  expect(code).not.toBe(0);
  for (const part of [...Object.entries(bad).flat(), '65535', 'anthropic:<model>', 'from 1', 'true or false'])
    expect(stderr).toContain(part);
});
