import { isToolUIPart, type UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { message } from '../support/anthropic/answers.ts';
import { answersByGoal } from '../support/anthropic/answers-by-goal.ts';
import type { MessagesAnswer } from '../support/anthropic/messages.ts';
import { lastParts, openPage, type Page, shownIn } from '../support/front-ends/ai-sdk-page.ts';
import { shutGate } from '../support/service/gate.ts';
import { act, answer, ask, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

const PARTY = 'Plan the party';
const CLEAN = 'Clean up';
const CHINESE = '安排聚会';
const HOPELESS = 'Do what cannot be done';
const SLOW = 'Think about it for long';

const script = () => {
  const gate = shutGate();
  const doneWhenOpen: MessagesAnswer = async (response, request) => {
    await gate.opened;
    await message(done())(response, request);
  };
  const answers = answersByGoal({
    [PARTY]: [
      plan('Choose a day', 'Buy balloons'),
      { ...ask('Which day?'), options: ['Saturday', 'Sunday'] },
      replanned('Buy balloons'),
      act('todo', 'add balloons'),
      act('todo', 'done 77'),
      done(),
      answer('The party is on Sunday.'),
      ...[plan('Again'), done(), answer('It still is on Sunday.')],
    ],
    [CLEAN]: [
      plan('Clean'),
      act('todo', 'add broom'),
      act('todo', 'add mop'),
      act('schedule', 'add "2026-12-06 15:00" cleaning'),
      done(),
      answer('It is clean.'),
    ],
    [CHINESE]: [plan('选日子'), { ...ask('哪一天？'), options: ['周六', '周日'] }, answer('定在周日。')],
    [SLOW]: [plan('Think'), ask('How long?'), replanned('Think'), doneWhenOpen, doneWhenOpen, answer('I thought.')],
    [HOPELESS]: [plan('Try'), done(), { ...answer('I cannot do it.'), outcome: 'failed' }],
  });
  return { answers, open: gate.open };
};

const start = async (env: Record<string, string> = {}): Promise<{ service: Service; open(): void; page(): Page }> => {
  const { answers, open } = script();
  const service = await startService(answers, env);
  return { service, open, page: () => openPage(() => service.url) };
};

/** The page's open question or approval: its tool call. */
const openCall = ({ chat }: Page): string =>
  lastParts(chat)
    .filter(isToolUIPart)
    .find(({ state }) => /^(input-available|approval-requested)$/.test(state))?.toolCallId ?? '';

const choose = async (page: Page, output: string): Promise<void> => {
  const over = page.finished();
  await page.chat.addToolOutput({ tool: 'ask_user', toolCallId: openCall(page), output });
  await over;
};

const decide = async (page: Page, approved: boolean, reason?: string): Promise<void> => {
  const over = page.finished();
  await page.chat.addToolApprovalResponse({ id: openCall(page), approved, ...(reason !== undefined && { reason }) });
  await over;
};

const user = (text: string, id = `m-${text}`): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] });

const turnsOf = async (service: Service, id: string): Promise<unknown[]> =>
  (await service.get<{ turns: unknown[] }>(`/v1/sessions/${id}/turns`)).turns;

