import { expect, it } from 'vitest';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { stubEngine } from '../support/http/stub-engine.ts';
import { samplesOf } from '../support/service/read-metrics.ts';

const { activity, isReady } = stubEngine({});

it('two applications count apart, and what was counted before the first reading is in it', async () => {
  const [one, other] = [
    createMetrics({ activity, isReady, version: '1' }),
    createMetrics({ activity, isReady, version: '2' }),
  ];
  one.eventStreamed();
  const [ours, theirs] = await Promise.all([one.exposition(), other.exposition()]);
  expect(samplesOf(ours.text).get('tripact_events_streamed_total')).toBe(1);
  expect(samplesOf(theirs.text).get('tripact_events_streamed_total')).toBe(0);
});

it('what an alert watches begins at 0, so that the first time is an increase', async () => {
  const { text } = await createMetrics({ activity, isReady, version: '1', homes: () => [] }).exposition();
  const samples = samplesOf(text);
  for (const name of [
    'tripact_tasks_paused_total{reason="crash_loop"}',
    'tripact_callbacks_total{outcome="given_up"}',
    'tripact_forwards_total{outcome="unreachable"}',
    'tripact_homes_lost_total',
  ])
    expect(samples.get(name), name).toBe(0);
});

it('a model call is in the histograms of the GenAI conventions, with its tokens where they are known', async () => {
  const { telemetry, exposition } = createMetrics({ activity, isReady, version: '1' });
  const origin = { session_id: 's1', task_id: 'task_1', effect_id: 'task_1.1', turn_id: 'turn_1', model: 'google:m' };
  const call = () => telemetry.effectStarted({ effect: 1, type: 'model.plan', params: { attempt: 1 } }, origin);
  call().ended('answered', { input_tokens: 10, output_tokens: 5, cache_read_tokens: 1_000 });
  call().ended('unavailable', undefined);
  const samples = samplesOf((await exposition()).text);
  const labels = 'gen_ai_operation_name="chat",gen_ai_provider_name="gcp.gemini",gen_ai_request_model="m"';
  expect(samples.get(`gen_ai_client_inference_operation_input_tokens_sum{${labels}}`)).toBe(1_010);
  expect(samples.get(`gen_ai_client_inference_operation_output_tokens_sum{${labels}}`)).toBe(5);
  expect(samples.get(`gen_ai_client_inference_operation_input_tokens_bucket{le="1024",${labels}}`)).toBe(1);
  expect(samples.get(`gen_ai_client_inference_operation_input_tokens_bucket{le="256",${labels}}`)).toBe(0);
  expect(samples.get(`gen_ai_client_inference_duration_seconds_count{${labels}}`)).toBe(1);
  const failed = `gen_ai_client_inference_duration_seconds_count{${labels},error_type="model_unavailable"}`;
  expect(samples.get(failed)).toBe(1);
});

it('an agent with a name is a label of turns and of the calls made for it', async () => {
  const { telemetry, exposition } = createMetrics({ activity, isReady, version: '1' });
  const origin = { session_id: 's1', task_id: 'task_1', effect_id: 'task_1.1', turn_id: 'turn_1', model: 'm' };
  const effect = { effect: 1, type: 'model.plan', params: { attempt: 1 } } as const;
  telemetry
    .effectStarted(effect, { ...origin, agent: 'desk' })
    .ended('answered', { input_tokens: 10, output_tokens: 5 });
  telemetry.effectStarted(effect, origin).ended('answered', { input_tokens: 1, output_tokens: 1 });
  const samples = samplesOf((await exposition()).text);
  expect(samples.get('tripact_model_calls_total{model="m",agent="desk",contract="plan",outcome="answered"}')).toBe(1);
  expect(samples.get('tripact_model_tokens_total{model="m",agent="desk",kind="input"}')).toBe(10);
  expect(samples.get('tripact_model_tokens_total{model="m",kind="input"}')).toBe(1);
});
