import { describe, expect, it } from 'vitest';
import type { TaskView } from '../../contracts/turn-view.ts';
import { createScriptedModel, type ScriptedAnswer } from '../../src/models/scripted.ts';
import { questionId } from '../../src/projections/question.ts';
import { controlledTool, quickTool } from '../support/engine/controlled-tools.ts';
import { acts, asks, concludes, finishes, plans, replans, straight } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** A person decides before a tool runs (SPEC 3, approval), as any engine must let them. */
export const itAsksForApproval = (open: OpenEngine): void => {
  /** A task that waits for a yes to `dig`, which notes each input that it ran with. */
  const waiting = async (...then: ScriptedAnswer[]) => {
    const ran: string[] = [];
    const dig = quickTool(
      'dig',
      (input) => {
        ran.push(input);
        return { ok: true, result: `dug ${input}` };
      },
      { approval: true, effect: 'at_most_once' },
    );
    const model = createScriptedModel([plans('Dig'), acts('dig', 'deep'), ...then]);
    const opened = await open({ model, tools: [dig] });
    const session = sessionOf(opened.engine);
    const question = await session.ask('Dig a hole');
    return { opened, session, model, question, ran };
  };
  const goesOn = [finishes(), concludes('Dug')];

  describe('A tool that needs approval', () => {
    it('is asked about with its whole input, and does not run before the yes', async () => {
      const { opened, session, question, ran } = await waiting(...goesOn);
      const approval = { tool: 'dig', input: 'deep' };
      expect(question).toMatchObject({
        status: 'asking',
        question: 'May I run the tool "dig" with this input?\n\ndeep',
        output: 'Please confirm: May I run the tool "dig" with this input?\n\ndeep\n\n1. yes\n2. no\n3. always',
        options: ['yes', 'no', 'always'],
        approval,
        task: { state: 'awaiting_user', phase: 'blocked', approval, step_count: 1 },
      });
      const { items } = await opened.engine.waiting('local', ['awaiting_user'], { limit: 10 });
      expect(items).toMatchObject([{ session_id: 's1', question: question.question, task: { approval } }]);
      expect(await opened.engine.turn('local', question.id)).toEqual(question);
      expect(ran).toEqual([]);
      expect(await session.ask('yes')).toMatchObject({ status: 'answered', output: 'Dug', approval: null });
      expect(ran).toEqual(['deep']);
    });

    it.each([
      [{ type: 'approve' }, ['deep'], 'yes'],
      [{ type: 'approve_always' }, ['deep'], 'always'],
      [{ type: 'edit', input: 'shallow' }, ['shallow'], 'yes, but with this input: shallow'],
    ] as const)('runs once after the decision %j', async (decision, inputs, said) => {
      const { session, model, ran } = await waiting(...goesOn, ...straight('Hello'));
      expect(await session.decide(decision)).toMatchObject({ status: 'answered', output: 'Dug' });
      expect(ran).toEqual(inputs);
      await session.ask('And now?');
      expect(model.requests.at(-1)?.task.conversation.at(-1)).toEqual({ said, answered: 'Dug' });
    });

    it('does not run after a no, and its reason reaches the replan', async () => {
      const { session, model, ran } = await waiting(concludes('Not dug'));
      expect(await session.decide({ type: 'reject', reason: 'The cat sleeps there' })).toMatchObject({
        status: 'answered',
        output: 'Not dug',
      });
      expect(ran).toEqual([]);
      expect(model.requests.at(-1)?.task.clarification_history).toMatchObject([{ text: 'The cat sleeps there' }]);
    });

    it('is not asked about again after "always", in this task only', async () => {
      const { session, ran } = await waiting(acts('dig', 'deeper'), ...goesOn, plans('Dig'), acts('dig', 'anew'));
      expect(await session.ask('always')).toMatchObject({ output: 'Dug' });
      expect(ran).toEqual(['deep', 'deeper']);
      expect(await session.ask('Dig another')).toMatchObject({ status: 'asking', approval: { input: 'anew' } });
      expect(ran).toHaveLength(2);
    });
  });

  describe('Two yeses', () => {
    it.each(['decisions', 'words'])('at once, as %s, run it once', async (form) => {
      const { opened, session, ran } = await waiting(...goesOn, ...straight('Yes what?'));
      const yes = () => (form === 'words' ? session.send('yes') : session.decide({ type: 'approve' }));
      const [first, second] = await Promise.allSettled([yes(), yes()]);
      expect(first).toMatchObject({ status: 'fulfilled' });
      if (form === 'decisions') expect(second).toMatchObject({ reason: { code: 'NO_APPROVAL_PENDING', status: 409 } });
      else expect(second).toMatchObject({ value: { status: 'queued' } });
      for (const turn of (await opened.engine.turns('local', 's1', { limit: 10 })).items) await session.reply(turn);
      expect(ran).toEqual(['deep']);
    });

    it('of which the second comes while a tool runs do not answer a later question', async () => {
      const controlled = controlledTool('dig', { approval: true });
      const model = createScriptedModel([plans('Dig'), acts('dig', 'a'), acts('dig', 'b')]);
      const session = sessionOf((await open({ model, tools: [controlled.tool] })).engine);
      await session.ask('Dig');
      const first = session.decide({ type: 'approve' });
      const call = await controlled.called(1);
      await expect(session.decide({ type: 'approve' })).rejects.toMatchObject({
        code: 'NO_APPROVAL_PENDING',
      });
      call.gives('dug');
      expect(await first).toMatchObject({ status: 'asking', approval: { input: 'b' } });
      expect(controlled.calls).toHaveLength(1);
    });

    it('under one Idempotency-Key are one, and another decision under it is refused', async () => {
      const { session, ran } = await waiting(...goesOn);
      const more = { idempotency_key: 'k1' };
      const first = await session.decide({ type: 'approve' }, more);
      expect(await session.decide({ type: 'approve' }, more)).toEqual(first);
      await expect(session.decide({ type: 'approve_always' }, more)).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
      });
      expect(ran).toEqual(['deep']);
    });
  });

  describe('A decision that nothing waits for', () => {
    it('is refused, and stores nothing', async () => {
      const model = createScriptedModel([plans('Ask'), asks('Which day?')]);
      const { engine } = await open({ model });
      const session = sessionOf(engine);
      const refused = () =>
        expect(session.decide({ type: 'approve' })).rejects.toMatchObject({ code: 'NO_APPROVAL_PENDING' });
      await refused();
      await expect(engine.session('local', 's1')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
      await session.ask('Plan it');
      const before = await session.trace();
      await refused();
      expect(await session.trace()).toEqual(before);
    });

    it('after an edit of the plan is refused, and the answer "yes" replans', async () => {
      const { session, ran } = await waiting(replans('Dig'), acts('dig', 'elsewhere'));
      expect(await session.ask('/status')).toMatchObject({ output: expect.stringContaining('deep') });
      expect(await session.ask('/continue')).toMatchObject({ output: expect.stringContaining('deep') });
      expect(await session.ask('/plan add Fill it')).toMatchObject({ status: 'ran', task: { approval: null } });
      await expect(session.decide({ type: 'approve' })).rejects.toMatchObject({ code: 'NO_APPROVAL_PENDING' });
      expect(await session.ask('yes')).toMatchObject({ status: 'asking', approval: { input: 'elsewhere' } });
      expect(ran).toEqual([]);
    });

    it('after a cancel is refused', async () => {
      const { session, ran } = await waiting();
      expect(await session.ask('/cancel')).toMatchObject({ status: 'cancelled' });
      await expect(session.decide({ type: 'approve' })).rejects.toMatchObject({ code: 'NO_APPROVAL_PENDING' });
      expect(ran).toEqual([]);
    });
  });

  describe('An answer to a named question', () => {
    it('is taken while exactly that one is open, and refused before and after it, with nothing stored', async () => {
      const { session, question, ran } = await waiting(acts('dig', 'deeper'), ...goesOn);
      const answers = questionId(question.task as TaskView) ?? '';
      await expect(session.send('yes', { answers: `${answers}1` })).rejects.toMatchObject({
        code: 'QUESTION_NOT_OPEN',
      });
      expect(await session.decide({ type: 'approve' }, { answers })).toMatchObject({ approval: { input: 'deeper' } });
      await expect(session.decide({ type: 'approve' }, { answers })).rejects.toMatchObject({
        code: 'QUESTION_NOT_OPEN',
      });
      await expect(session.send('/status', { answers })).rejects.toMatchObject({ code: 'QUESTION_NOT_OPEN' });
      expect(ran).toEqual(['deep']);
      await session.decide({ type: 'approve' });
      const before = await session.trace();
      await expect(session.send('yes', { answers })).rejects.toMatchObject({ code: 'QUESTION_NOT_OPEN', status: 409 });
      expect(await session.trace()).toEqual(before);
    });

    it('that comes twice at once is taken once, and again under its key', async () => {
      const { session, question, ran } = await waiting(...goesOn);
      const answers = questionId(question.task as TaskView) ?? '';
      const [first, second] = await Promise.allSettled([
        session.send('yes', { answers, idempotency_key: 'k1' }),
        session.send('yes', { answers, idempotency_key: 'k2' }),
      ]);
      expect(second).toMatchObject({ reason: { code: 'QUESTION_NOT_OPEN' } });
      const again = await session.send('yes', { answers, idempotency_key: 'k1' });
      expect(first).toMatchObject({ value: { id: again.id } });
      expect(await session.reply(again)).toMatchObject({ output: 'Dug' });
      expect(ran).toEqual(['deep']);
    });
  });

  describe('After a crash', () => {
    it('before the yes, the action still waits, and runs once after it', async () => {
      const { opened, ran } = await waiting();
      opened.crash();
      const session = sessionOf((await opened.reopen({ model: createScriptedModel([...goesOn]) })).engine);
      expect(ran).toEqual([]);
      expect(await session.ask('yes')).toMatchObject({ output: 'Dug' });
      expect(ran).toEqual(['deep']);
    });

    it('after the yes, a tool that runs at most once does not run again', async () => {
      const controlled = controlledTool('dig', { approval: true, effect: 'at_most_once' });
      const model = createScriptedModel([plans('Dig'), acts('dig')]);
      const opened = await open({ model, tools: [controlled.tool] });
      const session = sessionOf(opened.engine);
      await session.ask('Dig');
      const yes = await session.send('', { decision: { type: 'approve' } });
      await controlled.called(1);
      opened.crash();
      const next = sessionOf((await opened.reopen({ model: createScriptedModel([...goesOn]) })).engine);
      expect(await next.reply(yes)).toMatchObject({ output: 'Dug' });
      expect(controlled.calls).toHaveLength(1);
      expect((await next.trace()).findLast(({ event }) => event.type === 'observation.recorded')?.event).toMatchObject({
        ok: false,
        result: expect.stringContaining('outcome unknown'),
      });
    });

    it('after the yes, a transactional tool has run exactly once', async () => {
      const model = createScriptedModel([plans('Tally'), acts('tally', 'one'), ...goesOn]);
      const opened = await open({ model, approve: ['tally'] });
      const session = sessionOf(opened.engine);
      await session.ask('Tally');
      expect(await opened.tallied()).toEqual([]);
      const yes = await session.send('yes');
      opened.crash();
      const next = await opened.reopen({
        model: createScriptedModel({ thought: finishes(), replan: concludes('Dug') }),
      });
      await sessionOf(next.engine).reply(yes);
      expect(await next.tallied()).toEqual(['one']);
    });
  });

  describe('A fork at the question', () => {
    it('has its own decision: each runs its own action', async () => {
      const { opened, session, question, ran } = await waiting(...goesOn, concludes('Not dug'));
      const forked = await opened.engine.fork('local', question.task_id ?? '', { session_id: 's2', input: 'yes' });
      const fork = sessionOf(opened.engine, 's2');
      expect(await fork.reply(forked)).toMatchObject({ status: 'answered', output: 'Dug' });
      expect(ran).toEqual(['deep']);
      expect(await session.ask('no')).toMatchObject({ output: 'Not dug' });
      expect(ran).toEqual(['deep']);
    });

    it('without an answer waits as the original does', async () => {
      const { opened, question, ran } = await waiting(...goesOn);
      const forked = await opened.engine.fork('local', question.task_id ?? '', { session_id: 's2' });
      const fork = sessionOf(opened.engine, 's2');
      expect(await fork.reply(forked)).toMatchObject({
        status: 'asking',
        approval: { tool: question.approval?.tool, input: question.approval?.input },
      });
      expect(await fork.decide({ type: 'edit', input: 'wide' })).toMatchObject({ output: 'Dug' });
      expect(ran).toEqual(['wide']);
    });
  });
};
