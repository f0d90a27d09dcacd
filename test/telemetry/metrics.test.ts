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
