import { expect, it, onTestFinished } from 'vitest';
import { message } from '../support/anthropic/answers.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { startServe } from '../support/cli/cli-process.ts';
import { startCollector } from '../support/service/collector.ts';
import { act, answer, done, plan } from '../support/service/service.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SECRET = 'key-of-a-provider-0123456789';
const CALLER = '00f067aa0ba902b7';

it('a turn is a trace of model calls and tool calls that continues the caller’s, without a word of theirs, and is in the log lines', async () => {
  const cached = message(plan('buy milk'), {
    usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 200, cache_read_input_tokens: 1_000 },
  });
  const model = await startMessagesServer([cached, act('todo', 'add secret milk'), done(), answer('Bought')]);
  onTestFinished(() => model.close());
  const collector = await startCollector();
  const serve = await startServe({
    env: {
      TRIPACT_MODEL: 'anthropic:m',
      ANTHROPIC_BASE_URL: model.url,
      TRIPACT_LOG_LEVEL: 'debug',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-key-1',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
  });
  const post = (session: string, input: string, headers: Record<string, string> = {}) =>
    fetch(`${serve.url}/v1/sessions/${session}/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ input }),
    });
  const turn = (await (
    await post('s1', 'Buy the secret milk', { traceparent: `00-${TRACE_ID}-${CALLER}-01` })
  ).json()) as { id: string; task_id: string; status: string };
  expect(turn.status).toBe('answered');
  await post('s2', '/todo list', { traceparent: 'nonsense' });
  serve.child.kill('SIGTERM');
  // Spans that were not sent yet are sent at the end.
  const { code, stderr } = await serve.ended;
  expect(code).toBe(0);

  for (const { headers } of collector.seen) expect(headers).toMatchObject({ authorization: 'Bearer collector-key-1' });
  const asked = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'anthropic', 'gen_ai.request.model': 'm' };
  const tokens = (sum: number) => [{ unit: '{token}', count: 4, sum, attributes: asked }];
  expect(collector.histograms()).toEqual({
    'gen_ai.client.inference.duration': [{ unit: 's', count: 4, sum: expect.any(Number), attributes: asked }],
    'gen_ai.client.inference.operation.input_tokens': tokens(1_240),
    'gen_ai.client.inference.operation.output_tokens': tokens(20),
  });
  const spans = collector.spans();
  const task = spans.filter(({ traceId }) => traceId === TRACE_ID);
  const root = task.find(({ parentSpanId }) => parentSpanId === CALLER);
  expect(root).toMatchObject({
    name: 'invoke_agent tripact',
    kind: 1,
    status: 0,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.agent.name': 'tripact',
      'gen_ai.conversation.id': 's1',
      'tripact.turn.id': turn.id,
      'tripact.task.id': turn.task_id,
      'tripact.turn.status': 'answered',
      'gen_ai.usage.input_tokens': 1_240,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 1_000,
    },
    resource: { 'service.name': 'tripact', 'deployment.environment.name': 'test' },
  });
  const below = task.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
  expect(below.map(({ name }) => name)).toEqual(['plan tripact', 'chat m', 'execute_tool todo', 'chat m', 'chat m']);
  expect(task).toHaveLength(7);
  expect(below[0]).toMatchObject({
    kind: 1,
    attributes: { 'gen_ai.operation.name': 'plan', 'gen_ai.agent.name': 'tripact', 'tripact.outcome': 'answered' },
  });
  expect(task.find(({ parentSpanId }) => parentSpanId === below[0]?.spanId)).toMatchObject({
    name: 'chat m',
    kind: 3,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'm',
      'gen_ai.usage.input_tokens': 1_210,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.usage.cache_write.input_tokens': 200,
      'gen_ai.usage.cache_read.input_tokens': 1_000,
      'tripact.contract': 'plan',
      'tripact.outcome': 'answered',
    },
  });
  expect(below[2]).toMatchObject({
    kind: 1,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'todo',
      'gen_ai.tool.type': 'function',
      'tripact.outcome': 'ok',
    },
  });
  for (const { milliseconds } of below) expect(milliseconds).toBeLessThanOrEqual(root!.milliseconds + 1);
  const [command, ...others] = spans.filter(({ traceId }) => traceId !== TRACE_ID);
  expect([command?.name, command?.parentSpanId, others]).toEqual(['command', undefined, []]);
  expect(JSON.stringify(spans)).not.toMatch(/milk|Bought/);

  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const ids = { trace_id: TRACE_ID, span_id: root?.spanId };
  expect(lines.find(({ msg, turn_id }) => msg === 'request ended' && turn_id === turn.id)).toMatchObject(ids);
  const steps = lines.filter(({ msg, task_id }) => msg === 'step' && task_id === turn.task_id);
  expect(steps.map(({ event }) => event)).toEqual([
    'task.opened',
    'plan.made',
    'thought.made',
    'observation.recorded',
    'thought.made',
    'replan.made',
  ]);
  for (const step of steps) expect(step).toMatchObject({ session_id: 's1', step_limit: 60, ...ids });
  expect(steps.at(-1)).toMatchObject({ state: 'done', step_count: 4 });
  expect(stderr).not.toMatch(/milk|Bought|collector-key-1/);
});

it('texts are on the spans where OpenTelemetry’s variable asks for them, without the service’s secrets, and a decision has its verdict and wait', async () => {
  const model = await startMessagesServer([plan('buy milk'), act('todo', 'add secret milk'), done(), answer('Bought')]);
  onTestFinished(() => model.close());
  const collector = await startCollector();
  const serve = await startServe({
    env: {
      TRIPACT_MODEL: 'anthropic:m',
      TRIPACT_APPROVE: 'todo',
      ANTHROPIC_BASE_URL: model.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_ONLY',
      OTHER_API_KEY: SECRET,
    },
  });
  const say = async (input: string) => {
    const response = await fetch(`${serve.url}/v1/sessions/s1/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input }),
    });
    return (await response.json()) as { status: string };
  };
  expect((await say(`Buy the secret milk with ${SECRET}`)).status).toBe('asking');
  expect((await say('yes')).status).toBe('answered');
  serve.child.kill('SIGTERM');
  await serve.ended;

  const spans = collector.spans();
  const chats = spans.filter(({ name }) => name === 'chat m');
  const [first] = chats;
  expect(String(first?.attributes['gen_ai.input.messages'])).toContain('Buy the secret milk with');
  expect(JSON.stringify(spans)).not.toContain(SECRET);
  expect(JSON.parse(String(first?.attributes['gen_ai.system_instructions']))).toEqual([
    { type: 'text', content: expect.any(String) },
  ]);
  expect(JSON.parse(String(chats.at(-1)?.attributes['gen_ai.output.messages']))).toEqual([
    { role: 'assistant', parts: [expect.objectContaining({ type: expect.stringMatching(/^(text|tool_call)$/) })] },
  ]);
  expect(spans.find(({ name }) => name === 'execute_tool todo')?.attributes).toMatchObject({
    'gen_ai.tool.call.arguments': 'add secret milk',
    'gen_ai.tool.call.result': expect.stringContaining('secret milk'),
  });
  const decided = spans.filter(({ attributes }) => 'tripact.approval.wait' in attributes);
  expect(decided).toMatchObject([
    { name: 'invoke_agent tripact', attributes: { 'tripact.approval.verdict': 'approve' } },
  ]);
  expect(Number(decided[0]?.attributes['tripact.approval.wait'])).toBeGreaterThanOrEqual(0);
});
