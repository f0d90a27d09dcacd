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
