import { expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createModelCalls } from '../../src/store/sqlite/model-calls.ts';
import type { OutsideTool } from '../../src/tools/port.ts';
import { acts, asks, concludes, finishes, plans } from '../support/engine/model-answers.ts';
import { openSqliteEngine } from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';

const CALLS = 90;

const echo: OutsideTool = {
  name: 'echo',
  description: 'Says it again.',
  usage: 'Any text.',
  effect: 'idempotent',
  writes: false,
  run: async (input) => ({ ok: true, result: input }),
};

it('a task of long calls is stored and loaded in pieces that hold nobody up', MEASURED_AGAIN, async () => {
  let n = 0;
  const model = createScriptedModel({
    plan: plans('One'),
    thought: () =>
      n++ < CALLS ? acts('echo', `${n} ${'好'.repeat(31_000)}`) : n === CALLS + 1 ? asks('Which?') : finishes(),
    replan: concludes('Done.'),
  });
  const limits = { max_steps: 300, max_total_steps: 300, max_rounds_per_item: 300 };
  const opened = openSqliteEngine({ model, tools: [echo], limits });
  const session = sessionOf(opened.engine);
  const working = await longestBlock(async () => {
    expect(await session.ask('Go')).toMatchObject({ status: 'asking' });
  });
  await opened.engine.close();
  const { engine } = opened.reopen();
  const loading = await longestBlock(async () => {
    expect(await sessionOf(engine).ask('That one')).toMatchObject({ output: 'Done.' });
  });
  expect(model.requests.at(-2)!.task.observations).toHaveLength(CALLS);
  expect(Math.max(working, loading), `${working} and ${loading} ms`).toBeLessThan(50);
});

it('calls of a task with the longest plan are kept without reading it for each', MEASURED_AGAIN, async () => {
  const { engine, store } = openSqliteEngine({
    model: createScriptedModel({ plan: plans('One'), thought: asks('What?') }),
  });
  const { task_id } = await sessionOf(engine).ask('Go');
  store.db.prepare('UPDATE tasks SET view = ?').run(JSON.stringify({ plan: '事'.repeat(800_000) }));
  // As where many tasks have such plans: none of it stays in memory.
  store.db.pragma('cache_size = 20');
  const errors = { read: (work: unknown) => work } as unknown as Parameters<typeof createModelCalls>[1];
  const call = (i: number) => ({
    ...{ task_id: task_id!, effect_id: `${task_id}.${i}`, at: 0, facts: '{}' },
    ...{ body: Buffer.alloc(100), system: null },
  });
  const calls = Array.from({ length: 400 }, (_, i) => call(i));
  const keep = () => createModelCalls(store.db, errors).add(calls, 1_000_000);
  expect(await longestBlock(keep)).toBeLessThan(50);
  expect(store.db.prepare('SELECT count(*) FROM model_calls WHERE owner = ?').pluck().get('local')).toBeGreaterThan(
    399,
  );
});
