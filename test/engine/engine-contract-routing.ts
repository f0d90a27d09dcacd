import { describe, expect, it } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { createScriptedModel, type ScriptedAnswer } from '../../src/models/scripted.ts';
import { digging } from '../support/engine/digging.ts';
import { asking, asks, concludes, echo, finishes, plans, straight } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** Where an input goes (SPEC 2), as any engine must do it. */
export const itRoutesInputs = (open: OpenEngine): void => {
  /** A session whose first task is inside a tool call. */
  const busySession = (...then: ScriptedAnswer[]) => digging(open, then);

  describe('An input to a session that does nothing', () => {
    it('opens a task with the input as its goal, and is answered by it', async () => {
      const model = createScriptedModel(straight('Forty-two'));
      const turn = await sessionOf((await open({ model })).engine).ask('  What is it?  ');
      expect(turn).toMatchObject({ kind: 'task', status: 'answered', output: 'Forty-two', question: null });
      expect(turn.task).toMatchObject({ goal: 'What is it?', state: 'done', phase: 'done' });
      expect(model.remaining()).toBe(0);
    });

    it('works on the goal itself without planning, and asks first where plans are to be confirmed', async () => {
      const direct = createScriptedModel([finishes('Forty-two'), concludes('Forty-two')]);
      expect(await sessionOf((await open({ model: direct, planning: false })).engine).ask('What is it?')).toMatchObject(
        {
          status: 'answered',
          task: { plan: [{ step: 'What is it?', status: 'completed' }] },
        },
      );
      const model = createScriptedModel([finishes('Forty-two'), concludes('Forty-two')]);
      const session = sessionOf((await open({ model, planning: false, confirmPlan: true })).engine);
      expect(await session.ask('What is it?')).toMatchObject({ status: 'asking', task: { state: 'awaiting_user' } });
      expect(await session.ask('yes')).toMatchObject({ status: 'answered', output: 'Forty-two' });
    });

    it.each(['reject', 'steer'] as const)('opens a task also with on_busy %s', async (on_busy) => {
      const turn = await sessionOf((await open({ model: createScriptedModel(straight('Hi')) })).engine).ask('Hello', {
        on_busy,
      });
      expect(turn).toMatchObject({ status: 'answered', output: 'Hi' });
    });
  });

  describe('An input while a task runs', () => {
    it('waits in the queue and opens its own task afterwards', async () => {
      const { session, opened, first, call } = await busySession(finishes(), concludes('Dug'), ...straight('Filled'));
      const second = await session.send('Fill it');
      expect(second).toMatchObject({ status: 'queued', task_id: null, output: null });
      expect((await opened.engine.session('local', 's1')).queue).toMatchObject([
        { turn_id: second.id, input: 'Fill it' },
      ]);
      call.gives('a hole');
      expect(await session.reply(first)).toMatchObject({ output: 'Dug' });
      expect(await session.reply(second)).toMatchObject({ output: 'Filled' });
      expect((await session.tasks()).map(({ goal }) => goal)).toEqual(['Dig a hole', 'Fill it']);
      expect((await opened.engine.session('local', 's1')).queue).toEqual([]);
    });

    it('is refused with on_busy reject, and nothing of it is stored', async () => {
      const { session, opened, first, call } = await busySession(finishes(), concludes('Dug'));
      const before = await session.trace();
      await expect(session.send('Fill it', { on_busy: 'reject' })).rejects.toMatchObject({ code: 'TASK_RUNNING' });
      expect(await session.trace()).toEqual(before);
      expect((await opened.engine.session('local', 's1')).queue).toEqual([]);
      call.gives('a hole');
      await session.reply(first);
      expect(await session.tasks()).toHaveLength(1);
    });

    it('joins the task with on_busy steer: the next outer loop replans, and both turns get the answer', async () => {
      const { session, model, first, call } = await busySession(concludes('Dug deeper'));
      const steer = await session.send('Deeper!', { on_busy: 'steer' });
      expect(steer).toMatchObject({ status: 'running', task_id: first.task_id });
      call.gives('a hole');
      const replies = [await session.reply(first), await session.reply(steer)];
      expect(replies.map(({ output }) => output)).toEqual(['Dug deeper', 'Dug deeper']);
      expect(model.requests.at(-1)).toMatchObject({
        contract: 'replan',
        task: { clarification_history: [{ question: null, text: 'Deeper!' }] },
      });
      expect((await session.events()).slice(3)).toEqual(['steer.received', 'observation.recorded', 'replan.made']);
    });

    it('keeps its place: ten at once run in the order they came', async () => {
      const session = sessionOf((await open({ model: createScriptedModel(echo) })).engine);
      const goals = Array.from({ length: 10 }, (_, i) => `Goal ${i}`);
      const turns = await Promise.all(goals.map((goal) => session.send(goal)));
      const replies = await Promise.all(turns.map(session.reply));
      expect(replies.map(({ output }) => output)).toEqual(goals.map((goal) => `did: ${goal}`));
      expect((await session.tasks()).map(({ goal }) => goal)).toEqual(goals);
    });
  });

  describe('An input while a task waits for the user', () => {
    it.each(['enqueue', 'reject', 'steer'] as const)('is the answer, with on_busy %s too', async (on_busy) => {
      const model = createScriptedModel([...asking('Which colour?'), concludes('Painted')]);
      const session = sessionOf((await open({ model })).engine);
      const asked = await session.ask('Paint');
      expect(asked).toMatchObject({
        status: 'asking',
        question: 'Which colour?',
        output: 'Please confirm: Which colour?',
      });
      const answered = await session.ask('Red', { on_busy });
      expect(answered).toMatchObject({ status: 'answered', output: 'Painted', task_id: asked.task_id });
      expect(model.requests.at(-1)).toMatchObject({
        contract: 'replan',
        task: { clarification_history: [{ question: 'Which colour?', text: 'Red' }] },
      });
    });

    it('is not the answer when it came before the question: it opens its own task after this one', async () => {
      const { session, opened, first, call } = await busySession(
        asks('How deep?'),
        concludes('Dug'),
        ...straight('Filled'),
      );
      const early = await session.send('Fill it');
      call.gives('a hole');
      expect(await session.reply(first)).toMatchObject({ status: 'asking' });
      expect(await opened.engine.turn('local', early.id)).toMatchObject({ status: 'queued' });
      expect(await session.ask('Knee-deep')).toMatchObject({ output: 'Dug', task_id: first.task_id });
      expect(await session.reply(early)).toMatchObject({ output: 'Filled' });
      expect((await session.trace()).filter(({ event }) => event.type === 'answer.received')).toHaveLength(1);
    });

    it('wins when it is the first of two at once; the other one waits for its own task', async () => {
      const model = createScriptedModel([...asking('Which colour?'), concludes('Painted'), ...straight('Blue it is')]);
      const session = sessionOf((await open({ model })).engine);
      await session.ask('Paint');
      const [red, blue] = (await Promise.all([session.ask('Red'), session.ask('Blue')])) as [TurnView, TurnView];
      expect([red.output, blue.output]).toEqual(['Painted', 'Blue it is']);
      expect((await session.tasks()).map(({ goal }) => goal)).toEqual(['Paint', 'Blue']);
    });
  });

  describe('After a pause', () => {
    const pausedSession = async (...then: ScriptedAnswer[]) => {
      const model = createScriptedModel([plans('Dig', 'Fill'), finishes(), ...then]);
      const session = sessionOf((await open({ model, limits: { max_steps: 1 } })).engine);
      const turn = await session.ask('Dig a hole');
      expect(turn).toMatchObject({ status: 'paused', task: { pause_reason: 'step_limit', step_count: 1 } });
      return { session, turn };
    };

    it.each(['continue', 'Go on!', '继续。'])('%j continues with the paused task', async (phrase) => {
      const { session, turn } = await pausedSession(concludes('Dug'));
      const resumed = await session.ask(phrase);
      expect(resumed).toMatchObject({ status: 'answered', output: 'Dug', task_id: turn.task_id });
      expect(resumed.task?.step_limit).toBe(2);
    });

    it.each(["Don't continue", '继续教育'])('%j opens a new task, and the paused one stays paused', async (input) => {
      const { session } = await pausedSession(plans(), finishes());
      expect(await session.ask(input)).toMatchObject({ status: 'paused' });
      expect((await session.tasks()).map(({ goal, state }) => [goal, state])).toEqual([
        ['Dig a hole', 'paused'],
        [input, 'paused'],
      ]);
    });

    it('the reply to another goal names the task that it leaves behind, once, and how to go on with it', async () => {
      const model = createScriptedModel([
        ...[plans('Dig', 'Fill'), finishes()],
        ...[plans('Mow', 'Rake'), finishes(), concludes('Mown')],
      ]);
      const session = sessionOf((await open({ model, limits: { max_steps: 1 } })).engine);
      const dig = await session.ask('Dig a hole');
      const line = `Still paused: Dig a hole ("/resume ${dig.task_id}" goes on with it)\n\n`;
      const mow = await session.ask('Mow');
      expect(mow).toMatchObject({ status: 'paused', output: expect.stringContaining(line) });
      expect(mow.output?.indexOf(line)).toBe(0);
      expect(await session.ask('continue')).toMatchObject({ task_id: mow.task_id, output: 'Mown' });
    });

    it('an input that waited in the queue is looked at like any other', async () => {
      const limits = { max_steps: 2 };
      const { session, first, call } = await digging(open, [concludes('Dug after all')], { limits });
      const queued = await session.send('continue');
      call.gives('a hole');
      expect(await session.reply(first)).toMatchObject({ status: 'paused' });
      expect(await session.reply(queued)).toMatchObject({ output: 'Dug after all', task_id: first.task_id });
    });
  });

  describe('Without a model', () => {
    it('an input is refused with what to set, and nothing of it is stored', async () => {
      const { engine } = await open({ model: createScriptedModel([]), modelProblem: 'Set ANTHROPIC_API_KEY' });
      const refused = sessionOf(engine).send('Hello', { idempotency_key: 'k1' });
      await expect(refused).rejects.toMatchObject({ code: 'MODEL_NOT_CONFIGURED', message: 'Set ANTHROPIC_API_KEY' });
      expect((await engine.sessions('local', { limit: 10 })).items).toEqual([]);
    });

    it('slash commands work', async () => {
      const { engine } = await open({ model: createScriptedModel([]), modelProblem: 'Set ANTHROPIC_API_KEY' });
      expect(await sessionOf(engine).ask('/status')).toMatchObject({ status: 'ran', kind: 'command', task: null });
    });
  });
};
