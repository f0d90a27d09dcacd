import { expect, it } from 'vitest';
import type { Effect } from '../../contracts/event.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { stubEngine } from '../support/http/stub-engine.ts';
import { samplesOf } from '../support/service/read-metrics.ts';

const { activity, isReady } = stubEngine({});

const toolCall = (tool: string): Effect => ({
  effect: 1,
  type: 'tool.call',
  params: { tool, input: 'a', item_id: null, executor: 'default' },
});

it('names that never end make no endless series: past a bound all count as others', async () => {
  const { telemetry, exposition } = createMetrics({ activity, isReady, version: '1' });
  const origin = { session_id: 's', task_id: 'task_1', effect_id: 'task_1.1', turn_id: null, model: 'm' };
  for (let i = 0; i < 1_000; i++) telemetry.effectStarted(toolCall(`tool_${i}`), origin).ended('aborted', undefined);
  telemetry.effectStarted(toolCall('tool_0'), origin).ended('aborted', undefined);
  const calls = [...samplesOf((await exposition()).text)].filter(([name]) =>
    name.startsWith('tripact_tool_calls_total'),
  );
  expect(calls).toHaveLength(201);
  expect(Object.fromEntries(calls)).toMatchObject({
    'tripact_tool_calls_total{tool="tool_0",outcome="aborted"}': 2,
    'tripact_tool_calls_total{tool="other",outcome="aborted"}': 800,
  });
});

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
