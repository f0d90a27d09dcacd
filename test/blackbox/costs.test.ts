import { expect, it } from 'vitest';
import { z } from 'zod';
import type { TaskView } from '../../contracts/turn-view.ts';
import type { ListedUsageDay, UsageDay } from '../../contracts/usage.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { message } from '../support/anthropic/answers.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

const USD = 'USD';
const prices = { currency: USD, models: { m: { input: 3, output: 15, cache_write: 3.75, cache_read: 0.3 } } };
/** Of each call of the local server, 10 tokens in and 5 out: 0.000105. */
const CALL = { input_tokens: 10, output_tokens: 5 };
const env = { TRIPACT_MODEL: 'anthropic:m' };

interface UsageReply {
  today: UsageDay;
  days: ListedUsageDay[];
  next: string | null;
}

/** A tool that runs inside a commit, and so takes no time. */
const TODO = { tool: 'todo', duration_ms: 0 };

const NOTHING = { calls: 0, turns: 0, models: [] };

it('a task shows what it cost in its view, its reply and /status, and its owner what the day did, after a restart too', async () => {
  const cached = message(plan('a'), {
    usage: { ...CALL, cache_creation_input_tokens: 2_000, cache_read_input_tokens: 1_000 },
  });
  const service = await startService([cached, act('todo', 'add milk'), ask('Which?')], env, { file: { prices } });
  expect(await service.get<UsageReply>('/v1/usage')).toMatchObject({ today: NOTHING, days: [], next: null });

  const asking = await service.say('s1', 'Buy milk');
  // 3 calls of 10 and 5, 2,000 written, 1,000 read.
  const soFar = { amount: '0.008115', currency: USD };
  expect(asking.task.cost).toEqual(soFar);
  expect((await service.get<TaskView>(`/v1/tasks/${asking.task_id}`)).cost).toEqual(soFar);
  expect((await service.say('s1', '/status')).output).toContain('Cost so far: 0.008115 USD');

  await service.restart();
  service.model.answer([replanned('b'), done(), answer('ok')]);
  const turn = await service.say('s1', 'The blue one');
  expect(turn.task.cost).toEqual({ amount: '0.00843', currency: USD });
  const { today, days, next } = await service.get<UsageReply>('/v1/usage');
  expect(today).toEqual({
    day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    turns: 2,
    calls: 6,
    usage: { input_tokens: 60, output_tokens: 30, cache_written_tokens: 2_000, cache_read_tokens: 1_000 },
    cost: { amount: '0.00843', currency: USD },
    models: [
      {
        model: 'anthropic:m',
        calls: 6,
        usage: { input_tokens: 60, output_tokens: 30, cache_written_tokens: 2_000, cache_read_tokens: 1_000 },
        cost: { amount: '0.00843', currency: USD },
      },
    ],
  });
  const tools = [{ ...TODO, calls: 1, failed: 0, model_calls: 1, cost: { amount: '0.000105', currency: USD } }];
  expect([days, next]).toEqual([[{ ...today, tools }], null]);
});

it('an unknown price gives no cost, and never a cost of zero', async () => {
  const executors = [{ name: 'writer', description: 'Writes.', model: 'anthropic:unpriced' }];
  const file = { prices, executors };
  const script = [plan({ id: 'w', step: 'write', executor: 'writer' }), done(), answer('ok')];
  const service = await startService([...script, plan(), done(), answer('ok')], env, { file });
  const mixed = await service.say('s1', 'Write');
  expect(mixed.task).not.toHaveProperty('cost');
  const priced = await service.say('s2', 'Hello');
  expect(priced.task.cost).toEqual({ amount: '0.000315', currency: USD });
  const { today } = await service.get<UsageReply>('/v1/usage');
  expect(today).not.toHaveProperty('cost');
  expect(today.models.map(({ model, calls, cost }) => [model, calls, cost?.amount])).toEqual([
    ['anthropic:m', 5, '0.000525'],
    ['anthropic:unpriced', 1, undefined],
  ]);
});

