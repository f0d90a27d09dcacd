import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/tools/define-tool.ts';
import { delayed, message } from '../support/anthropic/answers.ts';
import { serve } from '../support/http/local-server.ts';
import { readMetrics } from '../support/service/read-metrics.ts';
import { LOCAL_RECEIVER } from '../support/service/receiver.ts';
import { act, answer, ask, done, plan, startService } from '../support/service/service.ts';

const env = { TRIPACT_MODEL: 'anthropic:m' };
const prices = { currency: 'USD', models: { m: { input: 3, output: 15, cache_write: 3.75, cache_read: 0.3 } } };

/** A tool of one's own that works outside the store; fails for `no`. */
const press = defineTool({
  name: 'press',
  description: 'Presses a button.',
  effect: 'idempotent',
  input: z.object({ how: z.string() }),
  run: ({ how }) => {
    if (how === 'no') throw new Error('it is stuck');
    return 'pressed';
  },
});

it('the metrics show what models and tools did, how long it took, and what it cost', async () => {
  const cached = message(plan('press it'), {
    usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 2_000, cache_read_input_tokens: 1_000 },
  });
  const script = [
    cached,
    'no JSON at all',
    act('press', '{"how":"yes"}'),
    act('press', '{"how":"no"}'),
    act('todo', 'add milk'),
    done(),
    answer('ok'),
  ];
  const service = await startService(script, env, { file: { prices, tools: [press], builtinTools: ['todo'] } });
  expect(await service.say('s-secret', 'Press it')).toMatchObject({ status: 'answered' });
  expect(await service.say('s-secret', '/tool press {"how":"yes"}')).toMatchObject({ status: 'ran' });

  const samples = await readMetrics(service.url);
  const model = 'model="anthropic:m"';
  expect(Object.fromEntries(samples)).toMatchObject({
    'tripact_turns_total{status="answered"}': 1,
    tripact_turns_running: 0,
    tripact_turns_queued: 0,
    [`tripact_model_calls_total{${model},contract="plan",outcome="answered"}`]: 1,
    [`tripact_model_calls_total{${model},contract="thought",outcome="rejected"}`]: 1,
    [`tripact_model_calls_total{${model},contract="thought",outcome="answered"}`]: 4,
    [`tripact_model_calls_total{${model},contract="replan",outcome="answered"}`]: 1,
    [`tripact_model_call_duration_seconds_count{${model}}`]: 7,
    [`tripact_model_tokens_total{${model},kind="input"}`]: 70,
    [`tripact_model_tokens_total{${model},kind="output"}`]: 35,
    [`tripact_model_tokens_total{${model},kind="cache_write"}`]: 2_000,
    [`tripact_model_tokens_total{${model},kind="cache_read"}`]: 1_000,
    [`tripact_model_cost_total{${model},currency="USD"}`]: expect.closeTo(0.008535, 9),
    'tripact_tool_calls_total{tool="press",outcome="ok"}': 2,
    'tripact_tool_calls_total{tool="press",outcome="failed"}': 1,
    'tripact_tool_calls_total{tool="todo",outcome="ok"}': 1,
    'tripact_tool_call_duration_seconds_count{tool="todo"}': 1,
    'tripact_steps_total{event="task.opened"}': 1,
    'tripact_steps_total{event="observation.recorded"}': 3,
    'tripact_effects_open{type="tool.call"}': 0,
    'tripact_build_info{version="0.0.0"}': 1,
    tripact_ready: 1,
  });
  expect(samples.get('tripact_commit_duration_seconds_count')).toBeGreaterThan(10);
  for (const name of [
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_heap_size_used_bytes',
  ])
    expect(samples.get(name)).toBeGreaterThan(0);
  expect([...samples.keys()].join('\n')).not.toMatch(/secret|local"|task_|turn_0/);
});

it('the metrics show callbacks that are to be posted, were delivered, and were given up', async () => {
  const gate = Promise.withResolvers<void>();
  const codes = [204, 410];
  const { origin } = await serve((_, response) => void response.writeHead(codes.shift() ?? 204).end());
  const service = await startService([delayed(gate.promise, plan('a')), ask('Which?')], { ...env, ...LOCAL_RECEIVER });
  const callback_url = `${origin}/hook`;
  const body = { input: 'Buy something', callback_url };
  await service.post('/v1/sessions/s1/turns', body, { prefer: 'respond-async' });
  expect((await readMetrics(service.url)).get('tripact_callbacks_pending')).toBe(1);
  gate.resolve();
  await expect
    .poll(async () => (await readMetrics(service.url)).get('tripact_callbacks_total{outcome="delivered"}'))
    .toBe(1);
  await service.say('s2', '/help', { callback_url });
  await expect
    .poll(async () => (await readMetrics(service.url)).get('tripact_callbacks_total{outcome="given_up"}'))
    .toBe(1);
  const metrics = await readMetrics(service.url);
  expect(metrics.get('tripact_callbacks_pending')).toBe(0);
  expect(metrics.get('tripact_callback_posts_total{outcome="accepted"}')).toBe(1);
  expect(metrics.get('tripact_callback_posts_total{outcome="refused"}')).toBe(1);
});
