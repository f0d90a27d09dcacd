import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TaskContext } from '../../contracts/task.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import { notTakenEntries } from '../../machines/log.ts';
import { callsLeft } from '../../machines/pending-calls.ts';
import { replay } from '../../src/history/replay.ts';
import { createScriptedModel, type Script, type ScriptedAnswer, type ScriptedCall } from '../../src/models/scripted.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { controlledTool, quickTool } from '../support/engine/controlled-tools.ts';
import { callFinish, callItemDone, callPlan, callTool } from '../support/engine/model-answers.ts';
import type { EngineSetup, OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf, type TestSession } from '../support/engine/test-session.ts';

/** Chains of calls in one message (SPEC 3), as any engine must take them. */
export const itTakesChains = (open: OpenEngine): void => {
  /** A tool `dig` and what it ran with. */
  const digTool = () => {
    const dug: string[] = [];
    const tool = quickTool(
      'dig',
      (input) => {
        dug.push(input);
        return { ok: input !== 'rock', result: `dug ${input}` };
      },
      { writes: true },
    );
    return { dug, tools: [tool] };
  };

  const opened = async (script: Script, setup: Partial<EngineSetup> = {}) => {
    const model = createScriptedModel(script);
    const engine = await open({ ...setup, model });
    return { ...engine, opened: engine, model, session: sessionOf(engine.engine) };
  };

  /** The events of a trace, with the inputs of tools. */
  const story = async (session: TestSession): Promise<string[]> =>
    (await session.trace()).map(({ event }) =>
      event.type === 'observation.recorded' ? `${event.tool} ${event.input}` : event.type,
    );

  /** The calls of which the model is told that they were not taken. */
  const notTaken = ({ log, said }: TaskContext) =>
    [...(log ?? []), ...notTakenEntries(callsLeft(said))].flatMap((entry) =>
      entry.kind === 'not_taken' ? entry.calls : [],
    );

  const expectReplayed = async (session: TestSession): Promise<void> => {
    const trace = await session.trace();
    expect(await replay(trace, { gapless: true })).toEqual({ ok: true, entries: trace.length });
  };

  const twoItems: ScriptedCall[][] = [
    [callPlan('Dig', 'Fill'), callTool('dig', 'a'), callTool('dig', 'b')],
    [callItemDone('two holes'), callTool('dig', 'c')],
    [callItemDone('filled'), callFinish('Dug and filled')],
  ];

  describe('The calls of one message', () => {
    it('are answered in the commit of the outcome before them, without a call of the model', async () => {
      const { dug, tools } = digTool();
      const { commits, model, session } = await opened(twoItems, { tools });
      expect(await session.ask('Garden')).toMatchObject({ status: 'answered', output: 'Dug and filled' });
      expect(dug).toEqual(['a', 'b', 'c']);
      expect(model.requests).toHaveLength(3);
      // The turn, three messages and three results of tools.
      expect(commits()).toBe(7);
      expect(await story(session)).toEqual([
        ...['task.opened', 'plan.made', 'thought.made', 'dig a', 'thought.made', 'dig b'],
        ...['thought.made', 'replan.made', 'thought.made', 'dig c', 'thought.made', 'replan.made'],
      ]);
      await expectReplayed(session);
    });

    it('count as the events that they become, and are paid for once', async () => {
      const { tools } = digTool();
      const usage = { input_tokens: 10, output_tokens: 1 };
      const script = twoItems.map((calls) => ({ calls, usage }));
      const { engine, session } = await opened(script, { tools, now: () => Date.UTC(2026, 0, 5) });
      expect(await session.ask('Garden')).toMatchObject({ task: { step_count: 10 } });
      expect(await engine.usageToday('local')).toMatchObject({
        calls: 3,
        usage: { input_tokens: 30, output_tokens: 3 },
      });
    });

    it('of a transactional tool change what they change with their own observations', async () => {
      const script = [[callTool('tally', 'a'), callTool('tally', 'b')], [callFinish('Tallied')]];
      const { commits, session, tallied } = await opened(script);
      expect(await session.ask('Tally')).toMatchObject({ output: 'Tallied' });
      expect(await tallied()).toEqual(['a', 'b']);
      expect(commits()).toBe(5);
    });

    it('are given up behind one that fails, and the next prompt says so', async () => {
      const { dug, tools } = digTool();
      const script = [[callTool('dig', 'rock'), callTool('dig', 'b'), callFinish('x')], [callFinish('No hole')]];
      const { model, session } = await opened(script, { tools });
      expect(await session.ask('Dig')).toMatchObject({ output: 'No hole' });
      expect(dug).toEqual(['rock']);
      expect(notTaken(model.requests[1]!.task)).toEqual([expect.stringMatching(/^finish/), 'dig {"input":"b"}']);
    });

    it('are one alone where the turn says so', async () => {
      const { dug, tools } = digTool();
      const script = [[callTool('dig', 'a'), callTool('dig', 'b')], [callFinish('Dug a')]];
      const { session } = await opened(script, { tools });
      expect(await session.ask('Dig', { chain: false })).toMatchObject({ output: 'Dug a' });
      expect(dug).toEqual(['a']);
    });

    it('end where the next item is for another model', async () => {
      const { dug, tools } = digTool();
      const script = [
        [callPlan({ id: 'a', step: 'Dig' }, { id: 'b', step: 'Fill' }), callTool('dig', 'a')],
        [callItemDone('a hole'), callTool('dig', 'not of this model')],
        [callTool('dig', 'b'), callTool('dig', 'c')],
        [callItemDone('filled'), callFinish('not of this model either')],
        [callFinish('Done')],
      ];
      const scripted = createScriptedModel(script);
      const nameFor: typeof scripted.nameFor = ({ item_id }) => (item_id === 'b' ? 'second' : 'first');
      const { engine } = await open({ model: { ...scripted, nameFor }, tools });
      const session = sessionOf(engine);
      expect(await session.ask('Garden')).toMatchObject({ output: 'Done' });
      expect(dug).toEqual(['a', 'b', 'c']);
      expect(scripted.requests.map(({ item_id }) => item_id)).toEqual([null, 'a', 'b', 'b', null]);
      expect(notTaken(scripted.requests[2]!.task)).toEqual(['dig {"input":"not of this model"}']);
      await expectReplayed(session);
    });

    it('stop at a spent budget, and the model is asked anew where it goes on', async () => {
      const { dug, tools } = digTool();
      const script = [
        [callTool('dig', 'a'), callTool('dig', 'b'), callTool('dig', 'c')],
        [callTool('dig', 'd'), callFinish('x')],
        [callFinish('Dug')],
      ];
      const { model, session } = await opened(script, { tools, limits: { max_steps: 3 } });
      expect(await session.ask('Dig')).toMatchObject({ status: 'paused', task: { step_count: 4 } });
      expect(dug).toEqual(['a', 'b']);
      expect(model.requests).toHaveLength(1);
      expect(await session.ask('continue')).toMatchObject({ status: 'paused' });
      expect(notTaken(model.requests[1]!.task)).toEqual(['dig {"input":"c"}']);
      expect(dug).toEqual(['a', 'b', 'd']);
    });
  });

  describe('A process that dies between two calls of a message', () => {
    const chain = [callTool('dig', 'a'), callTool('dig', 'b'), callTool('dig', 'c')];

    it('is followed by one that goes on from there, and the model is not asked again', async () => {
      const dig = controlledTool('dig', { writes: true });
      const { opened: first, model, session } = await opened([chain, [callFinish('Dug')]], { tools: [dig.tool] });
      const turn = await session.send('Dig');
      (await dig.called(1)).gives('a hole');
      await dig.called(2);
      first.crash();
      const next = sessionOf((await first.reopen()).engine);
      const again = await dig.called(3);
      expect([again.input, again.call.effect_id]).toEqual(['b', dig.calls[1]?.call.effect_id]);
      again.gives('two holes');
      (await dig.called(4)).gives('three holes');
      expect(await next.reply(turn)).toMatchObject({ output: 'Dug' });
      expect(dig.calls.map(({ input }) => input)).toEqual(['a', 'b', 'b', 'c']);
      expect(model.requests).toHaveLength(2);
      await expectReplayed(next);
    });

    it('runs nothing behind a tool whose outcome is unknown', async () => {
      const dig = controlledTool('dig', { effect: 'at_most_once', writes: true });
      const { opened: first, model, session } = await opened([chain, [callFinish('Dug')]], { tools: [dig.tool] });
      const turn = await session.send('Dig');
      (await dig.called(1)).gives('a hole');
      await dig.called(2);
      first.crash();
      const next = sessionOf((await first.reopen()).engine);
      expect(await next.reply(turn)).toMatchObject({ output: 'Dug', task: { failed_steps: 1 } });
      expect(dig.calls).toHaveLength(2);
      expect(notTaken(model.requests[1]!.task)).toEqual(['dig {"input":"c"}']);
    });
  });

  describe('A fork in the middle of a chain', () => {
    const forking = async (...then: ScriptedCall[][]) => {
      const { dug, tools } = digTool();
      const all = await opened([...twoItems, ...then], { tools });
      const { task_id } = await all.session.ask('Garden');
      const trace = await all.session.trace();
      dug.length = 0;
      const fork = async (at: TraceEntry | undefined, input?: string) => {
        const turn = await all.engine.fork('local', String(task_id), {
          at: at?.seq ?? 0,
          ...(input !== undefined && { input }),
        });
        const session = sessionOf(all.engine, turn.session_id);
        return { reply: await session.reply(turn), session };
      };
      return { ...all, dug, trace, fork };
    };
    const isFirst = (type: string) => (entry: TraceEntry) => entry.event.type === type;

    it.each([
      ['plan.made', ['a', 'b', 'c']],
      ['thought.made', ['a', 'b', 'c']],
      ['observation.recorded', ['b', 'c']],
    ])('at its first %s goes on with what is left, without a call for it', async (type, inputs) => {
      const { dug, trace, fork, model } = await forking(...twoItems.slice(1));
      const { reply, session } = await fork(trace.find(isFirst(type)));
      expect(reply).toMatchObject({ status: 'answered', output: 'Dug and filled' });
      expect(dug).toEqual(inputs);
      expect(model.requests.slice(3).map(({ contract }) => contract)).toEqual(['thought', 'thought']);
      expect((await session.events()).slice(1)).toEqual(trace.map(({ event }) => event.type));
      await expectReplayed(session);
    });

    it('at a replan that leaves the plan as it is goes on with the action behind it', async () => {
      const { dug, trace, fork, model } = await forking(...twoItems.slice(2));
      const { reply } = await fork(trace.find(isFirst('replan.made')));
      expect(reply).toMatchObject({ output: 'Dug and filled' });
      expect(dug).toEqual(['c']);
      expect(model.requests.slice(3).map(({ item_id }) => item_id)).toEqual(['2']);
    });

    it('gives the rest up for an input', async () => {
      const { dug, trace, fork, model } = await forking([callFinish('Otherwise')]);
      const { reply, session } = await fork(trace.find(isFirst('observation.recorded')), 'Only one hole');
      expect(reply).toMatchObject({ output: 'Otherwise' });
      expect(dug).toEqual([]);
      expect(notTaken(model.requests[3]!.task)).toEqual(['dig {"input":"b"}']);
      await expectReplayed(session);
    });

    it('asks the model where the next item is for another one', async () => {
      const script = [
        [callPlan({ id: 'a', step: 'Dig' }, { id: 'b', step: 'Fill' }), callTool('dig', 'a')],
        [callItemDone('a hole'), callTool('dig', 'not of this model')],
        ...[[callItemDone('filled')], [callFinish('Done')], [callItemDone('filled anew')], [callFinish('Forked')]],
      ];
      const scripted = createScriptedModel(script);
      const nameFor: typeof scripted.nameFor = ({ item_id }) => (item_id === 'b' ? 'second' : 'first');
      const { dug, tools } = digTool();
      const { engine } = await open({ model: { ...scripted, nameFor }, tools });
      const session = sessionOf(engine);
      const { task_id } = await session.ask('Garden');
      const at = (await session.trace()).find(isFirst('replan.made'))!.seq;
      const turn = await engine.fork('local', String(task_id), { at });
      expect(await sessionOf(engine, turn.session_id).reply(turn)).toMatchObject({ output: 'Forked' });
      expect(dug).toEqual(['a']);
    });
  });

  describe('What comes between two calls of a message', () => {
    const between = async (...then: ScriptedAnswer[]) => {
      const dig = controlledTool('dig', { writes: true });
      const script = [[callTool('dig', 'a'), callTool('dig', 'b')], ...then];
      const all = await opened(script, { tools: [dig.tool] });
      const turn = await all.session.send('Dig');
      return { ...all, dig, turn, running: await dig.called(1) };
    };

    it('gives up the rest: a steer, which the model is asked about', async () => {
      const { dig, model, running, session, turn } = await between([callFinish('One hole')]);
      await session.send('One is enough', { on_busy: 'steer' });
      running.gives('a hole');
      expect(await session.reply(turn)).toMatchObject({ output: 'One hole' });
      expect(dig.calls).toHaveLength(1);
      expect(model.requests[1]).toMatchObject({ contract: 'replan' });
      expect(notTaken(model.requests[1]!.task)).toEqual(['dig {"input":"b"}']);
    });

    it('gives up the rest: a cancel, also when the result comes late', async () => {
      const { dig, model, opened: process, running, session, turn } = await between();
      expect(await session.ask('/cancel')).toMatchObject({ status: 'cancelled' });
      running.gives('a hole');
      expect(await session.reply(turn)).toMatchObject({ status: 'cancelled' });
      await process.engine.close();
      expect(dig.calls).toHaveLength(1);
      expect(model.requests).toHaveLength(1);
    });

    it('keeps the rest: a command, which does not belong to the task', async () => {
      const { dig, model, running, session, turn } = await between([callFinish('Two holes')]);
      await session.ask('/status');
      running.gives('a hole');
      (await dig.called(2)).gives('a hole');
      expect(await session.reply(turn)).toMatchObject({ output: 'Two holes' });
      expect(model.requests).toHaveLength(2);
    });
  });

  describe('An action of a chain that needs approval', () => {
    const paying = async (inputs: Record<string, unknown>[], ...then: ScriptedAnswer[]) => {
      const { dug, tools } = digTool();
      const paid: number[] = [];
      const pay = defineTool({
        name: 'pay',
        description: 'Pays.',
        input: z.object({ euros: z.number().positive() }),
        approval: true,
        run: ({ euros }) => {
          paid.push(euros);
          return 'paid';
        },
      });
      const payments = inputs.map((input) => ({ name: 'pay', input }));
      const script = [[callTool('dig', 'a'), ...payments, callTool('dig', 'b')], ...then];
      return { ...(await opened(script, { tools: [pay, ...tools] })), dug, paid };
    };

    it('waits for a yes with what came before it done, and gives up those behind it', async () => {
      const { dug, model, paid, session } = await paying([{ euros: 20 }], [callFinish('Paid')]);
      expect(await session.ask('Pay')).toMatchObject({ status: 'asking', approval: { input: '{"euros":20}' } });
      expect(dug).toEqual(['a']);
      expect(await session.ask('yes')).toMatchObject({ status: 'answered', output: 'Paid' });
      expect([paid, dug]).toEqual([[20], ['a']]);
      expect(notTaken(model.requests[1]!.task)).toEqual(['dig {"input":"b"}']);
      await expectReplayed(session);
    });

    it('never asks about an input that its tool refuses, and drops the calls after it', async () => {
      const { dug, model, paid, session } = await paying([{ euros: -5 }], [callFinish('Not paid')]);
      expect(await session.ask('Pay')).toMatchObject({ output: 'Not paid', task: { failed_steps: 1 } });
      expect([paid, dug]).toEqual([[], ['a']]);
      expect(notTaken(model.requests[1]!.task)).toEqual(['dig {"input":"b"}']);
    });

    it('runs with an edited input, and the model sees both', async () => {
      const { model, paid, session } = await paying([{ euros: 20 }, { euros: 30 }], [callFinish('Paid 19')]);
      await session.ask('Pay');
      expect(await session.decide({ type: 'edit', input: '{"euros":19}' })).toMatchObject({ output: 'Paid 19' });
      expect(paid).toEqual([19]);
      const { task } = model.requests[1]!;
      expect(task.observations.at(-1)).toMatchObject({ input: '{"euros":19}', instead_of: '{"euros":20}' });
      expect(notTaken(task)).toEqual(['pay {"euros":30}', 'dig {"input":"b"}']);
    });

    it('is withdrawn by an edit of the plan, and nothing of the message is taken any more', async () => {
      const { dug, model, paid, session } = await paying([{ euros: 20 }], [callFinish('Not paid')]);
      await session.ask('Pay');
      expect(await session.ask('/plan add Rest')).toMatchObject({ status: 'ran', task: { approval: null } });
      expect(await session.ask('yes')).toMatchObject({ output: 'Not paid' });
      expect([paid, dug]).toEqual([[], ['a']]);
      expect(model.requests[1]).toMatchObject({ contract: 'replan' });
      expect(notTaken(model.requests[1]!.task)).toEqual(['dig {"input":"b"}']);
    });
  });
};
