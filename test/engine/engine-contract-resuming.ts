import { describe, expect, it } from 'vitest';
import { ModelUnavailable } from '../../src/models/port.ts';
import { createScriptedModel, type ScriptedAnswer } from '../../src/models/scripted.ts';
import { controlledTool } from '../support/engine/controlled-tools.ts';
import { digging } from '../support/engine/digging.ts';
import { acts, asking, asks, concludes, finishes, plans, straight } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** Pausing, resuming and confirming a plan (SPEC 2.7, 3, 6), as any engine must do it. */
export const itResumes = (open: OpenEngine): void => {
  /** Each task of this session pauses after its first item, and needs one replan more. */
  const twoPaused = async (...then: ScriptedAnswer[]) => {
    const model = createScriptedModel([plans('Dig', 'Fill'), finishes(), plans('Mow', 'Rake'), finishes(), ...then]);
    const opened = await open({ model, limits: { max_steps: 1 } });
    const session = sessionOf(opened.engine);
    const dig = await session.ask('Dig a hole');
    const mow = await session.ask('Mow');
    return { ...opened, session, dig: dig.task_id!, mow: mow.task_id! };
  };

  describe('/continue', () => {
    it('continues with the task that was paused last', async () => {
      const { session, mow } = await twoPaused(concludes('Mown'));
      expect(await session.ask('/continue')).toMatchObject({ status: 'answered', output: 'Mown', task_id: mow });
    });

    it('continues with the task that was paused before, when the last one has ended', async () => {
      const { session, dig } = await twoPaused(concludes('Mown'), concludes('Dug'));
      await session.ask('/continue');
      expect(await session.ask('/continue')).toMatchObject({ status: 'answered', output: 'Dug', task_id: dig });
      expect(await session.ask('/continue')).toMatchObject({
        status: 'ran',
        output: 'There is no paused task to continue.',
      });
      expect(await session.ask('/resume')).toMatchObject({
        status: 'ran',
        output: 'There is no paused task to continue.',
      });
    });

    it('repeats the question of a task that waits', async () => {
      const controlled = controlledTool('dig');
      const model = createScriptedModel(
        [plans('Dig'), asks('How deep?'), plans('Dig'), concludes('Dug')].toSpliced(2, 1),
      );
      const session = sessionOf((await open({ model, tools: [controlled.tool] })).engine);
      await session.ask('Dig a hole');
      expect(await session.ask('/continue')).toMatchObject({
        status: 'ran',
        output: 'The task waits for your answer: How deep?',
      });
      expect(await session.ask('Knee-deep')).toMatchObject({ output: 'Dug' });
    });

    it('says that the task is running already', async () => {
      const { session, first, call } = await digging(open, [finishes(), concludes('Dug')]);
      expect(await session.ask('/continue')).toMatchObject({ status: 'ran', output: 'The task is running already.' });
      call.gives('a hole');
      expect(await session.reply(first)).toMatchObject({ output: 'Dug' });
    });
  });

  describe('/resume', () => {
    it('continues with an older paused task by its id; the one that was paused last can still be continued', async () => {
      const { session, dig, mow } = await twoPaused(concludes('Dug'), concludes('Mown'));
      expect(await session.ask(`/resume ${dig}`)).toMatchObject({ status: 'answered', output: 'Dug', task_id: dig });
      expect(await session.ask('continue')).toMatchObject({ status: 'answered', output: 'Mown', task_id: mow });
    });

    it('is refused while another task waits or runs', async () => {
      const controlled = controlledTool('dig');
      const model = createScriptedModel([
        ...[plans('Mow', 'Rake'), finishes()],
        ...[plans('Dig'), asks('How deep?'), concludes('Dug'), plans('Fill'), acts('dig'), finishes()],
      ]);
      const { engine } = await open({ model, tools: [controlled.tool], limits: { max_steps: 1 } });
      const session = sessionOf(engine);
      const paused = await session.ask('Mow');
      expect(paused).toMatchObject({ status: 'paused' });
      const waiting = await session.ask('Dig a hole');
      expect(waiting).toMatchObject({ status: 'asking' });
      const refusal = /^Another task of this session runs or waits/;
      expect(await session.ask('/resume')).toMatchObject({ status: 'ran', output: expect.stringMatching(refusal) });
      expect(await session.ask(`/resume ${paused.task_id}`)).toMatchObject({ output: expect.stringMatching(refusal) });
      expect(await engine.task('local', waiting.task_id!)).toEqual(waiting.task);
    });

    it.each(['done', 'of another session', 'nonsense'])('is refused for a task that is %s', async (which) => {
      const model = createScriptedModel([...straight('Hi'), plans('Mow', 'Rake'), finishes()]);
      const { engine } = await open({ model, limits: { max_steps: 2 } });
      const session = sessionOf(engine, 's1');
      const done = await session.ask('Hello');
      const other = await sessionOf(engine, 's2').ask('Mow');
      const ids: Record<string, [string, RegExp]> = {
        done: [done.task_id!, /is not paused; it is done/],
        'of another session': [other.task_id!, /^This session has no task/],
        nonsense: ["x' OR '1'='1", /^This session has no task/],
      };
      const [id, output] = ids[which]!;
      expect(await session.ask(`/resume ${id}`)).toMatchObject({
        status: 'ran',
        output: expect.stringMatching(output),
      });
    });
  });

  describe('A model that brings no answer', () => {
    it('pauses the task without counting a step; "continue" asks again, first for the plan if there is none', async () => {
      const model = createScriptedModel([new ModelUnavailable('overloaded'), ...straight('Hi')]);
      const session = sessionOf((await open({ model })).engine);
      const paused = await session.ask('Hello');
      expect(paused).toMatchObject({ status: 'paused', task: { pause_reason: 'model_unavailable', step_count: 0 } });
      expect(paused.output).toContain('Send "continue"');
      expect(await session.ask('continue')).toMatchObject({ status: 'answered', output: 'Hi' });
      expect(model.requests.map(({ contract }) => contract)).toEqual(['plan', 'plan', 'thought', 'replan']);
    });

    it('pauses the task also where the adapter itself is broken, and shows nothing of its insides', async () => {
      const model = createScriptedModel([new TypeError('fetch failed: key sk-secret')]);
      const paused = await sessionOf((await open({ model })).engine).ask('Hello');
      expect(paused).toMatchObject({ status: 'paused', task: { pause_reason: 'model_unavailable' } });
      expect(JSON.stringify(paused)).not.toContain('sk-secret');
    });
  });

  describe('With confirm_plan', () => {
    const confirming = async (input: string, ...then: ScriptedAnswer[]) => {
      const model = createScriptedModel([plans('Dig', 'Fill'), ...then]);
      const session = sessionOf((await open({ model })).engine);
      const asked = await session.ask('Garden', { confirm_plan: true });
      expect(asked).toMatchObject({
        status: 'asking',
        question: expect.stringContaining('Dig'),
        task: { step_count: 0 },
      });
      return { turn: await session.ask(input), model };
    };

    it('"yes" carries the plan out', async () => {
      const { turn, model } = await confirming('Yes!', finishes(), finishes(), concludes('Done'), concludes('Done'));
      expect(turn).toMatchObject({ status: 'answered' });
      expect(model.requests[1]).toMatchObject({ contract: 'thought', task: { clarification_history: [] } });
    });

    it('"no" cancels the task', async () => {
      const { turn, model } = await confirming('no');
      expect(turn).toMatchObject({ status: 'cancelled', task: { state: 'cancelled' } });
      expect(model.requests).toHaveLength(1);
    });

    it('anything else goes to a replan', async () => {
      const { turn, model } = await confirming('Skip the filling', concludes('Dug'));
      expect(turn).toMatchObject({ status: 'answered', output: 'Dug' });
      expect(model.requests[1]).toMatchObject({ contract: 'replan' });
      expect(model.requests[1]?.task.clarification_history.at(-1)?.text).toBe('Skip the filling');
    });

    it('of the configuration applies unless the turn says otherwise, also for a turn that waited in the queue', async () => {
      const controlled = controlledTool('dig');
      const model = createScriptedModel([plans('Dig'), acts('dig'), finishes(), concludes('Dug'), plans('Mow')]);
      const session = sessionOf((await open({ model, tools: [controlled.tool], confirmPlan: true })).engine);
      const first = await session.send('Dig', { confirm_plan: false });
      const call = await controlled.called(1);
      const queued = await session.send('Mow');
      call.gives('a hole');
      expect(await session.reply(first)).toMatchObject({ status: 'answered' });
      expect(await session.reply(queued)).toMatchObject({ status: 'asking', task: { state: 'awaiting_user' } });
    });
  });

  describe('A question', () => {
    it('may be followed by another one, and both answers are kept', async () => {
      const model = createScriptedModel([
        ...asking('Which colour?'),
        { status: 'replanned', plan: ['Paint'] },
        asks('Which wall?'),
        concludes('Painted'),
      ]);
      const session = sessionOf((await open({ model })).engine);
      await session.ask('Paint');
      expect(await session.ask('Red')).toMatchObject({ status: 'asking', question: 'Which wall?' });
      expect(await session.ask('The left one')).toMatchObject({ status: 'answered', output: 'Painted' });
      expect(model.requests.at(-1)?.task.clarification_history).toEqual([
        { question: 'Which colour?', text: 'Red' },
        { question: 'Which wall?', text: 'The left one' },
      ]);
    });
  });
};
