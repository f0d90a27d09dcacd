import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Problem } from '../../contracts/http.ts';
import type { TaskView, TurnView } from '../../contracts/turn-view.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { MessagesAnswer } from '../support/anthropic/messages.ts';
import { act, answer, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

/** A service whose todo tool needs a person's yes, and a task that waits for one. */
const asking = async (...then: MessagesAnswer[]) => {
  const script = [plan('Add milk'), act('todo', 'add milk'), ...then];
  const service = await startService(script, { TRIPACT_APPROVE: 'todo,schedule' });
  const question = await service.say('s1', 'Put milk on my list');
  return { service, question };
};

const todos = async (service: Service): Promise<string> => (await service.say('other', '/todo list')).output ?? '';

const decide = async (service: Service, decision: unknown, headers: Record<string, string> = {}, more = {}) => {
  const response = await service.post('/v1/sessions/s1/turns', { decision, ...more }, headers);
  return { status: response.status, body: (await response.json()) as TurnView & Pick<Problem, 'type' | 'detail'> };
};

const replays = async (service: Service): Promise<unknown> => {
  const body = await (await fetch(`${service.url}/v1/sessions/s1/trace`)).text();
  const headers = { 'content-type': 'application/x-ndjson' };
  return (await fetch(`${service.url}/v1/replay`, { method: 'POST', headers, body })).json();
};

const ended = [done('On the list.'), answer('Milk is on your list.')];

it('waits with the tool and its whole input, shows it everywhere, and runs it after a yes', async () => {
  const { service, question } = await asking(...ended);
  const approval = { tool: 'todo', input: 'add milk' };
  expect(question).toMatchObject({
    status: 'asking',
    question: 'May I run the tool "todo" with this input?\n\nadd milk',
    options: ['yes', 'no', 'always'],
    approval,
    task: { state: 'awaiting_user', phase: 'blocked', approval, awaiting_clarification: true },
  });
  expect(await service.get(`/v1/turns/${question.id}`)).toEqual(question);
  expect(await service.get<TaskView>(`/v1/tasks/${question.task_id}`)).toMatchObject({ approval });
  expect(await service.get('/v1/tasks?state=awaiting_user')).toMatchObject({
    tasks: [{ session_id: 's1', question: question.question, task: { approval } }],
  });
  expect(await service.get('/v1/sessions/s1')).toMatchObject({ active_task: { approval } });
  for (const command of ['/status', '/plan', '/continue'])
    expect((await service.say('s1', command)).output).toContain('add milk');
  expect(await todos(service)).not.toContain('milk');
  await service.restart();
  expect(await service.say('s1', 'yes')).toMatchObject({ output: 'Milk is on your list.', approval: null });
  expect(await todos(service)).toContain('milk');
  expect(service.contracts()).toEqual(['plan', 'thought', 'thought', 'replan']);
  expect(await replays(service)).toMatchObject({ ok: true });
});

it('asks in Chinese where the goal is Chinese, and understands the answer', async () => {
  const script = [plan('加牛奶'), act('todo', 'add 牛奶'), done(), answer('好了。')];
  const service = await startService(script, { TRIPACT_APPROVE: 'todo' });
  expect(await service.say('s1', '把牛奶加入待办')).toMatchObject({
    output: '请确认：可以用以下输入运行工具「todo」吗？\n\nadd 牛奶\n\n1. 是\n2. 否\n3. 总是',
    options: ['是', '否', '总是'],
  });
  expect((await service.say('s1', '好的，执行吧')).output).toBe('好了。');
});

it('runs an edited input in place of the thought, and the trace shows both', async () => {
  const { service } = await asking(...ended);
  const { status, body } = await decide(service, { type: 'edit', input: 'add oat milk' });
  expect([status, body.output]).toEqual([200, 'Milk is on your list.']);
  expect(await todos(service)).toContain('oat milk');
  expect(JSON.stringify(service.model.requests.at(-2))).toContain('edited_by_user_from=');
  const trace = await service.trace('s1');
  expect(trace.find(({ event }) => event.type === 'thought.made')?.event).toMatchObject({
    next_action: { tool: 'todo', input: 'add milk' },
  });
  expect(trace.find(({ event }) => event.type === 'decision.received')).toMatchObject({
    event: { decision: { type: 'edit', input: 'add oat milk' } },
    effects: [{ type: 'tool.call', params: { tool: 'todo', input: 'add oat milk' } }],
  });
  expect(await replays(service)).toMatchObject({ ok: true });
});

it('rejects with a reason that the next replan sees, and runs nothing', async () => {
  const { service } = await asking(answer('I left your list as it is.'));
  expect((await decide(service, { type: 'reject', reason: 'We have enough milk' })).body).toMatchObject({
    status: 'answered',
    output: 'I left your list as it is.',
  });
  expect(JSON.stringify(service.model.requests.at(-1))).toContain('We have enough milk');
  expect(JSON.stringify(service.model.requests.at(-1))).toContain('It did not run');
  expect(await todos(service)).not.toContain('milk');
});

it('asks no more for the tool in the task after approve_always', async () => {
  const { service } = await asking(act('todo', 'add bread'), act('schedule', 'list'), ...ended);
  expect((await decide(service, { type: 'approve_always' })).body).toMatchObject({
    status: 'asking',
    approval: { tool: 'schedule', input: 'list' },
  });
  expect(await todos(service)).toContain('bread');
});

it('takes one of two decisions at once, and the tool runs once', async () => {
  const { service } = await asking(...ended);
  const both = await Promise.all([1, 2].map(() => decide(service, { type: 'approve' })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await todos(service)).match(/milk/g)).toHaveLength(1);
});

it('gives the same turn for a decision that is repeated under its Idempotency-Key', async () => {
  const { service } = await asking(...ended);
  const key = { 'idempotency-key': 'approve-1' };
  const first = await decide(service, { type: 'approve' }, key);
  expect(first.status).toBe(200);
  expect(await decide(service, { type: 'approve' }, key)).toEqual(first);
  expect(await decide(service, { type: 'reject' }, key)).toMatchObject({ status: 422 });
  expect((await todos(service)).match(/milk/g)).toHaveLength(1);
});

it.each([
  [{ decision: { type: 'edit' } }, 'body.decision.input'],
  [{ decision: { type: 'edit', input: ' ' } }, 'body.decision.input'],
  [{ decision: { type: 'maybe' } }, 'body.decision.type'],
  [{ decision: { type: 'approve', input: 'add bread' } }, 'body.decision.input'],
  [{ decision: { type: 'approve', now: true } }, 'body.decision.now'],
  [{ decision: { type: 'reject', reason: ' ' } }, 'body.decision.reason'],
  [{ decision: 'yes' }, 'body.decision'],
  [{ decision: { type: 'approve' }, input: 'yes' }, 'body.decision'],
  [{}, 'body.input'],
])('refuses %j, and continues waiting', async (body, path) => {
  const { service, question } = await asking();
  const response = await service.post('/v1/sessions/s1/turns', body);
  const problem = (await response.json()) as Problem;
  expect([response.status, problem.type]).toEqual([400, '/problems/invalid-request']);
  expect(problem.errors?.map((fault) => fault.path)).toContain(path);
  expect(await service.get(`/v1/tasks/${question.task_id}`)).toEqual(question.task);
});

it('refuses a decision where nothing waits for one: 409, with what the session waits for', async () => {
  const { service } = await asking(answer('Left.'));
  const approve = () => decide(service, { type: 'approve' });
  await service.say('s1', '/plan add Buy bread');
  expect(await approve()).toMatchObject({
    status: 409,
    body: {
      type: '/problems/no-approval-pending',
      detail: expect.stringContaining('Shall I go on with the changed plan?'),
    },
  });
  expect(await service.say('s1', 'yes')).toMatchObject({ output: 'Left.' });
  expect((await approve()).body.detail).toContain('no task of this session runs or waits');
  expect(await todos(service)).not.toContain('milk');
});

it('cancels at the question, and a yes after it opens a task of its own', async () => {
  const { service, question } = await asking(plan(), done('Yes?'), answer('What is it?'));
  await service.post(`/v1/tasks/${question.task_id}/cancel`, {});
  expect(await service.get(`/v1/tasks/${question.task_id}`)).toMatchObject({ state: 'cancelled', approval: null });
  expect(await service.say('s1', 'yes')).toMatchObject({ output: 'What is it?', task: { goal: 'yes' } });
  expect(await todos(service)).not.toContain('milk');
});

it('replans after an edit of the plan over HTTP, whatever is answered', async () => {
  const { service, question } = await asking(replanned('Buy bread'), act('todo', 'add bread'));
  const response = await fetch(`${service.url}/v1/tasks/${question.task_id}/plan`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ edits: [{ kind: 'add', step: 'Buy bread' }] }),
  });
  expect(await response.json()).toMatchObject({ state: 'awaiting_user', approval: null });
  expect(await service.say('s1', '1')).toMatchObject({ status: 'asking', approval: { input: 'add bread' } });
});

it('is what a tool of the configuration file may ask for too', async () => {
  const wiped: string[] = [];
  const wipe = defineTool({
    name: 'wipe',
    description: 'Wipes a disk',
    input: z.string(),
    approval: true,
    run: (disk) => {
      wiped.push(disk);
      return 'wiped';
    },
  });
  const script = [plan('Wipe'), act('wipe', 'sda'), done(), answer('Wiped.')];
  const service = await startService(script, {}, { file: { tools: [wipe] } });
  expect(await service.say('s1', 'Wipe it')).toMatchObject({ approval: { tool: 'wipe', input: 'sda' } });
  expect(wiped).toEqual([]);
  expect((await decide(service, { type: 'edit', input: 'sdb' })).body.output).toBe('Wiped.');
  expect(wiped).toEqual(['sdb']);
});

it('stops the start for a name that no tool can have', async () => {
  const start = startService([], { TRIPACT_APPROVE: 'todo,tood' });
  await expect(start).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringMatching(/TRIPACT_APPROVE="tood".*todo, view, schedule/),
  });
});
