import { describe, expect, it } from 'vitest';
import type { Model, ModelReply } from '../../src/models/port.ts';
import { createScriptedModel, type ScriptedAnswer } from '../../src/models/scripted.ts';
import { controlledTool } from '../support/engine/controlled-tools.ts';
import { digging } from '../support/engine/digging.ts';
import { acts, asking, concludes, finishes, plans, replans, straight } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { never, sessionOf } from '../support/engine/test-session.ts';

/** A model whose answer comes when the test gives it. */
const slowModel = () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<ModelReply>();
  const model: Model = {
    name: 'slow',
    answer: () => {
      asked.resolve();
      return answer.promise;
    },
  };
  return { model, asked, answer };
};

/** Cancelling at any moment (SPEC 2.1, 6), as any engine must do it. */
export const itCancels = (open: OpenEngine): void => {
  describe('Cancelling', () => {
    it('says so if there is no task, and opens none', async () => {
      const session = sessionOf((await open({ model: createScriptedModel([]) })).engine);
      expect(await session.ask('/cancel')).toMatchObject({
        status: 'ran',
        kind: 'command',
        output: 'There is no task to cancel.',
      });
      expect((await session.ask('取消任务')).output).toBe('没有可以取消的任务。');
      expect(await session.tasks()).toEqual([]);
      expect(await session.trace()).toEqual([]);
    });

    it('aborts the model that is being asked, and answers every turn of the task', async () => {
      const answer = Promise.withResolvers<ScriptedAnswer>();
      const model = createScriptedModel([answer.promise]);
      const session = sessionOf((await open({ model })).engine);
      const first = await session.send('Dig a hole');
      await model.asked(1);
      const cancel = await session.ask('cancel task');
      expect(cancel).toMatchObject({ status: 'cancelled', task_id: first.task_id, task: { state: 'cancelled' } });
      expect(await session.reply(first)).toMatchObject({ status: 'cancelled', output: cancel.output });
      expect(await session.events()).toEqual(['task.opened', 'task.cancelled']);
    });

    it('is taken from one of those who cancel at once', async () => {
      const model = createScriptedModel([...asking('Where?'), concludes('Dug')]);
      const { engine } = await open({ model });
      const session = sessionOf(engine);
      const { task_id } = await session.ask('Dig a hole');
      const cancels = await Promise.allSettled(Array.from({ length: 3 }, () => engine.cancel('local', task_id!)));
      // A database with several connections may serve a later one first.
      expect(cancels.toSorted((a, b) => a.status.localeCompare(b.status))).toMatchObject([
        { status: 'fulfilled', value: { state: 'cancelled' } },
        { reason: { code: 'TASK_FINISHED', status: 409 } },
        { reason: { code: 'TASK_FINISHED', status: 409 } },
      ]);
      expect((await session.events()).filter((type) => type === 'task.cancelled')).toHaveLength(1);
    });

    it('aborts the tool that runs; its late result is written down and changes nothing', async () => {
      const { engine, session, first, call: running } = await digging(open, [], { effect: 'at_most_once' });
      const { call, gives } = running;
      expect(call.signal.aborted).toBe(false);
      const cancelled = await session.ask('/cancel');
      expect(call.signal.aborted).toBe(true);
      const task = await engine.task('local', first.task_id!);
      gives('half a hole');
      await follow(engine, 5);
      const last = (await session.trace()).at(-1);
      expect(last).toMatchObject({ state: 'cancelled', step_count: 1, effects: [] });
      expect(last?.event).toEqual({
        type: 'result.superseded',
        effect: Number(call.effect_id.split('.')[1]),
        outcome: 'half a hole',
      });
      expect(await engine.task('local', first.task_id!)).toEqual(task);
      expect(await engine.turn('local', cancelled.id)).toEqual(cancelled);
    });

    it('leaves the late result of one task out of the next one', async () => {
      const controlled = controlledTool('dig');
      const model = createScriptedModel([
        plans('Dig'),
        acts('dig'),
        plans('Fill'),
        acts('dig', 'back'),
        finishes(),
        concludes('Filled'),
      ]);
      const { engine } = await open({ model, tools: [controlled.tool] });
      const session = sessionOf(engine);
      await session.send('Dig a hole');
      const late = await controlled.called(1);
      await session.ask('/cancel');
      const next = await session.send('Fill it');
      const current = await controlled.called(2);
      late.gives('half a hole');
      await follow(engine, 8);
      current.gives('flat ground');
      expect(await session.reply(next)).toMatchObject({
        output: 'Filled',
        task: { successful_steps: 1, step_count: 4 },
      });
      expect((await session.events()).filter((type) => type === 'result.superseded')).toHaveLength(1);
      expect((await session.trace()).map(({ seq }) => seq)).toEqual((await session.trace()).map((_, i) => i + 1));
    });

    it('counts the tokens of an answer that comes after its session was removed, and brings no session back', async () => {
      const usage = { input_tokens: 10, output_tokens: 3 };
      const { model, asked, answer } = slowModel();
      const { engine } = await open({ model });
      await sessionOf(engine).send('Dig a hole');
      await asked.promise;
      await sessionOf(engine).ask('/cancel');
      await engine.remove('local', 's1');
      answer.resolve({ text: '', fault: 'empty', usage });
      await expect.poll(async () => (await engine.usageToday('local')).usage).toMatchObject(usage);
      expect((await engine.sessions('local', { limit: 10 })).items).toEqual([]);
      await expect(engine.session('local', 's1')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    });

    it.each(['runs', 'was cancelled and removed'])(
      'stores nothing of an owner who is removed while their task %s, also what comes later',
      async (when) => {
        const usage = { input_tokens: 10, output_tokens: 3 };
        const { model, asked, answer } = slowModel();
        const { engine } = await open({ model });
        const sent = await sessionOf(engine).send('Dig a hole', { callback_url: 'https://example.com/' });
        await asked.promise;
        if (when !== 'runs') {
          await sessionOf(engine).ask('/cancel');
          await engine.remove('local', 's1');
        }
        const waiting = when === 'runs' ? engine.wait('local', sent.id, new AbortController().signal) : null;
        waiting?.catch(() => {});
        expect(await engine.removeOwner('local')).toBe(true);
        await expect(waiting ?? engine.turn('local', sent.id)).rejects.toMatchObject({ code: 'TURN_NOT_FOUND' });
        answer.resolve({ text: '', fault: 'empty', usage });
        expect(await engine.usage('local')).toMatchObject({ sessions: 0, unfinished_turns: 0, pending_callbacks: 0 });
        await sessionOf(engine).ask('/status');
        expect(await engine.usageToday('local')).toMatchObject({ turns: 0, usage: { input_tokens: 0 } });
        expect(await engine.removeOwner('local')).toBe(true);
        expect(await engine.removeOwner('local')).toBe(false);
      },
    );

    it('ends a task that waits for the user', async () => {
      const session = sessionOf((await open({ model: createScriptedModel(asking('Which colour?')) })).engine);
      const asked = await session.ask('Paint');
      expect(await session.ask('取消当前任务')).toMatchObject({ status: 'cancelled', task_id: asked.task_id });
      expect(await session.tasks()).toMatchObject([{ state: 'cancelled', awaiting_clarification: false }]);
    });

    it('ends the task that was paused last, also when others have ended since', async () => {
      const model = createScriptedModel([
        plans('Dig', 'Fill'),
        finishes(),
        plans('Mow', 'Rake'),
        finishes(),
        concludes('Mown'),
      ]);
      const session = sessionOf((await open({ model, limits: { max_steps: 1 } })).engine);
      const paused = await session.ask('Dig a hole');
      const other = await session.ask('Mow');
      expect(await session.ask('continue')).toMatchObject({ status: 'answered', task_id: other.task_id });
      expect(await session.ask('/cancel')).toMatchObject({ status: 'cancelled', task_id: paused.task_id });
      expect((await session.ask('/cancel')).output).toBe('There is no task to cancel.');
    });

    it('lets the next turn in the queue begin', async () => {
      const { session, first } = await digging(open, straight('Filled'));
      const next = await session.send('Fill it');
      await session.ask('/cancel');
      expect(await session.reply(first)).toMatchObject({ status: 'cancelled' });
      expect(await session.reply(next)).toMatchObject({ output: 'Filled' });
    });

    it.each(['plan', 'thought', 'replan', 'tool'])('works while the %s is in flight', async (moment) => {
      const never = new Promise<ScriptedAnswer>(() => {});
      const controlled = controlledTool('dig');
      const until: Record<string, ScriptedAnswer[]> = {
        plan: [never],
        thought: [plans('Dig'), never],
        replan: [plans('Dig'), finishes(), never],
        tool: [plans('Dig'), acts('dig')],
      };
      const script = until[moment]!;
      const model = createScriptedModel(script);
      const session = sessionOf((await open({ model, tools: [controlled.tool] })).engine);
      await session.send('Dig a hole');
      await (moment === 'tool' ? controlled.called(1) : model.asked(script.length));
      expect(await session.ask('/cancel')).toMatchObject({ status: 'cancelled' });
      expect((await session.trace()).at(-1)).toMatchObject({ state: 'cancelled', effects: [] });
    });

    it('works while a verifier runs, which sees the abort', async () => {
      const seen = Promise.withResolvers<AbortSignal>();
      const model = createScriptedModel([plans('Dig'), acts('tally', 'hole'), finishes(), concludes('Dug')]);
      const { engine } = await open({
        model,
        verifiers: [
          ({ signal }) => {
            seen.resolve(signal);
            return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
          },
        ],
      });
      const session = sessionOf(engine);
      await session.send('Dig a hole');
      const signal = await seen.promise;
      expect(await session.ask('/cancel')).toMatchObject({ status: 'cancelled' });
      expect(signal.aborted).toBe(true);
    });
  });

  describe("Cancelling by a task's id", () => {
    it('ends it at any moment, and says when it has ended already', async () => {
      const model = createScriptedModel([...asking('Which colour?'), ...straight('Hi')]);
      const { engine } = await open({ model });
      const session = sessionOf(engine);
      const { task_id } = await session.ask('Paint');
      expect(await engine.cancel('local', task_id!)).toMatchObject({ id: task_id, state: 'cancelled' });
      await expect(engine.cancel('local', task_id!)).rejects.toMatchObject({ code: 'TASK_FINISHED' });
      expect((await session.trace()).at(-1)?.event).toEqual({ type: 'task.cancelled', turn_id: null });
      expect(await session.ask('Hello')).toMatchObject({ status: 'answered', output: 'Hi' });
    });

    it('reaches a paused task below another one that runs, and leaves that one alone', async () => {
      const controlled = controlledTool('dig');
      const model = createScriptedModel([
        plans('Mow', 'Rake'),
        finishes(),
        replans('Rake'),
        finishes(),
        plans('Dig'),
        acts('dig'),
        finishes(),
      ]);
      const { engine } = await open({ model, tools: [controlled.tool], limits: { max_steps: 3 } });
      const session = sessionOf(engine);
      const paused = await session.ask('Mow');
      expect(paused).toMatchObject({ status: 'paused' });
      const running = await session.send('Dig a hole');
      const { call, gives } = await controlled.called(1);
      expect(await engine.cancel('local', paused.task_id!)).toMatchObject({ state: 'cancelled' });
      expect(call.signal.aborted).toBe(false);
      expect(await engine.task('local', running.task_id!)).toMatchObject({ state: 'acting' });
      gives('a hole');
      expect(await session.reply(running)).toMatchObject({ status: 'paused', task: { step_count: 3 } });
    });
  });
};

/** Resolves when the session's trace has reached this seq. */
const follow = async (engine: Awaited<ReturnType<OpenEngine>>['engine'], seq: number): Promise<void> => {
  for await (const entry of engine.follow('local', 's1', 0, never)) if (entry.seq >= seq) return;
  throw new Error(`the trace never came to ${seq}`);
};
