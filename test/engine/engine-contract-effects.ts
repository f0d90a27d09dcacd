import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import type { TaskToolCall } from '../../src/tools/port.ts';
import { controlledTool, quickTool } from '../support/engine/controlled-tools.ts';
import { acts, asks, concludes, finishes, plans } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** A time limit that a call is meant to run into, in milliseconds. */
const SHORT_MS = 5;

/** Calls of tools and verifiers, and their results (SPEC 7), as any engine must do it. */
export const itPerformsEffects = (open: OpenEngine): void => {
  const callOnce = (tool: string, input?: string) =>
    createScriptedModel([plans('Dig'), acts(tool, input), finishes(), concludes('Dug')]);
  const observed = (trace: TraceEntry[]) =>
    trace.flatMap(({ event }) => (event.type === 'observation.recorded' ? [[event.ok, event.result]] : []));

  describe('An effect', () => {
    it('starts only when the entry that asks for it can be read', async () => {
      let seen: TraceEntry[] = [];
      const tool = quickTool('dig', async (_, { owner, session_id }) => {
        seen = await Array.fromAsync(engine.sessionTrace(owner, session_id));
        return { ok: true, result: 'a hole' };
      });
      const { engine } = await open({ model: callOnce('dig'), tools: [tool] });
      await sessionOf(engine).ask('Dig a hole');
      expect(seen.at(-1)).toMatchObject({ event: { type: 'thought.made' }, effects: [{ type: 'tool.call' }] });
    });

    it('has its own id, also when the same thing is done again', async () => {
      const ids: string[] = [];
      const tool = quickTool('dig', (_, { effect_id }) => {
        ids.push(effect_id);
        return { ok: true, result: 'a hole' };
      });
      const model = createScriptedModel([plans('Dig'), acts('dig'), acts('dig'), finishes(), concludes('Dug')]);
      const { task_id } = await sessionOf((await open({ model, tools: [tool] })).engine).ask('Dig a hole');
      expect(ids).toEqual([`${task_id}.3`, `${task_id}.5`]);
    });
  });

  describe('A tool', () => {
    it('is given the input verbatim, who calls, what for, and the folder of its session', async () => {
      const calls: [string, TaskToolCall][] = [];
      const tool = quickTool('dig', (input, call) => {
        calls.push([input, call]);
        return { ok: true, result: 'a hole' };
      });
      const plan = plans({ id: 'a', step: 'Dig', expected: 'A deep hole' });
      const model = createScriptedModel([
        plan,
        asks('Where?'),
        { status: 'replanned', plan: plan.plan },
        acts('dig', ' here  "now" '),
        finishes(),
        concludes('Dug'),
      ]);
      const session = sessionOf((await open({ model, tools: [tool], now: () => 5_000 })).engine, 's1', 'ann');
      await session.ask('Dig a hole', { timezone: 'Asia/Tokyo' });
      const { task_id } = await session.ask('In the garden');
      expect(calls[0]?.[0]).toBe(' here  "now" ');
      expect(calls[0]?.[1]).toMatchObject({
        owner: 'ann',
        session_id: 's1',
        task_id,
        item_id: 'a',
        executor: 'default',
        expected: 'A deep hole',
        clarifications: ['In the garden'],
        timezone: 'Asia/Tokyo',
        now: 5_000,
        language: 'en',
        workspace: expect.stringContaining('s1'),
      });
    });

    it.each(['idempotent', 'at_most_once'] as const)(
      'that throws has failed, and the task continues (%s)',
      async (effect) => {
        const tool = quickTool('dig', () => Promise.reject(new Error('the spade broke')), { effect });
        const session = sessionOf((await open({ model: callOnce('dig'), tools: [tool] })).engine);
        expect(await session.ask('Dig a hole')).toMatchObject({ status: 'answered', task: { failed_steps: 1 } });
        expect(observed(await session.trace())).toEqual([[false, 'the spade broke']]);
      },
    );

    it('that gives back no result has failed, and the task continues', async () => {
      const tool = quickTool('dig', () => ({ hole: 1 }) as never);
      const session = sessionOf((await open({ model: callOnce('dig'), tools: [tool] })).engine);
      expect(await session.ask('Dig a hole')).toMatchObject({ status: 'answered', task: { failed_steps: 1 } });
    });

    it('that takes too long is aborted and has failed; one that runs at most once may have taken effect', async () => {
      for (const [goal, effect, said] of [
        ['Dig a hole', 'idempotent', `dig did not finish within ${SHORT_MS} ms`],
        [
          'Dig a hole',
          'at_most_once',
          `dig did not finish within ${SHORT_MS} ms; outcome unknown, it may have taken effect`,
        ],
        ['挖一个洞', 'idempotent', `dig 没有在 ${SHORT_MS} 毫秒内完成`],
        ['挖一个洞', 'at_most_once', `dig 没有在 ${SHORT_MS} 毫秒内完成；结果未知，它可能已经生效`],
      ] as const) {
        const controlled = controlledTool('dig', { effect });
        const session = sessionOf(
          (await open({ model: callOnce('dig'), tools: [controlled.tool], toolTimeoutMs: SHORT_MS })).engine,
        );
        expect(await session.ask(goal)).toMatchObject({ status: 'answered' });
        expect(observed(await session.trace())).toEqual([[false, said]]);
        expect(controlled.calls[0]?.call.signal.aborted).toBe(true);
      }
    });

    it('has the time limit that it names itself', async () => {
      const controlled = controlledTool('dig', { timeoutMs: SHORT_MS });
      const session = sessionOf((await open({ model: callOnce('dig'), tools: [controlled.tool] })).engine);
      await session.ask('Dig a hole');
      expect(observed(await session.trace())[0]?.[1]).toContain(`within ${SHORT_MS} ms`);
    });

    it('that the item does not allow never runs', async () => {
      const controlled = controlledTool('dig');
      const plan = plans({ id: 'a', step: 'Count', tools: ['tally'] });
      const model = createScriptedModel([plan, acts('dig'), finishes(), concludes('Counted')]);
      const session = sessionOf((await open({ model, tools: [controlled.tool] })).engine);
      expect(await session.ask('Count')).toMatchObject({ status: 'answered' });
      expect(controlled.calls).toEqual([]);
      expect(await session.events()).toContain('thought.rejected');
    });
  });

  describe('A transactional tool', () => {
    it('changes the store and is observed in one commit', async () => {
      const opened = await open({ model: callOnce('tally', 'one hole') });
      const session = sessionOf(opened.engine);
      expect(await session.ask('Dig a hole')).toMatchObject({ status: 'answered' });
      expect(await opened.tallied()).toEqual(['one hole']);
      expect(observed(await session.trace())).toEqual([[true, 'tallied one hole']]);
    });

    it('that throws has failed and changed nothing, and the task continues', async () => {
      const opened = await open({ model: callOnce('tally', 'throw') });
      const session = sessionOf(opened.engine);
      expect(await session.ask('Dig a hole')).toMatchObject({ status: 'answered', task: { failed_steps: 1 } });
      expect(await opened.tallied()).toEqual([]);
      expect(observed(await session.trace())).toEqual([[false, expect.stringContaining('tally is broken')]]);
    });
  });

  describe('A verifier', () => {
    const writes = () =>
      createScriptedModel([plans('Dig'), acts('tally'), finishes(), concludes('Dug'), concludes('Dug anyway')]);

    it('runs before the answer goes out where a tool wrote, and its failure is replanned', async () => {
      const outcomes = [false, true];
      const model = writes();
      const session = sessionOf(
        (
          await open({
            model,
            verifiers: [async () => ({ ok: outcomes.shift() ?? false, output: 'the hole is too small' })],
          })
        ).engine,
      );
      expect(await session.ask('Dig a hole')).toMatchObject({ status: 'answered', output: 'Dug anyway' });
      expect(model.requests.at(-1)?.task.observations.at(-1)).toMatchObject({
        source: 'verification',
        ok: false,
        result: 'the hole is too small',
      });
    });

    it('that throws has failed, and the task pauses when it throws again', async () => {
      const session = sessionOf(
        (await open({ model: writes(), verifiers: [() => Promise.reject(new Error('no shovel'))] })).engine,
      );
      const turn = await session.ask('Dig a hole');
      expect(turn).toMatchObject({ status: 'paused', task: { pause_reason: 'verification_failed' } });
      expect((await session.events()).filter((type) => type === 'verification.finished')).toHaveLength(2);
    });

    it('does not run where nothing was written', async () => {
      const model = createScriptedModel([plans('Dig'), finishes(), concludes('Dug')]);
      const { engine } = await open({ model, verifiers: [() => Promise.reject(new Error('never asked'))] });
      expect(await sessionOf(engine).ask('Dig a hole')).toMatchObject({ status: 'answered' });
    });
  });
};
