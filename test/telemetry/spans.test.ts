import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, it } from 'vitest';
import type { Effect } from '../../contracts/event.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { createLog } from '../../src/lib/log.ts';
import { capturesContent } from '../../src/telemetry/tracing/content.ts';
import { openTracing } from '../../src/telemetry/tracing/open-tracing.ts';
import { createSpans } from '../../src/telemetry/tracing/spans.ts';
import { samplerOf } from '../../src/telemetry/tracing/tracing.ts';
import { someTurn } from '../support/http/stub-engine.ts';

const record = (sampler?: string, ratio?: string) => {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor({ exporter })];
  const tracer = new TracerProvider({ spanProcessors, sampler: samplerOf(sampler, ratio) }).getTracer('test');
  const spans = createSpans(tracer, { model: 'anthropic:m', version: '1' });
  /** The exported spans so far: names, with whether each is an error. */
  const ended = () =>
    exporter
      .getFinishedSpans()
      .map(({ name, status, attributes }) => ({ name, status: status.code, error: attributes['error.type'] }));
  const { telemetry } = spans;
  const reported = (turn: TurnView, traceparent?: string): void =>
    telemetry.committed({ session_id: 's1', duration_ms: 1, steps: [], turns: [{ turn, traceparent }] });
  return { exporter, spans, telemetry, reported, ended };
};

const running: TurnView = { ...someTurn(false), task_id: 'task_1' };
const asked: Effect = { effect: 1, type: 'model.plan', params: { attempt: 1 } };
const origin = { session_id: 's1', task_id: 'task_1', effect_id: 'task_1.1', turn_id: 'turn_1', model: 'anthropic:m' };

it('a turn that another process began is its own trace, with all work of this process for it', () => {
  const { exporter, telemetry, reported } = record();
  for (const _ of [1, 2]) telemetry.effectStarted(asked, origin).ended('unavailable', undefined);
  reported({ ...running, status: 'paused', finished_at: running.created_at });
  const [one, planOne, two, planTwo, turn] = exporter.getFinishedSpans();
  const parents = [one, planOne, two, planTwo].map((span) => span?.parentSpanContext?.spanId);
  const [id, first, second] = [turn, planOne, planTwo].map((span) => span?.spanContext().spanId);
  expect(parents).toEqual([first, id, second, id]);
  expect([planOne?.attributes['error.type'], planOne?.status.code]).toEqual(['model_unavailable', 2]);
  expect([one?.attributes['error.type'], one?.status.code]).toEqual(['model_unavailable', 2]);
  expect([turn?.attributes['error.type'], turn?.status.code]).toEqual(['paused', 2]);
});

it('an answer outside the contract, a cancel and the end of the service are not errors of a call', () => {
  const { spans, telemetry, reported, ended } = record();
  reported(running);
  telemetry.effectStarted(asked, origin).ended('aborted', undefined);
  telemetry.effectStarted(asked, origin).ended('rejected', undefined);
  spans.endAll();
  expect(ended()).toEqual([
    { name: 'chat m', status: 0, error: undefined },
    { name: 'plan tripact', status: 0, error: undefined },
    { name: 'chat m', status: 0, error: undefined },
    { name: 'plan tripact', status: 0, error: undefined },
    { name: 'invoke_agent tripact', status: 0, error: undefined },
  ]);
});

it.each([
  ['google:gemini', 'gcp.gemini'],
  ['mistral:large', 'mistral_ai'],
  ['openai:gpt', 'openai'],
  ['offline', 'offline'],
])('the provider of the model %s is %s, as the conventions name it', (model, provider) => {
  const { telemetry, exporter } = record();
  telemetry.effectStarted(asked, { ...origin, model }).ended('answered', undefined);
  expect(exporter.getFinishedSpans()[0]?.attributes['gen_ai.provider.name']).toBe(provider);
});

it.each([
  ['true', true],
  ['SPAN_ONLY', true],
  ['span_and_event', true],
  ['EVENT_ONLY', false],
  ['NO_CONTENT', false],
  [undefined, false],
])('content is captured by the variable %s: %s', (value, isCaptured) => {
  const env = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: value };
  expect(capturesContent(env)).toBe(isCaptured);
});

it.each([
  { sampler: undefined, ratio: undefined, caller: '01', count: 1 },
  { sampler: undefined, ratio: undefined, caller: '00', count: 0 },
  { sampler: 'always_off', ratio: undefined, caller: '01', count: 0 },
  { sampler: 'no such sampler', ratio: undefined, caller: '01', count: 1 },
])(
  'OTEL_TRACES_SAMPLER=$sampler decides on a caller’s trace with flags $caller',
  ({ sampler, ratio, caller, count }) => {
    const { spans, reported, ended } = record(sampler, ratio);
    const traceparent = `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-${caller}`;
    reported(someTurn(true), traceparent);
    expect(ended()).toHaveLength(count);
    // Lines of the log have the trace's id in any case.
    expect(spans.idsOf('turn_1')?.trace_id).toMatch(/^[0-9a-f]{32}$/);
  },
);

it.each([
  { env: {}, warning: null },
  { env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' }, warning: null },
  { env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_TRACES_EXPORTER: 'none' }, warning: null },
  { env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, warning: /must be an http or https URL/ },
  {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    warning: /http\/json/,
  },
])('nothing is traced with $env, and one line says why where it was meant to be', async ({ env, warning }) => {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', pretty: false });
  log.warn = (line: unknown) => void lines.push(String(line));
  expect(await openTracing(env, { model: 'offline', version: '1', mask: String, log })).toBeNull();
  expect(lines).toEqual(warning === null ? [] : [expect.stringMatching(warning)]);
});

it('the spans of an agent with a name have that name', () => {
  const { exporter, telemetry, reported } = record();
  telemetry.effectStarted(asked, { ...origin, agent: 'desk' }).ended('answered', undefined);
  reported({ ...running, status: 'answered', finished_at: running.created_at });
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ name }) => name)).toEqual(['chat m', 'plan desk', 'invoke_agent desk']);
  expect(spans.map(({ attributes }) => attributes['gen_ai.agent.name'])).toEqual(['desk', 'desk', 'desk']);
});
