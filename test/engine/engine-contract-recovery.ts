import { describe, expect, it } from 'vitest';
import { EFFECT_ATTEMPTS_MAX } from '../../contracts/limits.ts';
import { replay } from '../../src/history/replay.ts';
import { createScriptedModel, type ScriptedAnswer } from '../../src/models/scripted.ts';
import { digging } from '../support/engine/digging.ts';
import { acts, concludes, echo, finishes, plans } from '../support/engine/model-answers.ts';
import type { OpenEngine, TestEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** Tool calls of a long task: more than an engine folds between two snapshots. */
const STEPS = 120;
const never = new Promise<ScriptedAnswer>(() => {});

/** Recovery in a process that another one was there before (SPEC 6, 7), as any engine must do it. */
export const itRecovers = (open: OpenEngine): void => {
  /** A process that crashed while a thought's tool ran. */
  const crashedDigging = async (effect: 'idempotent' | 'at_most_once', ...thoughts: ScriptedAnswer[]) => {
    const { opened, ...known } = await digging(open, [...thoughts, concludes('Dug')], { effect });
    opened.crash();
    return { ...known, session: sessionOf((await opened.reopen()).engine) };
  };

  describe('After a crash', () => {
    it('a model that was being asked is asked again, under the same effect_id, and no answer is bought twice', async () => {
      const model = createScriptedModel([plans('Dig'), never, finishes(), concludes('Dug')]);
      const opened = await open({ model });
      const first = await sessionOf(opened.engine).send('Dig a hole');
      await model.asked(2);
      opened.crash();
      const session = sessionOf((await opened.reopen()).engine);
      expect(await session.reply(first)).toMatchObject({ status: 'answered', output: 'Dug' });
      expect(model.requests.map(({ contract }) => contract)).toEqual(['plan', 'thought', 'thought', 'replan']);
      expect(model.requests[2]?.effect_id).toBe(model.requests[1]?.effect_id);
    });

    it("what a model used is in its owner's day once, with the commit of its answer or not at all", async () => {
      const used = (answer: ScriptedAnswer, input_tokens: number) => ({
        text: answer as object,
        usage: { input_tokens, output_tokens: 1 },
      });
      const model = createScriptedModel([used(plans('Dig'), 10), never, used(finishes(), 100), concludes('Dug')]);
      const opened = await open({ model, now: () => Date.UTC(2026, 0, 5) });
      const first = await sessionOf(opened.engine).send('Dig a hole');
      await model.asked(2);
      opened.crash();
      const { engine } = await opened.reopen();
      await sessionOf(engine).reply(first);
      const { owner } = sessionOf(engine);
      const today = await engine.usageToday(owner);
      expect(today).toMatchObject({ day: '2026-01-05', turns: 1, calls: 2, usage: { input_tokens: 110 } });
      expect(await engine.usageByDay(owner, { limit: 10 })).toEqual({ items: [{ ...today, tools: [] }], next: null });
      expect((await engine.usageByDay('another', { limit: 10 })).items).toEqual([]);
    });

    it('an idempotent tool runs again under the same effect_id', async () => {
      const { controlled, first, session } = await crashedDigging('idempotent', finishes());
      const again = await controlled.called(2);
      expect(again.call.effect_id).toBe(controlled.calls[0]?.call.effect_id);
      again.gives('a hole');
      expect(await session.reply(first)).toMatchObject({ output: 'Dug' });
    });

    it('a tool that runs at most once is not run again: its outcome is unknown, and the thought decides', async () => {
      const { controlled, model, first, session } = await crashedDigging('at_most_once', finishes());
      expect(await session.reply(first)).toMatchObject({ status: 'answered', task: { failed_steps: 1 } });
      expect(controlled.calls).toHaveLength(1);
      expect(model.requests[2]?.task.observations).toMatchObject([
        { ok: false, result: expect.stringMatching(/^outcome unknown/) },
      ]);
    });

    it('that tool may be called anew by the next thought, and runs', async () => {
      const { controlled, first, session } = await crashedDigging('at_most_once', acts('dig'), finishes());
      (await controlled.called(2)).gives('a hole');
      expect(await session.reply(first)).toMatchObject({ task: { failed_steps: 1, successful_steps: 1 } });
    });

    it('a task of many steps continues at the step where it was', async () => {
      const crashes = [30, 61, 62, 97];
      const hanging = new Set(crashes);
      const model = createScriptedModel({
        plan: plans('Count'),
        thought: ({ task: { successful_steps } }) => {
          if (hanging.delete(model.requests.length)) return never;
          return successful_steps < STEPS ? acts('tally', String(successful_steps)) : finishes();
        },
        replan: concludes('Counted'),
      });
      const limits = { max_steps: 1_000, max_total_steps: 1_000, max_rounds_per_item: 1_000 };
      let opened: TestEngine = await open({ model, limits });
      const first = await sessionOf(opened.engine).send('Count');
      for (const crashAt of crashes) {
        await model.asked(crashAt);
        opened.crash();
        opened = await opened.reopen();
      }
      const session = sessionOf(opened.engine);
      expect(await session.reply(first)).toMatchObject({ status: 'answered', task: { successful_steps: STEPS } });
      expect(await opened.tallied()).toEqual(Array.from({ length: STEPS }, (_, i) => String(i)));
      expect(await replay(await session.trace(), { gapless: true })).toMatchObject({ ok: true });
    });

    it('turns that were acknowledged run in their order', async () => {
      const plan: ScriptedAnswer[] = [never, ...Array.from({ length: 4 }, () => echo.plan)];
      const model = createScriptedModel({ ...echo, plan });
      const opened = await open({ model });
      const before = sessionOf(opened.engine);
      const turns = [await before.send('One'), await before.send('Two'), await before.send('Three')];
      await expect.poll(() => model.requests.length).toBe(1);
      opened.crash();
      const session = sessionOf((await opened.reopen()).engine);
      const later = await session.send('Four');
      const outputs = (await Promise.all([...turns, later].map(session.reply))).map(({ output }) => output);
      expect(outputs).toEqual(['did: One', 'did: Two', 'did: Three', 'did: Four']);
      expect((await session.tasks()).map(({ goal }) => goal)).toEqual(['One', 'Two', 'Three', 'Four']);
    });

    it('a steer of a task whose effect was open is kept, and that effect is still known to have been started', async () => {
      const { controlled, opened, session, first } = await digging(open, [concludes('Dug')], {
        effect: 'at_most_once',
      });
      const steer = await session.send('Deeper', { on_busy: 'steer' });
      opened.crash();
      const next = sessionOf((await opened.reopen()).engine);
      expect(await next.reply(steer)).toMatchObject({ output: 'Dug', task_id: first.task_id });
      expect(controlled.calls).toHaveLength(1);
    });
  });

  describe('An effect that kills the process', () => {
    it(`pauses the task after ${EFFECT_ATTEMPTS_MAX} attempts without an outcome, and "continue" tries anew`, async () => {
      const model = createScriptedModel({
        plan: [...Array.from({ length: EFFECT_ATTEMPTS_MAX }, () => never), plans('Dig')],
        thought: finishes(),
        replan: concludes('Dug'),
      });
      let opened: TestEngine = await open({ model });
      const first = await sessionOf(opened.engine).send('Dig a hole');
      for (let attempts = 1; attempts <= EFFECT_ATTEMPTS_MAX; attempts += 1) {
        await model.asked(attempts);
        opened.crash();
        opened = await opened.reopen();
      }
      const session = sessionOf(opened.engine);
      expect(await session.reply(first)).toMatchObject({
        status: 'paused',
        task: { pause_reason: 'crash_loop', step_count: 0 },
      });
      expect(model.requests).toHaveLength(EFFECT_ATTEMPTS_MAX);
      expect(await session.ask('continue')).toMatchObject({ status: 'answered', output: 'Dug' });
    });

    it('is counted by itself: a crash in each of many effects pauses nothing', async () => {
      const model = createScriptedModel([
        never,
        plans('Dig'),
        never,
        acts('tally'),
        never,
        finishes(),
        never,
        concludes('Dug'),
      ]);
      let opened: TestEngine = await open({ model });
      const first = await sessionOf(opened.engine).send('Dig a hole');
      for (const crashAt of [1, 3, 5, 7]) {
        await model.asked(crashAt);
        opened.crash();
        opened = await opened.reopen();
      }
      expect(await sessionOf(opened.engine).reply(first)).toMatchObject({ status: 'answered', output: 'Dug' });
      expect(await opened.tallied()).toEqual(['go']);
    });

    it('is not counted for a process that died before it was begun', async () => {
      const model = createScriptedModel({ plan: [never, plans('Dig')], thought: finishes(), replan: concludes('Dug') });
      let opened: TestEngine = await open({ model });
      const first = await sessionOf(opened.engine).send('Dig a hole');
      await model.asked(1);
      opened.crash();
      for (let start = 0; start <= EFFECT_ATTEMPTS_MAX; start += 1) {
        opened = await opened.reopen();
        opened.crash();
      }
      expect(await sessionOf((await opened.reopen()).engine).reply(first)).toMatchObject({ output: 'Dug' });
    });

    it('is not counted by a stop in order', async () => {
      const stops = EFFECT_ATTEMPTS_MAX + 2;
      const model = createScriptedModel({
        plan: [...Array.from({ length: stops }, () => never), plans('Dig')],
        thought: finishes(),
        replan: concludes('Dug'),
      });
      let opened: TestEngine = await open({ model });
      const first = await sessionOf(opened.engine).send('Dig a hole');
      for (let stop = 1; stop <= stops; stop += 1) {
        await model.asked(stop);
        await opened.engine.close(0);
        opened = await opened.reopen();
      }
      expect(await sessionOf(opened.engine).reply(first)).toMatchObject({ status: 'answered', output: 'Dug' });
    });
  });
};
