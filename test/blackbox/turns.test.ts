import { expect, it } from 'vitest';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

it('asks for plan, thoughts and replans in order, counts each step, and answers', async () => {
  const service = await startService([
    plan('find milk', 'write it down'),
    act('todo', 'todo list'),
    done('nothing there'),
    replanned('write it down'),
    act('todo', '/todo add milk'),
    done(),
    answer('Milk is on the list.'),
  ]);
  const turn = await service.say('s1', 'Put milk on my list');
  expect(turn).toMatchObject({ kind: 'task', status: 'answered', output: 'Milk is on the list.', question: null });
  expect(service.contracts()).toEqual(['plan', 'thought', 'thought', 'replan', 'thought', 'thought', 'replan']);
  expect(turn.task).toMatchObject({ state: 'done', step_count: 8, successful_steps: 2, failed_steps: 0 });
  const todos = await service.say('s1', '/todo list');
  expect(todos).toMatchObject({ kind: 'command', status: 'ran', task_id: null, task: null });
  expect(todos.output).toContain('milk');
});

it('asks the user, waits over a restart, and replans first when the answer comes', async () => {
  const service = await startService([plan('book a room'), ask('Which day?')]);
  const asked = await service.say('s1', 'Book a room');
  expect(asked).toMatchObject({ status: 'asking', output: 'Please confirm: Which day?', question: 'Which day?' });
  expect(asked.task).toMatchObject({ state: 'awaiting_user', awaiting_clarification: true, step_count: 1 });
  await service.restart();
  service.model.answer([answer('Booked for Friday.')]);
  const answered = await service.say('s1', 'Friday');
  expect(answered).toMatchObject({ status: 'answered', task_id: asked.task_id, output: 'Booked for Friday.' });
  expect(service.contracts()).toEqual(['plan', 'thought', 'replan']);
  expect(JSON.stringify(service.model.requests.at(-1)?.body.messages)).toContain('Friday');
});

it('asks in Chinese where the goal is Chinese', async () => {
  const service = await startService([plan('订会议室'), ask('哪一天？')]);
  const asked = await service.say('s1', '帮我订会议室');
  expect(asked).toMatchObject({ status: 'asking', output: '请确认：哪一天？', question: '哪一天？' });
});

it('answers a request that needs no tool through an empty plan', async () => {
  const service = await startService([plan(), done('Hello!'), answer('Hello to you.')]);
  const turn = await service.say('s1', 'Hello');
  expect(turn).toMatchObject({ status: 'answered', output: 'Hello to you.' });
  expect(turn.task).toMatchObject({ step_count: 2, plan: [] });
});

it('runs ten turns of one session one after the other, in the order they came', async () => {
  const service = await startService({ plan: plan(), thought: done('ok'), replan: answer('done') });
  const turns = await Promise.all(Array.from({ length: 10 }, (_, i) => service.say('s1', `request ${i}`)));
  expect(turns.map(({ status }) => status)).toEqual(Array(10).fill('answered'));
  expect(new Set(turns.map(({ task_id }) => task_id)).size).toBe(10);
  const trace = await service.trace('s1');
  expect(trace.map(({ seq }) => seq)).toEqual(trace.map((_, i) => i + 1));
  const tasks = trace.map(({ task_id }) => task_id);
  expect(tasks.filter((id, i) => id !== tasks[i - 1])).toHaveLength(10);
  const replayed = await fetch(`${service.url}/v1/replay`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: trace.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
  });
  expect(await replayed.json()).toEqual({ ok: true, entries: trace.length });
});

it('lets slash commands through while a task waits, and leaves the task as it was to the byte', async () => {
  const service = await startService([plan('book'), ask('Which day?')]);
  const asked = await service.say('s1', 'Book a room');
  const before = await (await fetch(`${service.url}/v1/tasks/${asked.task_id}`)).text();
  for (const command of ['/todo add bread', '/status', '/nonsense', '/schedule list', '/plan'])
    expect(await service.say('s1', command)).toMatchObject({ kind: 'command', status: 'ran' });
  expect(await (await fetch(`${service.url}/v1/tasks/${asked.task_id}`)).text()).toBe(before);
  service.model.answer([answer('ok')]);
  expect(await service.say('s1', 'Monday')).toMatchObject({ status: 'answered', task_id: asked.task_id });
});

it('cancels a waiting task by a phrase, and says so when there is none', async () => {
  const service = await startService([plan('订会议室'), ask('哪一天？')]);
  const asked = await service.say('s1', '订会议室');
  expect(await service.say('s1', '取消任务')).toMatchObject({ status: 'cancelled', task_id: asked.task_id });
  expect(await service.say('s1', '/cancel')).toMatchObject({ status: 'ran', kind: 'command' });
  expect(service.contracts()).toEqual(['plan', 'thought']);
});

it('gives the same turn to a repeated Idempotency-Key, and 422 for another body', async () => {
  const service = await startService([plan(), done(), answer('once')]);
  const key = { 'idempotency-key': 'k-1' };
  const path = '/v1/sessions/s1/turns';
  const [one, two] = await Promise.all([
    service.post(path, { input: 'hello' }, key),
    service.post(path, { input: 'hello' }, key),
  ]);
  expect(await two.json()).toEqual(await one.json());
  const other = await service.post(path, { input: 'something else' }, key);
  expect(other.status).toBe(422);
  expect(other.headers.get('content-type')).toContain('application/problem+json');
});
