import { describe, expect, it } from 'vitest';
import { MACHINE } from '../../machines/task-machine.ts';
import { replay } from '../../src/history/replay.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { entryTexts } from '../../src/store/sql/entries.ts';
import { controlledTool } from '../support/engine/controlled-tools.ts';
import { acts, asking, concludes, finishes, plans, straight } from '../support/engine/model-answers.ts';
import { type OpenedEngine, openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const OLDER = 'tripact-task@0';

type Store = OpenedEngine['db'];

/** Rewrites the whole history as if an older version of the machine had made it, with its events and effects as plain JSON. */
const age = (db: Store): void => {
  const plain = db.prepare('UPDATE entries SET event = @event, effects = @effects WHERE id = @id');
  const rows = db.prepare<[], { id: number; event: string; effects: string | null }>('SELECT * FROM entries').all();
  for (const { id, ...row } of rows) plain.run({ id, ...entryTexts(row) });
  for (const table of ['entries', 'snapshots']) db.exec(`UPDATE ${table} SET machine = 0`);
};

/** The older machine counted otherwise, led elsewhere, asked for something else, or had another kind of event. */
const divergences: Record<string, (db: Store) => void> = {
  count: (db) => db.exec('UPDATE entries SET step_count = step_count + 1 WHERE seq = 3'),
  state: (db) => db.exec("UPDATE entries SET state = 'verifying' WHERE seq = 3"),
  effects: (db) =>
    db.exec(`UPDATE entries SET effects = replace(effects, '"type"', '"number":1,"type"') WHERE seq = 2;
    UPDATE entries SET effects = replace(effects, 'model.thought', 'model.replan') WHERE seq = 2`),
  event: (db) => db.exec("UPDATE entries SET event = replace(event, 'plan.made', 'plan.dreamt') WHERE seq = 2"),
};

const kinds = Object.keys(divergences);

describe('A history that an older machine made, and that this one folds alike', () => {
  it('continues where it was, and is not paused', async () => {
    const controlled = controlledTool('dig');
    const model = createScriptedModel([plans('Dig'), acts('dig'), finishes(), concludes('Dug')]);
    const opened = await openEngine({ model, tools: [controlled.tool] });
    const first = await sessionOf(opened.engine).send('Dig a hole');
    await controlled.called(1);
    age(opened.db);
    opened.crash();
    const session = sessionOf((await opened.reopen()).engine);
    (await controlled.called(2)).gives('a hole');
    expect(await session.reply(first)).toMatchObject({ status: 'answered', output: 'Dug' });
    expect(new Set((await session.trace()).map(({ machine }) => machine))).toEqual(new Set([OLDER, MACHINE]));
  });

  it('takes the answer to its question', async () => {
    const opened = await openEngine({
      model: createScriptedModel([...asking('Which colour?'), concludes('Painted')]),
    });
    await sessionOf(opened.engine).ask('Paint');
    age(opened.db);
    await opened.engine.close();
    expect(await sessionOf((await opened.reopen()).engine).ask('Red')).toMatchObject({
      status: 'answered',
      output: 'Painted',
    });
  });
});

describe.each(kinds)('A history that an older machine made, with another %s', (kind) => {
  /** Closes, makes the history an older machine's that disagrees, and opens again. */
  const reopenAged = async (opened: OpenedEngine): Promise<OpenedEngine> => {
    age(opened.db);
    divergences[kind]!(opened.db);
    await opened.engine.close(0);
    return await opened.reopen();
  };

  it('pauses the task that ran, performs nothing for it, and can be resumed', async () => {
    const controlled = controlledTool('dig');
    const model = createScriptedModel({
      plan: plans('Dig'),
      thought: [acts('dig'), finishes()],
      replan: concludes('Dug'),
    });
    const opened = await openEngine({ model, tools: [controlled.tool] });
    const first = await sessionOf(opened.engine).send('Dig a hole');
    await controlled.called(1);
    const session = sessionOf((await reopenAged(opened)).engine);
    const asked = model.requests.length;
    const paused = await session.reply(first);
    expect(paused).toMatchObject({ status: 'paused', task: { pause_reason: 'machine_changed' } });
    expect([controlled.calls.length, model.requests.length]).toEqual([1, asked]);
    expect((await session.trace()).at(-1)?.event).toMatchObject({ type: 'machine.changed', from: OLDER, to: MACHINE });
    expect(await session.ask('continue')).toMatchObject({ status: 'answered', output: 'Dug', task_id: first.task_id });
  });

  it('pauses the task that waited as soon as the user speaks; it can be resumed by its id', async () => {
    const script = [...asking('Which colour?'), ...straight('A new one'), concludes('Painted')];
    const opened = await openEngine({ model: createScriptedModel(script) });
    const asked = await sessionOf(opened.engine).ask('Paint');
    const session = sessionOf((await reopenAged(opened)).engine);
    expect(await session.ask('Red')).toMatchObject({
      output: expect.stringMatching(/^Still paused: Paint .*\n\nA new one$/s),
      task_id: expect.not.stringMatching(asked.task_id!),
    });
    expect((await session.events()).slice(3, 5)).toEqual(['machine.changed', 'task.opened']);
    expect((await session.tasks())[0]).toMatchObject({
      id: asked.task_id,
      state: 'paused',
      pause_reason: 'machine_changed',
    });
    expect(await session.ask(`/resume ${asked.task_id}`)).toMatchObject({ output: 'Painted', task_id: asked.task_id });
  });

  it('pauses anew the task that was paused when it is resumed, and then continues with all that it had', async () => {
    const model = createScriptedModel([plans('Dig', 'Fill'), finishes('a hole'), concludes('Dug')]);
    const opened = await openEngine({ model, limits: { max_steps: 1 } });
    const paused = await sessionOf(opened.engine).ask('Dig a hole');
    const session = sessionOf((await reopenAged(opened)).engine);
    expect(await session.ask('continue')).toMatchObject({ status: 'answered', output: 'Dug', task_id: paused.task_id });
    expect((await session.events()).slice(3, 5)).toEqual(['machine.changed', 'task.resumed']);
    expect(model.requests.at(-1)).toMatchObject({
      contract: 'replan',
      task: { past_items: [{ step: 'Dig', result: 'a hole' }], step_count: 1 },
    });
  });
});

/** An engine whose task waits for an answer, with a history that an older machine made. */
const agedQuestion = async () => {
  const opened = await openEngine({ model: createScriptedModel(asking('Where to?')) });
  const { task_id } = await sessionOf(opened.engine).ask('Plan a trip');
  age(opened.db);
  return { ...opened, taskId: task_id! };
};

describe('A fork of a history that an older machine made', () => {
  it('is refused where this one folds it otherwise, and stores nothing', async () => {
    const { db, engine, taskId } = await agedQuestion();
    db.exec('UPDATE entries SET step_count = 7 WHERE seq = 3');
    await expect(engine.fork('local', taskId, {})).rejects.toMatchObject({
      code: 'EVENT_NOT_ACCEPTED',
      message: expect.stringContaining('seq 3'),
    });
    expect((await engine.sessions('local', { limit: 10 })).items).toHaveLength(1);
  });

  it('is refused where this one has no such event', async () => {
    const { db, engine, taskId } = await agedQuestion();
    db.exec("UPDATE entries SET event = replace(event, 'plan.made', 'plan.dreamt') WHERE seq = 2");
    await expect(engine.fork('local', taskId, {})).rejects.toMatchObject({
      code: 'EVENT_NOT_ACCEPTED',
      message: expect.stringContaining('an event is read differently'),
    });
  });

  it('is of this version where both fold it alike, and replays', async () => {
    const { crash, reopen, taskId } = await agedQuestion();
    crash();
    const { engine } = await reopen({ model: createScriptedModel([concludes('To Rome')]) });
    const turn = await engine.fork('local', taskId, { input: 'Rome' });
    const session = sessionOf(engine, turn.session_id);
    expect(await session.reply(turn)).toMatchObject({ output: 'To Rome' });
    expect(await replay(await session.trace())).toEqual({ ok: true, entries: 6 });
  });
});
