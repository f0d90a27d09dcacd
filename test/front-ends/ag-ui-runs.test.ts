import type { BaseEvent } from '@ag-ui/client';
import { describe, expect, it } from 'vitest';
import type { TaskView } from '../../contracts/turn-view.ts';
import { taskState } from '../../src/http/protocols/ag-ui/run-events.ts';
import { agUiPage, type Line } from '../support/front-ends/ag-ui-page.ts';
import { act, answer, done, plan, replanned, startService } from '../support/service/service.ts';

const run = {
  threadId: 't1',
  runId: 'r1',
  protocolVersion: '1.0',
  messages: [{ id: 'm1', role: 'user', content: 'Hi' }],
};

const open = (events: BaseEvent[], start: string, end: string): number =>
  events.filter(({ type }) => type === start).length - events.filter(({ type }) => type === end).length;

describe.each<Line>(['1.0', '0.0'])('A run of the %s line', (line) => {
  it("leaves the state as the task is, keeps what is the page's own, and closes what it opened", async () => {
    const script = [
      plan('Buy', 'Bake'),
      act('todo', 'add eggs'),
      done('bought'),
      replanned('Bake'),
      { ...done('no oven'), outcome: 'blocked' },
    ];
    const service = await startService([...script, answer('Bought, not baked.')]);
    const page = agUiPage(line)(() => service.url)();
    page.agent.state = { theme: 'dark', task: 'none' };
    expect((await page.say('A cake')).text).toBe('Bought, not baked.');
    const { tasks } = await service.get<{ tasks: TaskView[] }>(`/v1/sessions/${page.session}/tasks`);
    const state = taskState(tasks[0] as TaskView);
    expect(page.agent.state).toEqual({ theme: 'dark', task: state });
    expect(state.plan.map(({ mark }) => mark)).toContain('[✓]');
    expect(page.events.filter(({ type }) => type === 'STATE_SNAPSHOT')).toHaveLength(1);
    expect(page.events.filter(({ type }) => type === 'STEP_STARTED')).toMatchObject([
      { stepName: 'Buy' },
      { stepName: 'Bake' },
    ]);
    expect(open(page.events, 'STEP_STARTED', 'STEP_FINISHED')).toBe(0);
    expect(page.agent.messages).toContainEqual(expect.objectContaining({ role: 'tool', content: 'Added #1 eggs' }));
    const { usage } = page.events.at(-1) as BaseEvent & { usage: { totalTokens: number }[] };
    expect(usage[0]?.totalTokens).toBe(state.usage.input_tokens + state.usage.output_tokens);
  });

  it('that is sent again is the same turn, and is shown again from its beginning', async () => {
    const service = await startService([plan('Buy'), act('todo', 'add eggs'), done(), answer('Done.')]);
    const page = agUiPage(line)(() => service.url)();
    await page.say('A cake');
    const { messages } = page.agent;
    const { shown } = (await page.reconnect?.()) ?? {};
    expect((await shown)?.text).toBe('Done.');
    expect(page.agent.messages).toEqual(messages);
    expect((await service.get<{ turns: unknown[] }>(`/v1/sessions/${page.session}/turns`)).turns).toHaveLength(1);
  });

  it('whose task gives up says why, and ends with an error', async () => {
    const service = await startService([plan('Fly'), done(), { ...answer('I cannot fly.'), outcome: 'failed' }]);
    const page = agUiPage(line)(() => service.url)();
    const shown = await page.say('Fly');
    expect(shown).toMatchObject({ text: 'I cannot fly.', error: expect.stringContaining('Gave up') });
    expect(page.events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'TASK_FAILED' });
    expect(open(page.events, 'STEP_STARTED', 'STEP_FINISHED')).toBe(0);
  });
});

describe('A bad request', () => {
  it('is refused as a run that never started, and leaves no session', async () => {
    const service = await startService([plan('Hi'), done(), answer('Hi.')], {});
    const refused = async (body: unknown, status: number, code: string, path = '/agui'): Promise<void> => {
      const response = await service.post(path, body);
      expect(response.headers.get('content-type')).toContain('application/json');
      expect([response.status, await response.json()]).toEqual([
        status,
        { type: 'RUN_ERROR', message: expect.any(String), code },
      ]);
    };
    for (const body of [
      {},
      { ...run, messages: [] },
      { ...run, messages: [...run.messages, { id: 'm2', role: 'assistant', content: 'Hello' }] },
      { ...run, resume: 'yes' },
    ])
      await refused(body, 400, 'INVALID_REQUEST');
    await refused(run, 400, 'INVALID_REQUEST', '/agui?interrupts=perhaps');
    const never = await service.post('/agui', {
      ...run,
      resume: [{ interruptId: 'question-task_x-1', status: 'resolved', payload: 'Sunday' }],
    });
    expect(await never.text()).toMatch(/This question is not open any more.*QUESTION_NOT_OPEN/);
    expect((await service.get<{ sessions: unknown[] }>('/v1/sessions')).sessions).toEqual([]);

    const first = await service.post('/agui', run);
    expect(await first.text()).toContain('"delta":"Hi."');
    await refused({ ...run, messages: [{ ...run.messages[0], content: 'Bye' }] }, 422, 'IDEMPOTENCY_KEY_REUSED');
  });
});
