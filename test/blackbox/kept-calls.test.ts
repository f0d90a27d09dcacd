import { expect, it } from 'vitest';
import type { ModelCall, ModelCallSummary } from '../../contracts/model-call.ts';
import { DAY_MS } from '../../src/app/retention.ts';
import { apiError, calls as called } from '../support/anthropic/answers.ts';
import { act, answer, done, plan, type Service, startService } from '../support/service/service.ts';

interface Page<Call> {
  calls: Call[];
  next: string | null;
}

/** The kept calls of a task, once there are so many. */
const keptCalls = async (service: Service, task: string | null, count: number): Promise<ModelCallSummary[]> => {
  const read = () => service.get<Page<ModelCallSummary>>(`/v1/tasks/${task}/calls`);
  await expect.poll(async () => (await read()).calls).toHaveLength(count);
  return (await read()).calls;
};

const keptCount = async (service: Service): Promise<number> => {
  const { limits } = await service.get<{ limits: { name: string; used: number }[] }>('/v1/limits');
  return limits.find(({ name }) => name === 'kept_calls')!.used;
};

it('the exact prompt and answer of every call can be read, attempts that failed too, and no secret', async () => {
  const service = await startService([
    plan('Count'),
    apiError(529, { headers: { 'retry-after': '0' }, text: 'overloaded just now' }),
    act('todo', 'list'),
    done(),
    answer('The key is sk-test-0123456789'),
  ]);
  const { task_id } = await service.say('s1', 'Count my todos');
  const calls = await keptCalls(service, task_id, 5);
  expect(calls.map(({ contract, outcome, fault }) => [contract, outcome, fault])).toEqual([
    ['plan', 'answered', 'none'],
    ['thought', 'failed', null],
    ['thought', 'answered', 'none'],
    ['thought', 'answered', 'none'],
    ['replan', 'answered', 'none'],
  ]);
  const whole = await service.get<Page<ModelCall>>(`/v1/tasks/${task_id}/calls/${calls[1]!.effect_id}`);
  expect(whole.next).toBe(null);
  const sent = service.model.requests.slice(1, 3).map(({ body: { tools = [], system, messages } }) => ({
    tools: tools.map(({ name, description, input_schema }) => ({ name, description, schema: input_schema })),
    system,
    messages,
  }));
  expect(whole.calls.map(({ prompt }) => prompt)).toEqual(sent);
  expect(whole.calls.map(({ answer }) => answer)).toEqual([null, JSON.stringify(act('todo', 'list'))]);
  expect(whole.calls.map(({ failure }) => failure)).toEqual([expect.stringContaining('overloaded just now'), null]);
  expect(whole.calls[1]).toMatchObject({
    model: expect.stringMatching(/^anthropic:claude-/),
    structured_output: false,
    usage: { input_tokens: 10, output_tokens: 5 },
    prompt_chars: [JSON.stringify(sent[1]!.tools), sent[1]!.system, sent[1]!.messages[0]!.content].join('').length,
  });
  const last = await service.get<Page<ModelCall>>(`/v1/tasks/${task_id}/calls/${calls[4]!.effect_id}`);
  expect(last.calls[0]!.answer).toContain('The key is [redacted]');

  const page = await service.get<Page<ModelCallSummary>>(`/v1/tasks/${task_id}/calls?limit=2`);
  const rest = await service.get<Page<ModelCallSummary>>(`/v1/tasks/${task_id}/calls?limit=50&cursor=${page.next}`);
  expect([...page.calls, ...rest.calls]).toEqual(calls);
  const none = await service.get<Page<ModelCall>>(`/v1/tasks/${task_id}/calls/${task_id}.99`);
  expect(none).toEqual({ calls: [], next: null });
  expect((await fetch(`${service.url}/v1/tasks/task_0/calls/task_0.1`)).status).toBe(404);
});

it('an answer by calls is kept as its text and its calls, once for all that came of it', async () => {
  const service = await startService([
    called(
      [
        ['todo', { input: 'add sk-test-0123456789' }],
        ['finish', { response: 'invented' }],
      ],
      'First the list.',
    ),
    called([['finish', { response: 'It is on the list.' }]]),
  ]);
  const { task_id } = await service.say('s1', 'Add milk');
  const [first, second] = await keptCalls(service, task_id, 2);
  const read = async ({ effect_id }: ModelCallSummary) =>
    (await service.get<Page<ModelCall>>(`/v1/tasks/${task_id}/calls/${effect_id}`)).calls[0]!;
  const kept = await read(first!);
  expect(kept).toMatchObject({
    contract: 'plan',
    answer: 'First the list.',
    calls: [
      { name: 'todo', input: { input: 'add [redacted]' } },
      { name: 'finish', input: { response: 'invented' } },
    ],
  });
  expect(kept.prompt?.tools?.map(({ name }) => name)).toEqual(expect.arrayContaining(['plan', 'finish', 'todo']));
  expect(kept.answer_chars).toBeGreaterThan(kept.answer!.length);
  expect(await read(second!)).toMatchObject({
    contract: 'thought',
    answer: '',
    calls: [{ name: 'finish', input: { response: 'It is on the list.' } }],
  });
});

it('calls go with their session, and after their days', async () => {
  let days = 0;
  const parts = { now: () => Date.now() + days * DAY_MS };
  const script = { plan: plan('Think'), thought: done(), replan: answer('Done') };
  const service = await startService(script, { TRIPACT_KEEP_PROMPTS: '2' }, parts);
  const first = await service.say('s1', 'One');
  await keptCalls(service, first.task_id, 3);
  const second = await service.say('s2', 'Two');
  await keptCalls(service, second.task_id, 3);
  expect(await keptCount(service)).toBe(6);
  await fetch(`${service.url}/v1/sessions/s2`, { method: 'DELETE' });
  expect(await keptCount(service)).toBe(3);

  days = 3;
  const trace = await service.trace('s1');
  await service.restart();
  await keptCalls(service, first.task_id, 0);
  expect(await keptCount(service)).toBe(0);
  expect(await service.trace('s1')).toEqual(trace);

  await service.restart({ TRIPACT_KEEP_PROMPTS: '0' });
  const third = await service.say('s1', 'Three');
  await service.restart();
  expect((await service.get<Page<ModelCallSummary>>(`/v1/tasks/${third.task_id}/calls`)).calls).toEqual([]);
});
