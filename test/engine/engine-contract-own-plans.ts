import { describe, expect, it } from 'vitest';
import { replay } from '../../src/history/replay.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { controlledTool } from '../support/engine/controlled-tools.ts';
import { acts, asks, concludes, echo, finishes, replans } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const plan = [
  { id: 'dig', step: 'Dig a hole', tools: ['DIG'] },
  { id: 'plant', step: 'Plant a tree', depends_on: ['dig'] },
];

/** A plan that a turn brings (SPEC 3), as any engine must take it. */
export const itTakesPlans = (open: OpenEngine): void => {
  describe('A plan that a turn brings', () => {
    it('is the task’s first one without a model call, also after a crash and in a fork, and replays', async () => {
      const dig = controlledTool('dig');
      const model = createScriptedModel([acts('dig'), finishes('2 m'), concludes('Planted'), concludes('Forked')]);
      const opened = await open({ model, tools: [dig.tool] });
      const sent = await sessionOf(opened.engine).send('A tree for the garden', { plan });
      await dig.called(1);
      opened.crash();
      const { engine } = await opened.reopen();
      (await dig.called(2)).gives('earth');
      const session = sessionOf(engine);
      const done = await session.reply(sent);
      expect(done).toMatchObject({ status: 'answered', output: 'Planted' });
      expect(done.task?.plan).toMatchObject([
        { id: 'dig', status: 'completed' },
        { id: 'plant', depends_on: ['dig'] },
      ]);
      expect(model.requests.map(({ contract }) => contract)).toEqual(['thought', 'thought', 'replan']);
      const trace = await session.trace();
      expect(trace.map(({ event }) => event.type)).not.toContain('plan.made');
      expect(await replay(trace)).toMatchObject({ ok: true });
      expect(trace[0]?.event).toMatchObject({ plan: [{ id: 'dig', tools: ['dig'] }, { id: 'plant' }] });
      const at = trace.findLast(({ event }) => event.type === 'thought.made')!.seq;
      const forked = await engine.fork('local', done.task_id ?? '', { at, session_id: 's2' });
      expect(await sessionOf(engine, 's2').reply(forked)).toMatchObject({ output: 'Forked' });
      expect(await replay(await sessionOf(engine, 's2').trace())).toMatchObject({ ok: true });
    });

    it('waits for a yes with confirm_plan, is not cut, and a remark replans it', async () => {
      const model = createScriptedModel([replans('Rest'), finishes(), concludes('Rested')]);
      const { engine } = await open({ model, limits: { max_plan_items: 1 } });
      const session = sessionOf(engine);
      const asked = await session.ask('Garden', { plan: ['Dig', 'Plant'], confirm_plan: true });
      expect(asked).toMatchObject({ status: 'asking', question: expect.stringContaining('1. Dig\n2. Plant') });
      expect(model.requests).toEqual([]);
      expect(await session.ask('Rest instead')).toMatchObject({ question: expect.stringContaining('1. Rest') });
      expect(await session.ask('yes')).toMatchObject({ output: 'Rested' });
    });

    it('opens its task later where another one runs', async () => {
      const dig = controlledTool('dig');
      const model = createScriptedModel([acts('dig'), finishes(), concludes('Dug'), finishes(), concludes('Planted')]);
      const { engine } = await open({ model, tools: [dig.tool], planning: false });
      const session = sessionOf(engine);
      const first = await session.send('Dig');
      const running = await dig.called(1);
      const queued = await session.send('continue', { plan: ['Plant'] });
      expect(queued.status).toBe('queued');
      await expect(session.send('Plant', { plan: ['Plant'], on_busy: 'steer' })).rejects.toMatchObject({
        code: 'EVENT_NOT_ACCEPTED',
      });
      running.gives('earth');
      expect(await session.reply(first)).toMatchObject({ output: 'Dug' });
      expect(await session.reply(queued)).toMatchObject({ output: 'Planted', task: { goal: 'continue' } });
    });

    it('is part of what an idempotency key stands for', async () => {
      const { engine } = await open({ model: createScriptedModel(echo) });
      const session = sessionOf(engine);
      const first = await session.ask('Dig', { idempotency_key: 'k1', plan: ['Dig'] });
      expect((await session.ask('Dig', { idempotency_key: 'k1', plan: ['Dig'] })).id).toBe(first.id);
      await expect(session.send('Dig', { idempotency_key: 'k1', plan: ['Dig', 'Rest'] })).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
      });
    });

    it.each([
      ['a cycle', [{ id: 'a', step: 'A', depends_on: ['a'] }]],
      ['an unknown dependency', [{ id: 'a', step: 'A', depends_on: ['b'] }]],
      [
        'an id twice',
        [
          { id: 'a', step: 'A' },
          { id: 'a', step: 'B' },
        ],
      ],
      ['an item without any of its tools', [{ id: 'a', step: 'A', tools: ['fly'] }]],
    ])('is refused with %s, before anything starts', async (_, faulty) => {
      const { engine } = await open({ model: createScriptedModel(echo) });
      const session = sessionOf(engine);
      await expect(session.send('Go', { plan: faulty })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        errors: [{ path: 'plan' }],
      });
      await expect(session.trace()).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    });

    it('is refused in a turn that opens no task, which changes nothing', async () => {
      const { engine } = await open({
        model: createScriptedModel([asks('Where?'), concludes('Dug')]),
        planning: false,
      });
      const session = sessionOf(engine);
      await session.ask('Dig');
      await expect(session.send('Here', { plan: ['Dig'] })).rejects.toMatchObject({ code: 'EVENT_NOT_ACCEPTED' });
      await expect(session.send('/status', { plan: ['Dig'] })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      expect(await session.ask('Here')).toMatchObject({ output: 'Dug' });
    });
  });
};
