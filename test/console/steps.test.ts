import { expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import {
  failureOf,
  folded,
  type Step,
  stepsByTurn,
  tookMs,
  toolTitle,
  withForkedSteps,
} from '../../src/console/chat/steps.ts';
import { argumentOf } from '../../src/console/history/call-of-tool.ts';

const second = (seq: number): string => new Date(Date.UTC(2026, 10, 25, 14, 2, seq)).toISOString();

/** Entries of one task, a second each: an event, and the effects that it asked for. */
const entriesOf = (...lines: [event: object, ...effects: object[]][]): TraceEntry[] =>
  lines.map(
    ([event, ...effects], i) =>
      ({ seq: i + 1, at: second(i + 1), task_id: 't1', state: 'acting', event, effects }) as unknown as TraceEntry,
  );

const opened = { type: 'task.opened', turn_id: 'u1', goal: 'Look' };
const plan = { effect: 1, type: 'model.plan', params: { attempt: 1 } };
const planned = { type: 'plan.made', effect: 1, plan: ['Look', { id: 'b', step: 'Write' }] };
const thought = (effect: number) => ({ effect, type: 'model.thought', params: { item_id: 'a', may: [] } });
const thinks = (effect: number) => ({ type: 'thought.made', effect });
const call = (effect: number, tool: string, input: string) => ({ effect, type: 'tool.call', params: { tool, input } });
const seen = (effect: number, tool: string, input: string, ok: boolean, result: string) => ({
  type: 'observation.recorded',
  effect,
  tool,
  input,
  ok,
  result,
});

const lines = (entries: TraceEntry[], turn = 'u1'): string[] =>
  folded(stepsByTurn(entries).get(turn) ?? []).map(
    (run) => `${run[0]?.kind} ${run[0]?.tool} ${run[0]?.state} ×${run.length} ${tookMs(run)}`,
  );

it('gives the turn that began a fork what went on since, and nothing that the fork took over', () => {
  const copied = entriesOf(
    [opened, plan],
    [planned, thought(2)],
    [thinks(2), call(3, 'order', '1')],
    [seen(3, 'order', '1', true, '{}'), thought(4)],
    [thinks(4), call(5, 'photo_read', 'a.jpg')],
  ).map((entry) => ({ ...entry, at: second(10) }));
  const [result] = entriesOf([seen(5, 'photo_read', 'a.jpg', true, 'red'), thought(6)]);
  const entries = [...copied, { ...result!, seq: 6, at: second(12) }];
  const first = { id: 'fork', created_at: second(10) };
  const forked = withForkedSteps(stepsByTurn(entries), [first]).get('fork') ?? [];
  expect(forked.map(({ tool, state }) => [tool, state])).toEqual([
    ['photo_read', 'done'],
    ['', 'running'],
  ]);
  // The original, and a session whose turns are not known.
  const byTurn = stepsByTurn(entries);
  expect(withForkedSteps(byTurn, [{ id: 'u1', created_at: second(1) }])).toBe(byTurn);
  expect(withForkedSteps(byTurn, [])).toBe(byTurn);
});

it('shows a call from its request to its result, and a thought only while it runs', () => {
  const entries = entriesOf(
    [opened, plan],
    [planned, thought(2)],
    [thinks(2), call(3, 'order', '{"id":1043}')],
    [seen(3, 'order', '{"id":1043}', true, '{}'), thought(4)],
    [thinks(4), call(5, 'photo_read', 'a.jpg')],
    [seen(5, 'photo_read', 'a.jpg', false, '503: busy'), thought(6)],
  );
  expect(lines(entries.slice(0, 1))).toEqual(['plan  running ×1 0']);
  expect(lines(entries.slice(0, 3))).toEqual(['plan  done ×1 1000', 'tool order running ×1 0']);
  expect(lines(entries)).toEqual([
    'plan  done ×1 1000',
    'tool order done ×1 1000',
    'tool photo_read failed ×1 1000',
    'thought  running ×1 0',
  ]);
  const steps = stepsByTurn(entries).get('u1') as Step[];
  expect(steps[0]?.items).toEqual(['Look', 'Write']);
  expect(steps.map(({ input }) => argumentOf(input))).toEqual(['', '1043', 'a.jpg', '']);
  expect(failureOf({ ...(steps[2] as Step), result: '\nphoto_read failed: 503: busy\nat x' })).toBe('503: busy');
  expect(toolTitle('photo_read')).toBe('Photo read');
});

it('tells a call from another by what a tool does and with what', () => {
  const told = (input: unknown): string => argumentOf(JSON.stringify(input));
  expect(told({ command: 'write', path: 'policies.md', text: '# We' })).toBe('write policies.md');
  expect(told({ command: 'ls' })).toBe('ls');
  expect(told({ page: 'https://www.shop.example/refunds', depth: 2 })).toBe('shop.example/refunds');
  expect(told({ all: true })).toBe('');
});

it('folds the same in a row, counts what ran at once once, and keeps failures of another kind apart', () => {
  const batch = {
    effect: 2,
    type: 'tool.batch',
    params: { calls: ['a', 'b'].map((input) => ({ tool: 'read', input })) },
  };
  const observations = ['a', 'b'].map((input) => ({ tool: 'read', input, ok: true, result: input }));
  const entries = entriesOf(
    [opened, batch],
    [{ type: 'observations.recorded', effect: 2, observations }, call(3, 'read', 'c')],
    [seen(3, 'read', 'c', true, 'c'), call(4, 'read', 'd')],
    [seen(4, 'read', 'd', false, 'gone'), call(5, 'read', 'd')],
    [seen(5, 'read', 'd', false, 'busy')],
  );
  expect(lines(entries.slice(0, 1))).toEqual(['tool read running ×2 0']);
  expect(lines(entries)).toEqual(['tool read done ×3 2000', 'tool read failed ×1 1000', 'tool read failed ×1 1000']);
});

it('says nothing of a replan that changes nothing, and what is left of one that does', () => {
  const replan = (effect: number) => ({ effect, type: 'model.replan', params: { attempt: 1 } });
  const replanned = (effect: number, ...steps: string[]) => ({
    type: 'replan.made',
    effect,
    status: 'replanned',
    plan: steps,
  });
  const entries = entriesOf(
    [opened, plan],
    [planned, replan(2)],
    [replanned(2, 'Write'), replan(3)],
    [replanned(3, 'Ask')],
  );
  expect(
    stepsByTurn(entries)
      .get('u1')
      ?.map(({ kind, items }) => [kind, ...items]),
  ).toEqual([
    ['plan', 'Look', 'Write'],
    ['replan', 'Ask'],
  ]);
});

it('gives each turn the steps after it, and leaves no call of an ended task running', () => {
  const entries = entriesOf(
    [opened, call(1, 'read', 'a')],
    [{ type: 'steer.received', turn_id: 'u2', text: 'Short' }],
    [seen(1, 'read', 'a', true, 'a'), call(2, 'write', 'b')],
    [{ type: 'task.cancelled', turn_id: null }],
  );
  entries[3] = { ...entries[3], state: 'cancelled' } as TraceEntry;
  expect(lines(entries)).toEqual(['tool read done ×1 2000']);
  expect(lines(entries, 'u2')).toEqual(['tool write stopped ×1 1000']);
});