it('each tool has its calls, failures and time, and the cost of the model calls that asked for it', async () => {
  const slow = defineTool({
    name: 'slow',
    description: 'Waits, and fails for no',
    input: z.object({ word: z.string() }),
    run: async ({ word }) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (word === 'no') throw new Error('no');
      return word;
    },
  });
  const executors = [{ name: 'writer', description: 'Writes.', model: 'anthropic:unpriced' }];
  const script = [
    ...[plan('a'), act('slow', '{"word":"yes"}'), act('slow', '{"word":"no"}'), act('todo', 'add milk')],
    ...[act('nothing', 'x'), done(), answer('ok')],
    ...[plan({ id: 'w', step: 'write', executor: 'writer' }), act('todo', 'add tea'), done(), answer('ok')],
  ];
  const service = await startService(script, env, {
    file: { prices, executors, tools: [slow], builtinTools: ['todo'] },
  });
  await service.say('s1', 'Go');
  await service.say('s2', 'Write');
  const { days } = await service.get<UsageReply>('/v1/usage');
  expect(days[0]!.tools).toEqual([
    {
      tool: 'slow',
      calls: 2,
      failed: 1,
      duration_ms: expect.any(Number),
      model_calls: 2,
      cost: { amount: '0.00021', currency: USD },
    },
    // One of its model calls has no price, so their cost is not known.
    { ...TODO, calls: 2, failed: 0, model_calls: 2 },
  ]);
  expect(days[0]!.tools[0]!.duration_ms).toBeGreaterThanOrEqual(38);
});

it('a call without a count of tokens has an unknown cost, and a limit pauses the task', async () => {
  const uncounted = message(done(), { usage: null });
  const script = [plan(), uncounted, answer('ok'), plan(), uncounted, answer('ok')];
  const service = await startService(script, { ...env, TRIPACT_MAX_TASK_TOKENS: '1000' }, { file: { prices } });
  const paused = await service.say('s1', 'Hello');
  expect(paused).toMatchObject({ status: 'paused', task: { pause_reason: 'budget_exhausted' } });
  expect(paused.output).toContain('did not report the tokens of a call');
  expect(paused.task).not.toHaveProperty('cost');
  const { today } = await service.get<UsageReply>('/v1/usage');
  expect(today).toMatchObject({ calls: 2, models: [{ model: 'anthropic:m', calls: 2 }] });
  expect(today).not.toHaveProperty('cost');
  expect(await service.say('s1', 'continue')).toMatchObject({ status: 'answered', output: 'ok' });
});

it('days are listed newest first, by page, to their owner alone, and stay when the session goes, for 400 days', async () => {
  let now = Date.UTC(2026, 0, 5, 23, 59);
  const keys = { TRIPACT_API_KEYS: 'ann:ann-key-0123456789,ben:ben-key-0123456789' };
  const script = { plan: plan(), thought: done(), replan: answer('ok') };
  const service = await startService(script, { ...env, ...keys }, { file: { prices }, now: () => now });
  const as = (owner: string) => ({ authorization: `Bearer ${owner}-key-0123456789` });
  const say = (owner: string, session: string) =>
    service.post(`/v1/sessions/${session}/turns`, { input: 'Hello' }, as(owner));
  const usage = async (owner: string, query = ''): Promise<UsageReply> =>
    (await (await fetch(`${service.url}/v1/usage${query}`, { headers: as(owner) })).json()) as UsageReply;

  await say('ann', 's1');
  now += 60_000;
  await say('ann', 's2');
  await fetch(`${service.url}/v1/sessions/s1`, { method: 'DELETE', headers: as('ann') });
  const { today, days } = await usage('ann');
  expect(today).toMatchObject({ day: '2026-01-06', turns: 1, calls: 3 });
  expect(days.map(({ day, calls }) => [day, calls])).toEqual([
    ['2026-01-06', 3],
    ['2026-01-05', 3],
  ]);
  const first = await usage('ann', '?limit=1');
  expect(first.days.map(({ day }) => day)).toEqual(['2026-01-06']);
  expect((await usage('ann', `?limit=1&cursor=${first.next}`)).days.map(({ day }) => day)).toEqual(['2026-01-05']);
  expect(await usage('ben')).toMatchObject({ today: NOTHING, days: [] });

  now += 401 * 24 * 60 * 60 * 1_000;
  await say('ann', 's3');
  expect((await usage('ann')).days).toHaveLength(1);
});
