import { describe, expect, it } from 'vitest';
import { replay } from '../../src/history/replay.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { controlledTool, quickTool } from '../support/engine/controlled-tools.ts';
import { acts, asks, concludes, echo, finishes, plans, replans } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** The options of a turn (SPEC 11), as any engine must keep them. */
export const itTakesOptions = (open: OpenEngine): void => {
  describe('A turn’s metadata', () => {
    it('is with the turn, in its trace and given to tools, also after a crash; a newer turn’s takes its place', async () => {
      const dig = controlledTool('dig');
      const model = createScriptedModel([
        plans('Dig'),
        acts('dig'),
        asks('Where?'),
        replans('Dig there'),
        acts('dig'),
        finishes(),
        concludes('Dug'),
      ]);
      const opened = await open({ model, tools: [dig.tool] });
      const session = sessionOf(opened.engine);
      const first = await session.send('Dig', { metadata: { tenant: 'a', tags: [1] } });
      expect((await dig.called(1)).call).toMatchObject({ owner: 'local', metadata: { tenant: 'a', tags: [1] } });
      opened.crash();
      const reopened = await opened.reopen();
      const again = await dig.called(2);
      expect(again.call.metadata).toEqual({ tenant: 'a', tags: [1] });
      again.gives('earth');
      const later = sessionOf(reopened.engine);
      expect(await later.reply(first)).toMatchObject({ status: 'asking', metadata: { tenant: 'a', tags: [1] } });
      const answered = await later.send('In the garden', { metadata: { tenant: 'b' } });
      const there = await dig.called(3);
      expect(there.call.metadata).toEqual({ tenant: 'b' });
      there.gives('a bone');
      expect(await later.reply(answered)).toMatchObject({ status: 'answered', metadata: { tenant: 'b' } });
      const trace = await later.trace();
      expect(trace[0]?.event).toMatchObject({ type: 'task.opened', metadata: { tenant: 'a', tags: [1] } });
      expect(await replay(trace)).toMatchObject({ ok: true });
    });

    it('reaches a tool that its user tries, and is part of what an idempotency key stands for', async () => {
      const seen: unknown[] = [];
      const look = quickTool('look', (_, { metadata }) => {
        seen.push(metadata);
        return { ok: true, result: 'fine' };
      });
      const { engine } = await open({ model: createScriptedModel(echo), tools: [look] });
      const session = sessionOf(engine);
      await session.ask('/tool look up', { metadata: { tenant: 'a' } });
      await session.ask('/tool look up');
      expect(seen).toEqual([{ tenant: 'a' }, {}]);
      await session.ask('Hello', { idempotency_key: 'k1', metadata: { tenant: 'a' } });
      await expect(session.send('Hello', { idempotency_key: 'k1', metadata: { tenant: 'b' } })).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
      });
    });
  });

  describe('A turn’s tools', () => {
    it('are all that its task is offered and may call, also from the queue, after a crash and at a replan', async () => {
      const dig = controlledTool('dig');
      const offered: { goal: string; names: string[] }[] = [];
      const of = (goal: string) =>
        new Set(offered.flatMap((each) => (each.goal === goal ? [[...each.names].sort().join()] : [])));
      const tools = [dig.tool, quickTool('mail_send'), quickTool('mail_read'), quickTool('look')];
      const model = createScriptedModel({
        plan: ({ tools: shown, task }) => {
          offered.push({ goal: task.goal, names: shown.map(({ name }) => name) });
          return plans('Work');
        },
        thought: ({ tools: shown, task }) => {
          offered.push({ goal: task.goal, names: shown.map(({ name }) => name) });
          if (task.goal === 'Dig') return acts('dig');
          return task.consecutive_failures === 0 && task.observations.length === 0 ? acts('dig') : finishes();
        },
        replan: ({ tools: shown, task }) => {
          offered.push({ goal: task.goal, names: shown.map(({ name }) => name) });
          return concludes(`did: ${task.goal}`);
        },
      });
      const opened = await open({ model, tools });
      const session = sessionOf(opened.engine);
      await session.send('Dig', { tools: ['dig'] });
      await dig.called(1);
      const queued = await session.send('Mail', { tools: ['mail_*', 'look'] });
      opened.crash();
      const reopened = await opened.reopen();
      offered.length = 0;
      (await dig.called(2)).gives('earth');
      (await dig.called(3)).gives('earth');
      (await dig.called(4)).gives('earth', false);
      await sessionOf(reopened.engine).ask('/cancel');
      expect(of('Dig')).toEqual(new Set(['dig']));
      expect(await sessionOf(reopened.engine).reply(queued)).toMatchObject({ output: 'did: Mail' });
      expect(of('Mail')).toEqual(new Set(['look,mail_read,mail_send']));
      expect(dig.calls).toHaveLength(4);
      const trace = await sessionOf(reopened.engine).trace();
      expect(trace.filter(({ event }) => event.type === 'thought.rejected')).toHaveLength(1);
      expect(await replay(trace)).toMatchObject({ ok: true });
    });
  });

  it('Its replan and its context count for its task alone', async () => {
    const model = createScriptedModel({ ...echo, plan: plans('One', 'Two') });
    const { engine } = await open({ model });
    const session = sessionOf(engine);
    await session.ask('First', { replan: 'when_needed', context: 'Lives in Oslo' });
    expect((await session.events()).filter((type) => type === 'replan.made')).toHaveLength(1);
    expect(model.requests.map(({ task }) => task.background)).toEqual(Array(4).fill('Lives in Oslo'));
    await session.ask('Second', { planning: false });
    expect(model.requests.at(-1)?.task).toMatchObject({ background: null, replan: 'always' });
  });

  it('a fork at the opening of a task that asks at once asks as that did, and ends with its cancel', async () => {
    const { engine } = await open({ model: createScriptedModel([finishes(), concludes('Gone')]) });
    const original = sessionOf(engine);
    const asked = await original.ask('Travel', { planning: false, confirm_plan: true, expires_in: 60 });
    for (const [session_id, end] of [
      ['s2', '/cancel'],
      ['s3', 'yes'],
    ] as const) {
      const forked = await engine.fork('local', asked.task_id ?? '', { at: 1, session_id });
      expect(forked).toMatchObject({ status: 'asking', question: asked.question });
      const fork = sessionOf(engine, session_id);
      const waiting = await engine.waiting('local', ['awaiting_user'], { limit: 10 });
      expect(waiting.items.map((item) => item.session_id)).toContain(session_id);
      expect((await engine.session('local', session_id)).last_task).toMatchObject({ state: 'awaiting_user' });
      expect(await fork.ask(end)).toMatchObject(end === 'yes' ? { output: 'Gone' } : { status: 'cancelled' });
      expect(await engine.usage('local')).toMatchObject({ running_tasks: 0 });
    }
    const states = await Promise.all(['s2', 's3'].map((id) => engine.countTasks('local', id)));
    expect(states).toMatchObject([[{ state: 'cancelled', count: 1 }], [{ state: 'done', count: 1 }]]);
    await engine.remove('local', 's2');
  });
};
