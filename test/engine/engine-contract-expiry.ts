import { describe, expect, it } from 'vitest';
import { replay } from '../../src/history/replay.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import type { SessionKey } from '../../src/session/image.ts';
import { dueStore } from '../../src/store/sql/due.ts';
import { quickTool } from '../support/engine/controlled-tools.ts';
import { acts, asking, asks, concludes, finishes, plans } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const HOUR = 3_600_000;
const KEY = { owner: 'local', session_id: 's1' };

/** Questions that expire (SPEC 6), as any engine must keep them. */
export const itLetsQuestionsExpire = (open: OpenEngine): void => {
  describe('A question that nobody answers in time', () => {
    it('pauses its task once, also when the process was down, and is asked again by "continue"', async () => {
      const clock = { now: 1_000_000_000_000 };
      const model = createScriptedModel([...asking('Which day?'), concludes('Monday it is')]);
      const opened = await open({ model, now: () => clock.now, limits: { max_questions: 1 } });
      const session = sessionOf(opened.engine);
      expect(await session.ask('Plan the party', { expires_in: 3_600 })).toMatchObject({ status: 'asking' });
      const at = new Date(clock.now + HOUR).toISOString();
      const waiting = async () => (await opened.engine.waiting('local', ['awaiting_user'], { limit: 9 })).items;
      expect(await waiting()).toMatchObject([{ question: 'Which day?', expires_at: at }]);
      clock.now += HOUR - 1;
      await opened.engine.deliverDue(KEY, clock.now, 0);
      expect(await waiting()).toHaveLength(1);
      opened.crash();

      clock.now += 24 * HOUR;
      const { engine } = await opened.reopen();
      const later = sessionOf(engine);
      for (let i = 0; i < 2; i += 1) await engine.deliverDue(KEY, clock.now, clock.now);
      const [task] = await later.tasks();
      expect(task).toMatchObject({ state: 'paused', pause_reason: 'question_expired' });
      const expired = (await later.trace()).filter(({ event }) => event.type === 'question.expired');
      expect(expired.map(({ event }) => event)).toEqual([{ type: 'question.expired', expired_at: at }]);

      const again = await later.ask('continue');
      expect(again).toMatchObject({ status: 'asking', question: 'Which day?', task_id: task!.id });
      expect(await later.ask('Monday')).toMatchObject({ status: 'answered', output: 'Monday it is' });
      expect(await replay(await later.trace())).toMatchObject({ ok: true });
    });

    it('is due in the store until it is answered or has expired', async () => {
      const clock = { now: 1_000_000_000_000 };
      const model = createScriptedModel([...asking('Which day?'), concludes('Monday'), ...asking('Where?')]);
      const opened = await open({ model, now: () => clock.now });
      const { ownerData } = opened;
      const due = () => ownerData.run(null, () => dueStore.nextDue(['local']));
      const session = sessionOf(opened.engine);
      await session.ask('Plan it', { expires_in: 60 });
      expect(await due()).toBe(clock.now + 60_000);
      const sessions = () => ownerData.run(null, () => dueStore.sessionsWithDue(null, clock.now + 60_000, 9));
      expect(await sessions()).toEqual([KEY]);
      const others = { ...KEY, owner: 'another' };
      const but = (except: readonly SessionKey[]) =>
        ownerData.run(null, () => dueStore.sessionsWithDue(null, clock.now + 60_000, 9, except));
      expect([await but([others]), await but([others, KEY])]).toEqual([[KEY], []]);
      expect(await ownerData.run(null, () => dueStore.nextDue(null, [KEY]))).toBeNull();
      await session.ask('Monday');
      expect(await due()).toBeNull();
      await opened.engine.deliverDue(KEY, clock.now + HOUR, 0);
      expect(await session.events()).not.toContain('question.expired');
      await session.ask('And now', { expires_in: 60 });
      await opened.engine.deliverDue(KEY, clock.now + HOUR, 0);
      expect(await due()).toBeNull();
      expect(await sessions()).toEqual([]);
    });

    it('may be an approval, which then lets its action run as before, once', async () => {
      const ran: string[] = [];
      const send = quickTool('send', (input) => {
        ran.push(input);
        return { ok: true, result: 'sent' };
      });
      const model = createScriptedModel([plans('Send it'), acts('send', 'hello'), finishes(), concludes('Sent')]);
      const { engine } = await open({ model, tools: [send], approve: ['send'] });
      const session = sessionOf(engine);
      const asked = await session.ask('Send it', { expires_in: 60 });
      await engine.deliverDue(KEY, Date.now() + HOUR, 0);
      await expect(session.decide({ type: 'approve' })).rejects.toMatchObject({ code: 'NO_APPROVAL_PENDING' });
      expect(await session.ask('/continue')).toMatchObject({ status: 'asking', approval: asked.approval });
      expect(await session.decide({ type: 'approve' })).toMatchObject({ output: 'Sent' });
      expect(ran).toEqual(['hello']);
    });

    it('gives way to an edit of the plan, and to what a fork says instead', async () => {
      const model = createScriptedModel({
        plan: plans('Think'),
        thought: ({ task }) =>
          task.clarification_history.length === 0 && task.replans === 0 ? asks('Why?') : finishes(),
        replan: ({ task }) => concludes(`so: ${task.clarification_history.at(-1)?.text}`),
      });
      const { engine } = await open({ model });
      const session = sessionOf(engine);
      const { task_id } = await session.ask('Go', { expires_in: 60 });
      await engine.deliverDue(KEY, Date.now() + HOUR, 0);
      const fork = await engine.fork('local', task_id!, { session_id: 'f', input: 'Because' });
      expect(await sessionOf(engine, 'f').reply(fork)).toMatchObject({ status: 'answered', output: 'so: Because' });
      const asked = await engine.fork('local', task_id!, { session_id: 'g', input: 'continue' });
      expect(await sessionOf(engine, 'g').reply(asked)).toMatchObject({ status: 'asking', question: 'Why?' });
      await engine.editPlan('local', task_id!, [{ kind: 'add', step: 'Rest' }]);
      expect(await session.ask('continue')).toMatchObject({ status: 'answered', output: 'so: undefined' });
      expect(await replay(await session.trace())).toMatchObject({ ok: true });
    });

    it("is not answered by a later turn, and the reply says so first, in that turn's language", async () => {
      const answered = (text: string) => [plans('Next'), finishes(), concludes(text)];
      const model = createScriptedModel([...asking('Which day?'), ...answered('好的'), ...answered('Fine')]);
      const { engine } = await open({ model });
      const session = sessionOf(engine);
      const { task_id } = await session.ask('Plan the party', { expires_in: 60 });
      await engine.deliverDue(KEY, Date.now() + HOUR, 0);
      expect(await session.ask('星期一')).toMatchObject({
        output: `这是新任务，因为问题已过期，无人回答：Which day?（发送“/resume ${task_id}”会再次提问）\n\n好的`,
      });
      expect(await session.ask('Thanks')).toMatchObject({ output: 'Fine' });
      expect(await session.ask(`/resume ${task_id}`)).toMatchObject({ status: 'asking', question: 'Which day?' });
      expect(await replay(await session.trace())).toMatchObject({ ok: true });
    });

    it('pauses a task that nobody waits for any more, and the queued turns go on', async () => {
      const model = createScriptedModel([...asking('Which day?'), plans('Next'), finishes(), concludes('done')]);
      const { engine } = await open({ model });
      const session = sessionOf(engine);
      await session.ask('First', { expires_in: 60 });
      await engine.deliverDue(KEY, Date.now() + HOUR, 0);
      expect(await session.ask('Second')).toMatchObject({ status: 'answered', output: expect.stringMatching(/done$/) });
    });
  });
};
