import type { BaseEvent } from '@ag-ui/client';
import { describe, expect, it } from 'vitest';
import type { TaskView } from '../../contracts/turn-view.ts';
import { resumedTurn } from '../../src/http/protocols/ag-ui/run-input.ts';
import type { MessagesAnswer } from '../support/anthropic/messages.ts';
import { agents, agUiPage } from '../support/front-ends/ag-ui-page.ts';
import { answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

/** A page that was asked, on a service whose model gives these answers. */
const asked = async (script: MessagesAnswer[], env: Record<string, string> = {}, goal = 'Plan the party') => {
  const service = await startService(script, env);
  const page = agUiPage('1.0')(() => service.url)();
  const shown = await page.say(goal);
  const [interrupt] = page.agent.pendingInterrupts;
  if (interrupt === undefined) throw new Error(`nothing is asked: ${shown.text}`);
  const resume = (payload: unknown, status: 'resolved' | 'cancelled' = 'resolved') =>
    page.run({ resume: [{ interruptId: interrupt.id, status, payload }] });
  const todos = async () => (await service.say('other', '/todo list')).output;
  return { service, page, shown, interrupt, resume, todos };
};

const which = { ...ask('Which day?'), options: ['Saturday', 'Sunday'] };
const question = [plan('Choose a day'), which, replanned('Buy'), done(), answer('All done.')];

const outcomes = (events: BaseEvent[]) =>
  events.filter(({ type }) => type === 'RUN_FINISHED').map((event) => (event.outcome as { type: string }).type);

describe('A payload', () => {
  it.each([
    ['question-1', { answer: 'Sunday' }, { input: 'Sunday' }],
    ['question-1', '2', { input: '2' }],
    ['approval-1', 'not today', { input: 'not today' }],
    ['approval-1', { approved: true, always: true }, { decision: { type: 'approve_always' } }],
    ['approval-1', { approved: true, editedArgs: { input: 'a b' } }, { decision: { type: 'edit', input: 'a b' } }],
    ['approval-1', { type: 'reject', reason: 'no' }, { decision: { type: 'reject', reason: 'no' } }],
  ])('for %s, as %j, is understood', (interruptId, payload, turn) => {
    expect(resumedTurn({ interruptId, status: 'resolved', payload }, null)).toEqual(turn);
  });

  it.each([
    ['question-1', { words: 'Sunday' }],
    ['approval-1', { approved: 'yes' }],
    ['approval-1', ['approve']],
  ])('for %s, as %j, is refused', (interruptId, payload) => {
    expect(() => resumedTurn({ interruptId, status: 'resolved', payload }, null)).toThrow('responseSchema');
  });
});

describe('An interrupt for a question', () => {
  it('cancels the task when it is cancelled, and the next message opens another', async () => {
    const { resume, page, service } = await asked([
      plan('Choose a day'),
      which,
      plan('Again'),
      done(),
      answer('Hello.'),
    ]);
    expect(await resume(undefined, 'cancelled')).toMatchObject({
      error: null,
      text: expect.stringContaining('ancelled'),
    });
    expect(outcomes(page.events)).toEqual(['interrupt', 'cancelled']);
    expect((await page.say('Say hello')).text).toBe('Hello.');
    expect((await service.get<{ tasks: TaskView[] }>(`/v1/sessions/${page.session}/tasks`)).tasks).toHaveLength(2);
  });

  it('is answered by a message in place of a resume: of a page that was loaded anew, or beside a cancel', async () => {
    const { service, page, resume } = await asked([...question.slice(0, 3), ask('Which week?'), answer('All done.')]);
    page.agent.addMessage({ id: 'm2', role: 'user', content: 'Whenever you like' });
    expect(await resume(undefined, 'cancelled')).toMatchObject({ text: 'Please confirm: Which week?' });
    const anew = new agents['1.0']({ url: `${service.url}/agui`, threadId: page.session });
    anew.addMessage({ id: 'm3', role: 'user', content: 'Sunday' });
    expect((await anew.runAgent()).newMessages.at(-1)).toMatchObject({ content: 'All done.' });
  });

  it('takes one answer: the same again is the same turn, another is refused and the page learns what is open', async () => {
    const { page, resume, service, interrupt } = await asked([
      ...question.slice(0, 3),
      ask('Who comes?'),
      answer('All done.'),
    ]);
    expect((await resume({ answer: 'Sunday' })).text).toBe('Please confirm: Who comes?');
    const [who] = page.agent.pendingInterrupts;
    const before = await service.trace(page.session);
    const again = { interruptId: interrupt.id, status: 'resolved' as const };
    const stale = new agents['1.0']({ url: `${service.url}/agui`, threadId: page.session });
    const events: BaseEvent[] = [];
    stale.subscribe({ onEvent: ({ event }) => void events.push(event) });
    stale.pendingInterrupts = [interrupt];
    await stale.runAgent({ resume: [{ ...again, payload: { answer: 'Sunday' } }] });
    expect(events.at(-2)).toMatchObject({ type: 'TEXT_MESSAGE_END' });
    stale.pendingInterrupts = [interrupt];
    await stale.runAgent({ resume: [{ ...again, payload: { answer: 'Monday' } }] });
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'QUESTION_NOT_OPEN' });
    expect(stale.pendingInterrupts).toEqual([who]);
    expect(await service.trace(page.session)).toEqual(before);
    expect((await page.choose('Anna')).text).toBe('All done.');
  });
});
