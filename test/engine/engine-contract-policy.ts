import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ApprovalVerdict } from '../../contracts/answer.ts';
import { replay } from '../../src/history/replay.ts';
import { createScriptedModel, type ScriptedAnswer } from '../../src/models/scripted.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { ApprovalPolicy, PolicyCall, PolicyVerdict } from '../../src/tools/port.ts';
import { quickTool } from '../support/engine/controlled-tools.ts';
import { acts, callFinish, callTool, concludes, finishes, plans } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf, type TestSession } from '../support/engine/test-session.ts';

/** A tool's policy decides before a person is asked (SPEC 3, approval), as any engine must let it. */
export const itAsksPolicies = (open: OpenEngine): void => {
  type Refund = { order: number; euros: number };

  /** A tool `refund` with a policy, and what both saw. */
  const refundTool = (policy: ApprovalPolicy<Refund>) => {
    const asked: { input: Refund; call: PolicyCall }[] = [];
    const ran: Refund[] = [];
    const tool = defineTool({
      name: 'refund',
      description: 'Refunds an order.',
      input: z.object({ order: z.number().int(), euros: z.number() }),
      approval: (input, call) => {
        asked.push({ input, call });
        return policy(input, call);
      },
      run: (input) => {
        ran.push(input);
        return `refunded ${input.euros}`;
      },
    });
    return { tool, asked, ran };
  };

  const refund = (euros: number) => JSON.stringify({ order: 1043, euros });
  const goesOn = [finishes(), concludes('Refunded')];

  /** A task whose model wants one refund. */
  const wanting = async (policy: ApprovalPolicy<Refund>, ...then: ScriptedAnswer[]) => {
    const { tool, asked, ran } = refundTool(policy);
    const model = createScriptedModel([plans('Refund'), acts('refund', refund(20)), ...then]);
    const opened = await open({ model, tools: [tool] });
    const session = sessionOf(opened.engine);
    const turn = await session.ask('Refund order 1043', { metadata: { tenant: 't1' } });
    return { opened, session, model, turn, asked, ran };
  };

  const verdicts = async (session: TestSession): Promise<(ApprovalVerdict | undefined)[]> =>
    (await session.trace()).flatMap(({ event }) =>
      event.type === 'thought.made' && event.next_action !== null ? [event.approval] : [],
    );

  const results = async (session: TestSession) =>
    (await session.trace()).flatMap(({ event }) => (event.type === 'observation.recorded' ? [event.result] : []));

  describe('A policy', () => {
    it('sees the parsed input and the call, and its verdict "run" runs the tool without a question', async () => {
      const { turn, session, asked, ran } = await wanting(() => 'run', ...goesOn);
      expect(turn).toMatchObject({ status: 'answered', output: 'Refunded' });
      expect(ran).toEqual([{ order: 1043, euros: 20 }]);
      expect(asked).toEqual([
        {
          input: { order: 1043, euros: 20 },
          call: {
            owner: 'local',
            session_id: 's1',
            metadata: { tenant: 't1' },
            language: 'en',
            timezone: 'UTC',
            now: expect.any(Number),
            goal: 'Refund order 1043',
            exposed: null,
          },
        },
      ]);
      expect(await verdicts(session)).toEqual([{ verdict: 'run' }]);
    });

    it('asks a person with its summary, and the whole input stays beside it', async () => {
      const { turn, session, ran } = await wanting(({ euros }) => ({ ask: `Refund ${euros} €` }), ...goesOn);
      expect(turn).toMatchObject({
        status: 'asking',
        question: `Refund 20 €\n\nMay I run the tool "refund" with this input?\n\n${refund(20)}`,
        approval: { tool: 'refund', input: refund(20), summary: 'Refund 20 €' },
      });
      expect(ran).toEqual([]);
      expect(await session.decide({ type: 'approve' })).toMatchObject({ status: 'answered', output: 'Refunded' });
      expect(ran).toEqual([{ order: 1043, euros: 20 }]);
    });

    it('denies an action: nobody is asked, nothing runs, and the model gets the reason', async () => {
      const { turn, session, ran } = await wanting(() => ({ deny: 'over the limit' }), ...goesOn);
      expect(turn.status).toBe('answered');
      expect(ran).toEqual([]);
      expect(await results(session)).toEqual(['refund did not run: its policy denies this call: over the limit']);
    });

    it('never sees an input that the tool refuses, and nobody is asked about it', async () => {
      const { tool, asked, ran } = refundTool(() => 'ask');
      const model = createScriptedModel([plans('Refund'), acts('refund', '{"order": "x"}'), ...goesOn]);
      const session = sessionOf((await open({ model, tools: [tool] })).engine);
      expect(await session.ask('Refund it')).toMatchObject({ status: 'answered' });
      expect([asked, ran]).toEqual([[], []]);
    });

    it.each([
      [
        'throws',
        () => {
          throw new Error('no database');
        },
      ],
      ['rejects', () => Promise.reject(new Error('no database'))],
      ['gives no verdict', () => 'maybe' as PolicyVerdict],
      ['gives more than a verdict', () => ({ ask: 'x', run: true }) as PolicyVerdict],
    ] as [string, ApprovalPolicy<Refund>][])('that %s asks a person', async (_, policy) => {
      const { turn, ran } = await wanting(policy);
      expect(turn).toMatchObject({ status: 'asking', approval: { reason: 'Its policy could not decide.' } });
      expect(ran).toEqual([]);
    });

    it('that asks gives way to a lasting yes of a person, one that denies does not', async () => {
      const policy: ApprovalPolicy<Refund> = ({ euros }) => (euros > 50 ? { deny: 'too much' } : 'ask');
      const more = [acts('refund', refund(30)), acts('refund', refund(60)), ...goesOn];
      const { session, ran } = await wanting(policy, ...more);
      expect(await session.decide({ type: 'approve_always' })).toMatchObject({ status: 'answered' });
      expect(ran.map(({ euros }) => euros)).toEqual([20, 30]);
      expect((await results(session)).at(-1)).toContain('too much');
    });

    it('is asked one by one about calls of one message, each before it runs', async () => {
      const { tool, asked, ran } = refundTool(({ euros }) => (euros === 20 ? 'run' : 'ask'));
      const model = createScriptedModel({
        plan: { calls: [20, 30].map((euros) => ({ name: 'refund', input: { order: 1043, euros } })) },
        thought: [{ calls: [callFinish('Refunded')] }],
      });
      const session = sessionOf((await open({ model, tools: [tool] })).engine);
      const turn = await session.ask('Refund both');
      expect(turn).toMatchObject({ status: 'asking', approval: { input: refund(30) } });
      expect(asked.map(({ input }) => input.euros)).toEqual([20, 30]);
      expect(ran.map(({ euros }) => euros)).toEqual([20]);
      expect(model.requests).toHaveLength(1);
    });
  });

  describe('An edited input', () => {
    it('that the policy denies is refused with the reason, and the approval stays open', async () => {
      const policy: ApprovalPolicy<Refund> = ({ euros }) => (euros > 50 ? { deny: 'at most 50 €' } : 'ask');
      const { session, ran, asked } = await wanting(policy, ...goesOn);
      await expect(session.decide({ type: 'edit', input: refund(60) })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining('at most 50 €'),
      });
      expect((await session.tasks())[0]).toMatchObject({ approval: { input: refund(20) } });
      expect(await session.decide({ type: 'edit', input: refund(40) })).toMatchObject({ status: 'answered' });
      expect(ran).toEqual([{ order: 1043, euros: 40 }]);
      expect(asked.map(({ input, call }) => [input.euros, call.metadata])).toEqual([
        [20, { tenant: 't1' }],
        [60, { tenant: 't1' }],
        [40, { tenant: 't1' }],
      ]);
    });
  });

  describe('A verdict that is stored', () => {
    it('is asked for no more by a restart, a fork, or a replay', async () => {
      const { opened, turn, asked, ran } = await wanting(() => ({ ask: 'Refund it' }));
      opened.crash();
      const reopened = await opened.reopen({ model: createScriptedModel([...goesOn, ...goesOn]) });
      const session = sessionOf(reopened.engine);
      const forked = await reopened.engine.fork('local', turn.task_id ?? '', { session_id: 's2', input: 'yes' });
      expect(await sessionOf(reopened.engine, 's2').reply(forked)).toMatchObject({ status: 'answered' });
      expect((await session.tasks())[0]).toMatchObject({ approval: { summary: 'Refund it' } });
      expect(await session.decide({ type: 'approve' })).toMatchObject({ status: 'answered' });
      const trace = await session.trace();
      expect(await replay(trace, { gapless: true })).toEqual({ ok: true, entries: trace.length });
      expect([asked.length, ran.length]).toEqual([1, 2]);
    });
  });

  describe('After results from outside', () => {
    const opened = async (first: 'look' | 'dig') => {
      const ran: string[] = [];
      const dig = quickTool(
        'dig',
        (input) => {
          ran.push(input);
          return { ok: true, result: `dug ${input}` };
        },
        { approval: 'after_untrusted', writes: true },
      );
      const look = quickTool('look', undefined, { source: 'untrusted' });
      const calls = first === 'look' ? [callTool('look', 'web'), callTool('dig', 'a')] : [callTool('dig', 'a')];
      const model = createScriptedModel({ plan: { calls }, thought: [{ calls: [callFinish('Dug')] }] });
      const session = sessionOf((await open({ model, tools: [dig, look] })).engine);
      return { turn: await session.ask('Dig a hole'), session, ran };
    };

    it('a tool that says so asks, also behind them in the same message, with the reason', async () => {
      const { turn, session, ran } = await opened('look');
      const reason = 'Results of "look", which come from outside, are in this task.';
      expect(turn).toMatchObject({ status: 'asking', approval: { tool: 'dig', input: 'a', reason } });
      expect(turn.question).toContain(reason);
      expect(ran).toEqual([]);
      expect(await session.ask('yes')).toMatchObject({ status: 'answered' });
      expect(ran).toEqual(['a']);
    });

    it('it does not ask where there are none', async () => {
      const { turn, ran } = await opened('dig');
      expect(turn).toMatchObject({ status: 'answered' });
      expect(ran).toEqual(['a']);
    });
  });
};
