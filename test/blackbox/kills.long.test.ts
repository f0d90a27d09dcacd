import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silence } from '../support/anthropic/answers.ts';
import { startMortal } from '../support/service/mortal-service.ts';
import { sendTurn } from '../support/service/sent-turn.ts';
import { act, answer, ask, done, plan, replanned } from '../support/service/service.ts';

it('a task that is killed at its calls continues at each, buys no answer twice, and does its work once', async () => {
  const service = await startMortal();
  const { model } = service;
  model.answer([silence()]);
  const sent = await sendTurn(service.url, 's1', 'put milk on the list');
  await model.asked(1);
  model.answer([plan('write it down', 'check it'), act('todo', 'add milk'), silence()]);
  await service.killAndStart();
  await model.asked(4);
  const queued = await sendTurn(service.url, 's1', 'and then the second');
  expect(queued.turn).toMatchObject({ status: 'queued' });
  expect((await service.say('s1', '/todo list')).output).toContain('#1 milk');
  model.answer([done('written'), silence()]);
  await service.killAndStart();
  await model.asked(6);
  model.answer([replanned('check it'), done(), answer('Milk is on the list.'), plan(), done(), answer('second')]);
  await service.killAndStart();
  const turn = await sent.finished(service.url);
  expect(turn).toMatchObject({ id: sent.turn.id, status: 'answered', output: 'Milk is on the list.' });
  expect(turn.task).toMatchObject({ step_count: 6, successful_steps: 1 });
  expect(await queued.finished(service.url)).toMatchObject({ output: 'second' });
  expect(model.requests.map(({ contract }) => contract)).toEqual(
    'plan plan thought thought thought replan replan thought replan plan thought replan'.split(' '),
  );
  expect((await service.say('s1', '/todo list')).output).toMatch(/\(1\)/);
  const file = join(service.cwd, 'data/workspace/.sessions/s1/plan.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ status: 'completed', current_step_index: 2 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const trace = await (await fetch(`${service.url}/v1/sessions/s1/trace`)).text();
  const replayed = await fetch(`${service.url}/v1/replay`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: trace,
  });
  expect(await replayed.json()).toEqual({ ok: true, entries: trace.trim().split('\n').length });
});

it('what was acknowledged is there after a kill: a reply, a question, a pause, a command', async () => {
  const service = await startMortal();
  service.model.answer([plan(), done(), answer('ok'), plan('a'), ask('Which?')]);
  const answered = await service.say('answered', 'hello');
  const asking = await service.say('asking', 'book it');
  await service.say('command', '/todo add bread');
  await service.killAndStart();
  expect(await service.get(`/v1/turns/${answered.id}`)).toEqual(answered);
  expect(await service.get(`/v1/tasks/${asking.task_id}`)).toEqual(asking.task);
  expect((await service.say('command', '/todo list')).output).toContain('bread');
  expect(service.model.requests).toHaveLength(5);
  service.model.answer([answer('booked')]);
  expect(await service.say('asking', 'the red one')).toMatchObject({ output: 'booked', task_id: asking.task_id });
  expect(service.model.requests.at(-1)?.contract).toBe('replan');
});