describe('A useChat page', () => {
  it('keeps one message from the goal over the question to the reply, with plan and budget changed in place', async () => {
    const { page: begin } = await start();
    const page = begin();
    await page.chat.sendMessage({ text: PARTY });
    expect(page.chat.messages.at(-1)?.parts).toContainEqual(
      expect.objectContaining({
        type: 'tool-ask_user',
        state: 'input-available',
        input: { question: 'Which day?', options: ['Saturday', 'Sunday'] },
      }),
    );
    await choose(page, '2');
    const [, reply, ...others] = page.chat.messages;
    expect(others).toEqual([]);
    const parts = reply?.parts ?? [];
    expect(parts.filter(({ type }) => type === 'data-plan')).toHaveLength(1);
    expect(parts.filter(({ type }) => type === 'data-budget')).toHaveLength(1);
    expect(parts.find(({ type }) => type === 'data-plan')).toMatchObject({
      data: { goal: PARTY, state: 'done', items: [{ status: 'completed' }] },
    });
    expect(parts.filter(isToolUIPart)).toMatchObject([
      { type: 'tool-ask_user', state: 'output-available', output: '2' },
      { toolName: 'todo', state: 'output-available', input: 'add balloons', providerExecuted: true },
      { toolName: 'todo', state: 'output-error', input: 'done 77' },
    ]);
    expect(parts.filter(isToolUIPart)[1]?.toolCallId).toMatch(/^task_\w+\.\d+$/);
    expect(reply?.metadata).toMatchObject({ session_id: page.chat.id, status: 'answered', usage: expect.anything() });
    expect(shownIn(page.chat)).toMatchObject({ text: 'The party is on Sunday.', error: null });
  });

  it('shows approvals in the part that asked: always, and no with its reason', async () => {
    const { service, page: begin } = await start({ TRIPACT_APPROVE: 'todo,schedule' });
    const page = begin();
    await page.chat.sendMessage({ text: CLEAN });
    expect(shownIn(page.chat).approval).toEqual({ tool: 'todo', input: 'add broom' });
    await decide(page, true, 'always');
    expect(shownIn(page.chat).approval).toEqual({ tool: 'schedule', input: 'add "2026-12-06 15:00" cleaning' });
    await decide(page, false, 'Not on a Sunday');
    expect(shownIn(page.chat).text).toContain('It is clean.');
    expect(page.chat.messages.flatMap(({ parts }) => parts.filter(isToolUIPart))).toMatchObject([
      { input: 'add broom', state: 'output-available', approval: { approved: true } },
      { input: 'add mop', state: 'output-available' },
      { input: 'add "2026-12-06 15:00" cleaning', state: 'output-denied', approval: { reason: 'Not on a Sunday' } },
    ]);
    expect(JSON.stringify(service.model.requests.at(-2))).toContain('Not on a Sunday');
  });

  it('may answer twice and in two tabs: the first answer counts, and the other learns of it', async () => {
    const { service, page: begin } = await start();
    const page = begin();
    await page.chat.sendMessage({ text: PARTY });
    const [same, other] = [0, 1].map(() =>
      openPage(() => service.url, { id: page.chat.id, messages: structuredClone(page.chat.messages) }),
    );
    await choose(page, 'Sunday');
    await choose(same!, 'Sunday');
    expect(shownIn(same!.chat).text).toBe('The party is on Sunday.');
    await choose(other!, 'Saturday');
    expect(shownIn(other!.chat).error).toContain('not open any more');
    expect(await turnsOf(service, page.chat.id)).toHaveLength(2);
    await other!.chat.sendMessage({ text: '/todo list' });
    expect(shownIn(other!.chat).text).toContain('balloons');
  });

  it('opens again in mid-task, also after a restart, and sees the whole message', async () => {
    const { service, open, page: begin } = await start();
    const page = begin();
    await page.chat.sendMessage({ text: SLOW });
    const answered = choose(page, 'An hour');
    await service.model.asked(4);
    await service.engine.drain(0);
    await service.restart();
    await answered;
    expect(page.chat.status).toBe('error');
    await service.model.asked(5);
    const reloaded = openPage(() => service.url, { id: page.chat.id, messages: [user(SLOW)] });
    const resumed = [page, reloaded].map(({ chat }) => chat.resumeStream());
    await expect.poll(() => [page, reloaded].map(({ chat }) => chat.status)).toEqual(['streaming', 'streaming']);
    open();
    await Promise.all(resumed);
    for (const { chat } of [page, reloaded]) {
      expect(chat.messages).toHaveLength(2);
      expect(chat.messages[1]?.parts.filter(isToolUIPart)).toMatchObject([
        { type: 'tool-ask_user', state: 'output-available', output: 'An hour' },
      ]);
      expect(shownIn(chat)).toMatchObject({ text: 'I thought.', error: null });
    }
    expect((await fetch(`${service.url}/api/chat/${page.chat.id}/stream`)).status).toBe(204);
    expect((await fetch(`${service.url}/api/chat/never-was/stream`)).status).toBe(204);
  });

  it('sees what it missed while it was closed', async () => {
    const { service, open, page: begin } = await start();
    const page = begin();
    await page.chat.sendMessage({ text: SLOW });
    void choose(page, 'An hour');
    await service.model.asked(4);
    await page.chat.stop();
    open();
    await expect.poll(() => service.get(`/v1/sessions/${page.chat.id}`)).toMatchObject({ phase: null });
    expect((await fetch(`${service.url}/api/chat/${page.chat.id}/stream`)).status).toBe(204);
    const reloaded = openPage(() => service.url, { id: page.chat.id, messages: structuredClone(page.chat.messages) });
    await reloaded.chat.resumeStream();
    expect(reloaded.chat.messages).toHaveLength(2);
    expect(shownIn(reloaded.chat)).toMatchObject({ text: 'I thought.', error: null });
    expect(reloaded.chat.messages[1]?.metadata).toMatchObject({ status: 'answered' });
    expect((await fetch(`${service.url}/api/chat/never-was/last`)).status).toBe(204);
  });

  it('regenerates: the asking or running message again, a finished one anew', async () => {
    const { service, open, page: begin } = await start();
    const page = begin();
    await page.chat.sendMessage({ text: PARTY });
    await page.chat.regenerate();
    expect(shownIn(page.chat).options).toEqual(['Saturday', 'Sunday']);
    await choose(page, 'Sunday');
    await page.chat.regenerate();
    expect(shownIn(page.chat).text).toBe('It still is on Sunday.');
    expect(await turnsOf(service, page.chat.id)).toHaveLength(3);

    await page.chat.sendMessage({ text: SLOW });
    const finished = page.chat.messages[1]!.id;
    const other = openPage(() => service.url, { id: page.chat.id, messages: structuredClone(page.chat.messages) });
    await other.chat.regenerate({ messageId: finished });
    expect(other.chat.error?.message).toContain('A question is open');

    const asked = service.model.requests.length;
    const sent = page.chat.sendMessage({ text: 'An hour' });
    await service.model.asked(asked + 2);
    await page.chat.stop();
    await sent;
    const again = page.chat.regenerate();
    await expect.poll(() => page.chat.status).toBe('streaming');
    open();
    await again;
    expect(shownIn(page.chat).text).toBe('I thought.');
    expect(await turnsOf(service, page.chat.id)).toHaveLength(5);
  });
});
