import { describe, expect, it } from 'vitest';
import type { PreviewedEffect } from '../../contracts/turn-view.ts';
import { replay } from '../../src/history/replay.ts';
import { createScriptedModel, type Script } from '../../src/models/scripted.ts';
import type { TaskFork } from '../../src/runtime/port.ts';
import { controlledTool, quickTool } from '../support/engine/controlled-tools.ts';
import { acts, asking, asks, concludes, finishes, plans, replans, straight } from '../support/engine/model-answers.ts';
import type { EngineSetup, OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** Forks of tasks, which any engine makes alike (SPEC 11). */
export const itForks = (open: OpenEngine): void => {
  /** An engine whose session `s1` was sent a goal and has answered it. */
  const answered = async (script: Script, setup: Partial<EngineSetup> = {}) => {
    const model = createScriptedModel(script);
    const opened = await open({ ...setup, model });
    const original = sessionOf(opened.engine);
    const { task_id } = await original.ask('Plan a trip');
    const taskId = task_id ?? 'none';
    const seqOf = async (type: string): Promise<number> =>
      (await original.trace()).find(({ event }) => event.type === type)?.seq ?? 0;
    const begin = async (fork: TaskFork = {}) => {
      const turn = await opened.engine.fork('local', taskId, fork);
      return { turn, session: sessionOf(opened.engine, turn.session_id) };
    };
    return { ...opened, model, original, taskId, seqOf, begin };
  };

  /** A tool `search` and what it was asked. */
  const searchTool = () => {
    const searched: string[] = [];
    const tool = quickTool('search', (input) => {
      searched.push(input);
      return { ok: true, result: `found ${input}` };
    });
    return { searched, tools: [tool] };
  };

  const byTrain = [plans('Look'), acts('search', 'trains'), finishes('Trains go'), concludes('By train')];

  describe('A fork of a task that runs at that entry', () => {
    it('has the history up to there, asks for nothing that was answered, and continues for real', async () => {
      const { searched, tools } = searchTool();
      const { original, seqOf, begin, model } = await answered(
        [...byTrain, acts('search', 'boats'), finishes('Boats go'), concludes('By boat')],
        { tools },
      );
      const before = await original.trace();
      const { turn, session } = await begin({ at: await seqOf('observation.recorded') });
      expect(turn).toMatchObject({ status: 'running', kind: 'task', finished_at: null });
      expect(await session.reply(turn)).toMatchObject({ status: 'answered', output: 'By boat' });
      expect(searched).toEqual(['trains', 'boats']);
      expect(model.requests.at(4)).toMatchObject({
        contract: 'thought',
        task: { observations: [{ input: 'trains' }] },
      });
      expect(await original.trace()).toEqual(before);
    });

    it('says first where it comes from, has its own ids, and replays', async () => {
      const { tools } = searchTool();
      const { original, taskId, seqOf, begin } = await answered([...byTrain, finishes(), concludes('Again')], {
        tools,
      });
      const at_seq = await seqOf('observation.recorded');
      const { turn, session } = await begin({ at: at_seq });
      await session.reply(turn);
      const trace = await session.trace();
      expect(trace[0]).toMatchObject({
        seq: 1,
        task_id: null,
        event: { type: 'session.forked', from_session_id: 's1', from_task_id: taskId, at_seq },
      });
      const origin = (await original.trace()).find(({ seq }) => seq === at_seq);
      expect(trace[1]).toMatchObject({ event: { chained_from: origin!.chain } });
      expect(await replay(trace)).toEqual({ ok: true, entries: trace.length });
      const copied = JSON.stringify(trace.slice(1));
      expect(copied).not.toContain(taskId);
      expect(copied).not.toContain('"s1"');
      const originalTurns = (await original.trace()).map(({ event }) => 'turn_id' in event && event.turn_id);
      expect(trace[1]).toMatchObject({ event: { type: 'task.opened', turn_id: originalTurns[0] } });
      const withoutFork = (await session.prose()).slice(1, at_seq + 1);
      expect(withoutFork.map((line) => line.replace(/^\d+ /, ''))).toEqual(
        (await original.prose()).slice(0, at_seq).map((line) => line.replace(/^\d+ /, '')),
      );
    });

    it('runs the open tool for real, though it ran in the original and may run only once', async () => {
      const once = controlledTool('send', { effect: 'at_most_once' });
      const model = createScriptedModel([
        plans('Send'),
        acts('send', 'mail'),
        finishes(),
        concludes('One'),
        finishes(),
        concludes('Two'),
      ]);
      const { engine } = await open({ model, tools: [once.tool] });
      const original = sessionOf(engine);
      const turn = await original.send('Send a mail');
      const first = await once.called(1);
      const forked = await engine.fork('local', turn.task_id ?? '', {});
      const second = await once.called(2);
      expect(second.call.effect_id).not.toBe(first.call.effect_id);
      expect(second.call).toMatchObject({ session_id: forked.session_id, task_id: forked.task_id });
      first.gives('sent');
      expect(await original.reply(turn)).toMatchObject({ output: 'One' });
      second.gives('sent again');
      expect(await sessionOf(engine, forked.session_id).reply(forked)).toMatchObject({ output: 'Two' });
    });

    it('takes an input as a steer', async () => {
      const { tools } = searchTool();
      const { seqOf, begin, model } = await answered([...byTrain, finishes(), concludes('By boat then')], { tools });
      const { turn, session } = await begin({ at: await seqOf('observation.recorded'), input: 'No trains' });
      expect(await session.reply(turn)).toMatchObject({ status: 'answered', output: 'By boat then' });
      expect(await session.events()).toContain('steer.received');
      expect(model.requests.at(-1)?.task.clarification_history).toEqual([{ question: null, text: 'No trains' }]);
    });

    it('continues after a crash, like any session', async () => {
      const { tools } = searchTool();
      const opened = await answered([...byTrain, new Promise(() => {})], { tools });
      const { turn } = await opened.begin({ at: await opened.seqOf('observation.recorded') });
      await opened.model.asked(5);
      opened.crash();
      const next = await opened.reopen({ model: createScriptedModel([finishes(), concludes('After all')]) });
      expect(await sessionOf(next.engine, turn.session_id).reply(turn)).toMatchObject({ output: 'After all' });
    });
  });

  describe('A fork of a task that waits', () => {
    it('waits too, and its turn says for what', async () => {
      const { begin, model, engine } = await answered(asking('Where to?'));
      const { turn, session } = await begin({ session_id: 'other' });
      expect(turn).toMatchObject({ session_id: 'other', status: 'asking', question: 'Where to?' });
      expect(await engine.session('local', 'other')).toMatchObject({ phase: 'blocked', last_seq: 4 });
      expect(model.remaining()).toBe(0);
      expect(await session.tasks()).toMatchObject([{ state: 'awaiting_user', goal: 'Plan a trip' }]);
    });

    it('takes an input as the answer, while the original still waits', async () => {
      const { begin, original } = await answered([...asking('Where to?'), concludes('To Rome'), concludes('To Oslo')]);
      const { turn, session } = await begin({ input: 'Rome' });
      expect(await session.reply(turn)).toMatchObject({ status: 'answered', output: 'To Rome' });
      expect(await original.tasks()).toMatchObject([{ state: 'awaiting_user' }]);
      expect(await original.ask('Oslo')).toMatchObject({ output: 'To Oslo' });
    });
  });

  describe('A fork of a task that is paused', () => {
    const limits = { max_steps: 1 };
    const paused = (...then: object[]) =>
      answered([plans('Look'), asks('Where to?'), ...then.map((one) => ({ ...one }))], { limits });

    it('is paused too without an input, and continues by "continue" in its session', async () => {
      const { begin, original } = await paused(replans('Look'), finishes(), concludes('Seen'));
      await original.ask('Rome');
      const { turn, session } = await begin();
      expect(turn.status).toBe('paused');
      expect(await session.tasks()).toMatchObject([{ state: 'paused', pause_reason: 'step_limit' }]);
      expect((await session.ask('continue')).status).toBe('paused');
      expect(await session.events()).toContain('replan.made');
    });

    it('continues with what an input says besides', async () => {
      const { begin, original, model } = await paused(replans('Look closer'));
      await original.ask('Rome');
      const { turn, session } = await begin({ input: 'Only by train' });
      expect(await session.reply(turn)).toMatchObject({ status: 'paused' });
      expect(await session.events()).toEqual(expect.arrayContaining(['task.resumed', 'steer.received', 'replan.made']));
      expect(model.requests.at(-1)?.task.clarification_history.at(-1)?.text).toBe('Only by train');
    });
  });

  describe('A fork is refused', () => {
    it('where the task has ended, and says where it can be forked instead', async () => {
      const { begin, original, seqOf } = await answered(straight('Home'));
      const before = (await original.trace()).length - 1;
      await expect(begin()).rejects.toMatchObject({
        code: 'TASK_FINISHED',
        message: expect.stringContaining(`at ${before} or`),
      });
      await expect(begin({ at: await seqOf('replan.made') })).rejects.toMatchObject({ code: 'TASK_FINISHED' });
    });

    it.each([0, 6, 99])('at entry %i, which does not belong to the task', async (at) => {
      const { begin, engine, original } = await answered([
        ...asking('Where to?'),
        concludes('Home'),
        ...straight('Two'),
      ]);
      await original.ask('Home');
      await original.ask('And now?');
      await expect(begin({ at })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining('1 to 5'),
      });
      expect((await engine.sessions('local', { limit: 10 })).items).toHaveLength(1);
    });

    it('under the name of an existing session, which stays unchanged', async () => {
      const { begin, original } = await answered(asking('Where to?'));
      const before = await original.trace();
      await expect(begin({ session_id: 's1' })).rejects.toMatchObject({ code: 'SESSION_EXISTS' });
      expect(await original.trace()).toEqual(before);
    });

    it('to another owner, as if the task had never been', async () => {
      const { engine, taskId } = await answered(asking('Where to?'));
      const unknown = await engine.fork('eve', 'task_0', {}).catch((error: Error) => error);
      await expect(engine.fork('eve', taskId, {})).rejects.toEqual(unknown);
      expect((await engine.sessions('eve', { limit: 10 })).items).toEqual([]);
    });

    it.each(['/cancel', 'cancel task', '/todo list'])('with the command %s as its input', async (input) => {
      const { begin, engine } = await answered(asking('Where to?'));
      await expect(begin({ input })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      expect((await engine.sessions('local', { limit: 10 })).items).toHaveLength(1);
    });
  });

  const names = (effects: readonly PreviewedEffect[]): string[] =>
    effects.map(({ type, tool, input, writes }) =>
      tool === null ? type : `${tool} ${input}${writes ? ' writes' : ''}`,
    );

  it('a fork says before it is made what it recalls, does again and leaves behind', async () => {
    const found = { ok: true, result: 'found' };
    const model = createScriptedModel([
      plans('Look', 'Book'),
      acts('search', 'trains'),
      asks('Which one?'),
      replans('Book'),
      acts('book', 'seat 1'),
      finishes(),
      concludes('Booked'),
    ]);
    const tools = [quickTool('search', () => found), { ...quickTool('book', () => found), writes: true }];
    const { engine } = await open({ model, tools });
    const session = sessionOf(engine);
    const { task_id } = await session.ask('A trip');
    await session.ask('The first');
    const trace = await session.trace();
    const seqOf = (state: string): number => trace.find((entry) => entry.state === state)?.seq ?? 0;

    const asked = await engine.previewFork('local', String(task_id), seqOf('awaiting_user'));
    expect(asked).toMatchObject({
      state: 'awaiting_user',
      takes: 'answer',
      question: 'Which one?',
      options: null,
      performed: [],
    });
    expect(names(asked.recalled)).toEqual(['model.plan', 'model.thought', 'search trains', 'model.thought']);
    expect(names(asked.left)).toEqual([
      'model.replan',
      'model.thought',
      'book seat 1 writes',
      'model.thought',
      'model.replan',
    ]);

    const acting = await engine.previewFork('local', String(task_id), seqOf('acting'));
    expect(acting).toMatchObject({ takes: 'steer', question: null });
    expect(names(acting.performed)).toEqual(['search trains']);
    expect(names(acting.recalled)).toEqual(['model.plan', 'model.thought']);
    await expect(engine.previewFork('local', String(task_id))).rejects.toMatchObject({ code: 'TASK_FINISHED' });
    expect((await engine.sessions('local', { limit: 10 })).items).toHaveLength(1);
  });

  it('a fork is held to the shape that its task was asked to answer in', async () => {
    const answer_schema = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] };
    const model = createScriptedModel([
      ...asking('Which day?'),
      { ...concludes('On Monday'), answer: { day: 'Monday' } },
      concludes('On Tuesday'),
      { ...concludes('On Tuesday'), answer: { day: 'Tuesday' } },
    ]);
    const { engine } = await open({ model });
    const session = sessionOf(engine);
    const { task_id } = await session.ask('When?', { answer_schema });
    const at = (await session.trace()).at(-1)!.seq;
    expect(await session.ask('The first')).toMatchObject({ answer: { day: 'Monday' } });

    const begun = await engine.fork('local', task_id!, { at, input: 'The second', session_id: 'f' });
    const fork = sessionOf(engine, 'f');
    expect(await fork.reply(begun)).toMatchObject({ output: 'On Tuesday', answer: { day: 'Tuesday' } });
    expect(await fork.events()).toContain('replan.rejected');
    for (const each of [session, fork]) expect(await replay(await each.trace())).toMatchObject({ ok: true });
  });
};
