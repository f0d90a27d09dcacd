import { expect, it } from 'vitest';
import { createCopyHistory } from '../../src/engine/copied-history.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { prepareReads } from '../../src/store/sqlite/statements.ts';
import { createStoreReads } from '../../src/store/sqlite/store-reads.ts';
import { asks, concludes, finishes, plans, replans } from '../support/engine/model-answers.ts';
import { openSqliteEngine } from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';
import { callsInTurns } from '../support/turn-counts.ts';

/** The longest conclusion of an item that a model may give. */
const LONG = 'y'.repeat(64_000);

it('turns that joined a task share the stored reply, and each shows it, also after a restart', async () => {
  const gate = Promise.withResolvers<ReturnType<typeof finishes>>();
  let n = 0;
  const model = createScriptedModel({
    plan: plans('One'),
    thought: () => gate.promise,
    replan: () => replans(`Next ${n++}`),
  });
  const opened = openSqliteEngine({ model });
  const session = sessionOf(opened.engine);
  const turns = [await session.send('Go')];
  await model.asked(2);
  for (let i = 0; i < 40; i++) turns.push(await session.send(`And ${i}`, { on_busy: 'steer' }));
  gate.resolve(finishes(LONG));
  const replies = await Promise.all(turns.map((turn) => session.reply(turn)));
  const { stored, longest } = opened.store.db
    .prepare<[], { stored: number; longest: number }>(
      'SELECT sum(octet_length(reply)) AS stored, max(octet_length(reply)) AS longest FROM turns',
    )
    .get()!;
  expect(longest).toBeGreaterThan(LONG.length);
  expect(stored).toBe(longest);
  await opened.engine.close();
  const { engine } = opened.reopen();
  for (const reply of replies) expect(await engine.turn('local', reply.id)).toEqual(reply);
});

it('results of items that ended are kept whole up to a length in all, the newest first', async () => {
  let n = 0;
  const model = createScriptedModel({
    plan: plans('Step 0'),
    thought: finishes(LONG),
    replan: () => (n === 8 ? concludes('Done') : replans(`Step ${++n}`)),
  });
  const { engine } = openSqliteEngine({ model });
  const { task } = await sessionOf(engine).ask('Go');
  const lengths = task!.plan.map(({ result }) => result?.length ?? 0);
  expect(lengths).toEqual([...Array.from({ length: 7 }, () => 2_000), LONG.length, LONG.length]);
});

it('a task of long plans is snapped often, so that a load folds few of them, and its trace and forks have all', async () => {
  let n = 0;
  const plan = () => Array.from({ length: 12 }, (_, i) => `${n++} ${i} ${'w'.repeat(3_900)}`);
  const hang = new Promise<never>(() => {});
  const model = createScriptedModel({
    plan: () => plans(...plan()),
    thought: () => (n > 300 ? hang : finishes()),
    replan: () => replans(...plan()),
  });
  const { engine, store } = openSqliteEngine({ model, limits: { max_steps: 200 } });
  const session = sessionOf(engine);
  await session.send('Go');
  await model.asked(52);
  const snapped = store.db.prepare('SELECT seq FROM snapshots').pluck().get();
  const trace = await session.trace();
  expect(snapped).toBeGreaterThan(20);
  expect(trace.map(({ seq }) => seq)).toEqual(trace.map((_, i) => i + 1));
  // Of Chinese text a page of a million characters took 66 to 132 ms.
  const reads = createStoreReads(store.db, prepareReads(store.db), { read: (work) => work, orElse: (work) => work() });
  const page = await reads.taskEntries('local', trace[0]!.task_id!, 0, 100);
  expect(JSON.stringify(page.entries).length).toBeLessThan(400_000);
  const fork = await engine.fork('local', trace[0]!.task_id!, { session_id: 'f1' });
  expect(await sessionOf(engine, fork.session_id).trace()).toHaveLength(trace.length + 1);
});

it('sessions with long plans that are loaded at once share the event loop', MEASURED_AGAIN, async () => {
  const plan = Array.from({ length: 200 }, (_, i) => `${i} ${'归档'.repeat(1_000)}`);
  const model = createScriptedModel({ plan: plans(...plan), thought: asks('What?') });
  const opened = openSqliteEngine({ model, limits: { max_plan_items: 200 } });
  const names = Array.from({ length: 12 }, (_, i) => `s${i}`);
  for (const name of names) await sessionOf(opened.engine, name).ask('Go');
  await opened.engine.close();
  const { engine } = opened.reopen();
  expect(
    await longestBlock(() => Promise.all(names.map((name) => sessionOf(engine, name).send('/status')))),
  ).toBeLessThan(50);
});

it('fifty edits of a plan at once are made once each', async () => {
  const { engine } = openSqliteEngine({ model: createScriptedModel({ plan: plans('One'), thought: asks('What?') }) });
  const { task } = await sessionOf(engine).ask('Go');
  const edits = (round: number) =>
    Array.from({ length: 50 }, (_, i) => ({ kind: 'add', step: `${round} ${i} ${'w'.repeat(3_900)}` }) as const);
  for (let round = 0; round < 2; round++) await engine.editPlan('local', task!.id, edits(round));
  // 145 to 186 ms where each edit makes all before it anew.
  expect(await longestBlock(() => engine.editPlan('local', task!.id, edits(2)))).toBeLessThan(90);
  expect((await engine.task('local', task!.id)).plan).toHaveLength(151);
});

it('a fork of a history of very long plans is made plan by plan', async () => {
  let n = 0;
  const plan = () =>
    Array.from({ length: 95 }, () => ({
      id: `i${n++}`,
      step: `${n} ${'w'.repeat(3_900)}`,
      expected: 'w'.repeat(3_900),
    }));
  const hang = new Promise<never>(() => {});
  const model = createScriptedModel({
    plan: () => plans(...plan()),
    thought: () => (n > 600 ? hang : { status: 'done', response: null, outcome: 'blocked' }),
    replan: () => replans(...plan()),
  });
  const { engine } = openSqliteEngine({ model });
  await sessionOf(engine).send('Go');
  await model.asked(14);
  const [task] = await sessionOf(engine).tasks();
  // 66 ms where ten entries are compared together, whatever they have; 129 in Chinese.
  expect(await longestBlock(() => engine.fork('local', task!.id, {}))).toBeLessThan(50);
});

it('of forks that are made at once the snapshots of a few are written in one turn of the event loop', async () => {
  const { engine, store } = openSqliteEngine({
    model: createScriptedModel({ plan: plans('One'), thought: asks('What?') }),
  });
  const { task_id } = await sessionOf(engine).ask('Go');
  const reads = createStoreReads(store.db, prepareReads(store.db), { read: (work) => work, orElse: (work) => work() });
  const { entries } = await reads.storedEntries('local', task_id!, 0, 16);
  const copy = createCopyHistory({
    store: { sharedTexts: async (_owner, _original, _ids, wanted) => wanted.map(() => null) },
    yieldTurn: () => null,
  });
  const calls = callsInTurns();
  const forks = Array.from({ length: 60 }, (_, i) =>
    copy('local', task_id!, { task_id: `task_${i}`, session_id: `s${i}` }, entries).then(calls.count),
  );
  await Promise.all(forks);
  expect(calls.most()).toBeLessThan(10);
});
