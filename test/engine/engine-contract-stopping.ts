import { describe, expect, it } from 'vitest';
import { createScriptedModel, type ScriptedAnswer } from '../../src/models/scripted.ts';
import { controlledTool, quickTool } from '../support/engine/controlled-tools.ts';
import { digging } from '../support/engine/digging.ts';
import {
  acts,
  asking,
  asks,
  callFinish,
  callTool,
  concludes,
  echo,
  finishes,
  plans,
  straight,
} from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const DAYS_MS = 86_400_000;
const ONCE = { effect: 'at_most_once' } as const;
/** More than are kept in memory with nothing open. */
const OTHERS = 300;
const never = new Promise<ScriptedAnswer>(() => {});

/** A stop in order, for days or in the middle of something (SPEC 6, 7), as any engine must do it. */
export const itStopsAndRests = (open: OpenEngine): void => {
  describe('A stop in order', () => {
    it('lets what runs come to its next commit, and the next process continues from there', async () => {
      const { model, opened, first, call } = await digging(open, [finishes(), concludes('Dug')], ONCE);
      const closed = opened.engine.close();
      call.gives('a hole');
      await closed;
      expect(model.requests).toHaveLength(2);
      const session = sessionOf((await opened.reopen()).engine);
      expect(await session.reply(first)).toMatchObject({ status: 'answered', task: { successful_steps: 1 } });
    });

    it.each([0, 1, 4, 16, 64])(
      'ends no tool for an input that comes %i turns of the event loop before it, or during it',
      async (turns) => {
        const { opened, session, first, call } = await digging(open, [finishes(), concludes('Dug')], ONCE);
        const inputs = [session.send('/status'), session.send('More', { on_busy: 'steer' })];
        for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
        const closed = opened.engine.close();
        inputs.push(session.send('/status'), session.send('And more'));
        const settled = await Promise.allSettled([...inputs, opened.engine.cancel('local', first.task_id!)]);
        const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'SHUTTING_DOWN' }) };
        expect(settled.slice(2)).toEqual([refused, refused, refused]);
        call.gives('a hole');
        await closed;
        const again = sessionOf(
          (await opened.reopen({ model: createScriptedModel({ ...echo, replan: concludes('Dug') }) })).engine,
        );
        expect(await again.reply(first)).toMatchObject({ status: 'answered', task: { successful_steps: 1 } });
      },
    );

    it('aborts what does not come to an outcome in time, also what heeds no abort', async () => {
      const { controlled, opened, first, call } = await digging(open, [finishes(), concludes('Dug')]);
      await opened.engine.close(1);
      expect(call.call.signal.aborted).toBe(true);
      call.gives('too late');
      const session = sessionOf((await opened.reopen()).engine);
      (await controlled.called(2)).gives('a hole');
      expect(await session.reply(first)).toMatchObject({ status: 'answered' });
    });

    it('runs no tool again that may run only once and was aborted', async () => {
      const { controlled, opened, first } = await digging(open, [finishes(), concludes('Who knows')], ONCE);
      await opened.engine.close(1);
      const session = sessionOf((await opened.reopen()).engine);
      expect(await session.reply(first)).toMatchObject({ output: 'Who knows', task: { failed_steps: 1 } });
      expect(controlled.calls).toHaveLength(1);
    });

    it('leaves a call that it did not begin to the next process, which makes it, also of a tool that may run only once', async () => {
      const dig = controlledTool('dig', { effect: 'at_most_once', writes: true });
      const model = createScriptedModel([[callTool('dig', 'a'), callTool('dig', 'b')], [callFinish('Dug')]]);
      const opened = await open({ model, tools: [dig.tool] });
      const first = await sessionOf(opened.engine).send('Dig');
      const call = await dig.called(1);
      const closed = opened.engine.close();
      call.gives('a hole');
      await closed;
      const second = await opened.reopen();
      (await dig.called(2)).gives('another hole');
      expect(await sessionOf(second.engine).reply(first)).toMatchObject({
        output: 'Dug',
        task: { successful_steps: 2, failed_steps: 0 },
      });
      expect(dig.calls.map(({ input }) => input)).toEqual(['a', 'b']);
    });

    it('refuses new turns, and sends those who wait to the next process', async () => {
      const model = createScriptedModel([never, ...straight('Hi')]);
      const opened = await open({ model });
      const session = sessionOf(opened.engine);
      const first = await session.send('Hello');
      await model.asked(1);
      const waiting = session.reply(first);
      const closed = opened.engine.close(0);
      expect(await opened.engine.isReady()).toBe(false);
      await expect(waiting).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
      await expect(session.send('More')).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
      await expect(opened.engine.cancel('local', first.task_id!)).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
      await closed;
      expect(await sessionOf((await opened.reopen()).engine).reply(first)).toMatchObject({ output: 'Hi' });
    });

    it('stores or refuses every turn that was in flight', async () => {
      const model = createScriptedModel({ ...echo, plan: [never, ...Array.from({ length: 20 }, () => echo.plan)] });
      const opened = await open({ model });
      await sessionOf(opened.engine).send('First');
      await model.asked(1);
      const sent = Promise.allSettled(
        Array.from({ length: 10 }, (_, i) => sessionOf(opened.engine, `s${1 + (i % 3)}`).send(`Turn ${i}`)),
      );
      await opened.engine.close(0);
      const settled = await sent;
      const { engine } = await opened.reopen();
      for (const result of settled)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'SHUTTING_DOWN' });
        else
          expect(await sessionOf(engine, result.value.session_id).reply(result.value)).toMatchObject({
            status: 'answered',
          });
    });
  });

  describe('When settled', () => {
    it('a question waits for days, across restarts and crashes, without cost', async () => {
      let now = 1_000;
      const model = createScriptedModel([plans('Paint', 'Clean'), asks('Which colour?'), concludes('Painted')]);
      const opened = await open({ model, now: () => now });
      const asked = await sessionOf(opened.engine).ask('Paint');
      await opened.engine.close();
      now += 3 * DAYS_MS;
      const second = await opened.reopen();
      expect(await second.engine.turn('local', asked.id)).toEqual(asked);
      expect((await second.engine.session('local', 's1')).active_task).toEqual(asked.task);
      second.crash();
      now += 3 * DAYS_MS;
      const session = sessionOf((await second.reopen()).engine);
      expect(await session.ask('Red')).toMatchObject({ status: 'answered', output: 'Painted', task_id: asked.task_id });
      expect(model.requests.at(-1)?.task).toMatchObject({
        past_items: [],
        clarification_history: [{ question: 'Which colour?', text: 'Red' }],
      });
    });

    it('a paused task keeps everything, and continues at the right item', async () => {
      const model = createScriptedModel([
        plans('Dig', 'Fill'),
        acts('tally', 'hole'),
        finishes('a hole'),
        { status: 'replanned', plan: ['Fill'] },
        finishes(),
        concludes('Done'),
      ]);
      const opened = await open({ model, limits: { max_steps: 3 } });
      const paused = await sessionOf(opened.engine).ask('Garden');
      expect(paused).toMatchObject({ status: 'paused', task: { step_count: 3 } });
      opened.crash();
      const again = await opened.reopen();
      const session = sessionOf(again.engine);
      expect(await session.tasks()).toEqual([paused.task]);
      expect(await session.ask('continue')).toMatchObject({ status: 'answered', output: 'Done' });
      expect(model.requests[3]).toMatchObject({
        contract: 'replan',
        task: { past_items: [{ step: 'Dig', result: 'a hole' }] },
      });
      expect(await again.tallied()).toEqual(['hole']);
    });

    it('what has ended is shown as it ended, and nothing is done again', async () => {
      const model = createScriptedModel([...straight('Hi'), ...asking('Which?')]);
      const opened = await open({ model, tools: [quickTool('dig')] });
      const session = sessionOf(opened.engine);
      const first = await session.ask('Hello', { idempotency_key: 'k1' });
      await session.ask('Paint');
      await session.ask('/cancel');
      const shown = { trace: await session.trace(), tasks: await session.tasks(), prose: await session.prose() };
      opened.crash();
      const again = sessionOf((await opened.reopen()).engine);
      expect({ trace: await again.trace(), tasks: await again.tasks(), prose: await again.prose() }).toEqual(shown);
      expect(await again.ask('Hello', { idempotency_key: 'k1' })).toEqual(first);
      expect(model.requests).toHaveLength(5);
    });
  });

  it('turns that wait behind a question count as open while other sessions come, after a restart, and until they are finished', async () => {
    const gate = Promise.withResolvers<object>();
    const [plan, question] = asking('Which colour?');
    const [, done] = straight('');
    const rest = [done!, concludes('Painted'), ...straight('Dried'), ...straight('Sold')];
    const first = await open({
      model: createScriptedModel([plan!, gate.promise as Promise<never>, ...rest]),
    });
    const session = sessionOf(first.engine);
    const turn = await session.send('Paint');
    const queued = [
      await session.send('Dry', { on_busy: 'enqueue' }),
      await session.send('Sell', { on_busy: 'enqueue' }),
    ];
    expect(await first.engine.activity()).toMatchObject({ turns_running: 3, turns_queued: 2 });
    gate.resolve(question!);
    expect(await session.reply(turn)).toMatchObject({ status: 'asking' });
    for (let i = 0; i < OTHERS; i += 1) await sessionOf(first.engine, `other${i}`).ask('/status');
    expect(await first.engine.activity()).toMatchObject({ turns_running: 2, turns_queued: 2 });
    await first.engine.close();

    const { engine } = await first.reopen();
    await sessionOf(engine, 'other0').ask('/status');
    expect(await engine.activity()).toMatchObject({ turns_running: 2, turns_queued: 2 });
    const again = sessionOf(engine);
    expect(await again.ask('Green')).toMatchObject({ status: 'answered' });
    for (const each of queued) expect(await again.reply(each)).toMatchObject({ status: 'answered' });
    expect(await engine.activity()).toMatchObject({ turns_running: 0, turns_queued: 0 });
  });
};
