import { expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { entriesOf, progressOf, readAll, statesOf } from '../support/http/event-stream.ts';
import { send } from '../support/http/send-request.ts';
import { act, answer, done, plan, replanned, startService } from '../support/service/service.ts';

const item = (id: string, ...depends_on: string[]) => ({ id, step: `step ${id}`, depends_on });

const rejections = (entries: TraceEntry[]) =>
  entries.flatMap(({ event }) => ('reason' in event ? [{ type: event.type, reason: event.reason }] : []));

it('a plan with an id twice, an unknown id or a circle is refused with the reason, and the next try counts', async () => {
  const service = await startService([
    plan(item('a'), item('a')),
    plan(item('a', 'nowhere')),
    plan(item('a', 'b'), item('b', 'c'), item('c', 'a')),
    done('did it'),
    answer('ok'),
  ]);
  const turn = await service.say('s1', 'do it all');
  expect(turn.task).toMatchObject({ state: 'done', step_count: 2, plan: [{ step: 'do it all', status: 'completed' }] });
  expect(rejections(await service.trace('s1'))).toEqual([
    { type: 'plan.rejected', reason: expect.stringMatching(/"a".*(twice|once)|(twice|once).*"a"/) },
    { type: 'plan.rejected', reason: expect.stringContaining('nowhere') },
    { type: 'plan.rejected', reason: expect.stringMatching(/cycle|circle/) },
  ]);
});

it('a task that paused on its second deadlock is no success, and continues by "continue", also with an edited plan', async () => {
  const stuck = [plan(item('a'), item('b', 'a')), 'REPLAN', replanned(item('b', 'a')), replanned(item('c', 'a'))];
  const service = await startService(stuck);
  const paused = await service.say('s1', 'do both');
  expect(paused).toMatchObject({ status: 'paused', task: { pause_reason: 'deadlock', successful_steps: 0 } });
  expect(paused.task.plan.map(({ status }) => status)).not.toContain('completed');
  expect(paused.output).toMatch(/deadlock/i);
  service.model.answer([replanned(item('d')), done('d done'), answer('free again')]);
  expect(await service.say('s1', 'continue')).toMatchObject({ status: 'answered', task_id: paused.task_id });

  service.model.answer(stuck);
  const again = await service.say('s2', 'do both');
  service.model.answer([replanned('By hand'), done(), answer('by hand')]);
  await service.say('s2', '/plan add By hand');
  expect(await service.say('s2', 'go on')).toMatchObject({ status: 'answered', task_id: again.task_id });
  expect(JSON.stringify(service.model.requests.at(-3)?.body.messages)).toContain('By hand');
});

it.each([['The room is clean.\n[步骤完成]'], ['{"control":"step_done"}']])(
  'the mark %j completes the item, and replan decides',
  async (mark) => {
    const service = await startService([plan('Clean'), mark, answer('Clean.')]);
    expect(await service.say('s1', 'Clean')).toMatchObject({
      status: 'answered',
      task: { step_count: 2, plan: [{ status: 'completed' }] },
    });
  },
);

it('every change of state is an event that names the phase, in order and without a gap, with a line for people', async () => {
  const service = await startService([
    plan(item('a'), item('b', 'a')),
    act('todo', 'list'),
    done('a done'),
    replanned(item('b', 'a')),
    done('b done'),
    answer('both'),
  ]);
  const stream = await send(Number(new URL(service.url).port), '/v1/sessions/s1/turns', {
    headers: { accept: 'text/event-stream' },
    body: { input: 'do both' },
  });
  const messages = await readAll(stream);
  const entries = entriesOf(messages);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1));
  expect(entries.map(({ event, state }) => [event.type, state])).toEqual([
    ['task.opened', 'planning'],
    ['plan.made', 'thinking'],
    ['thought.made', 'acting'],
    ['observation.recorded', 'thinking'],
    ['thought.made', 'replanning'],
    ['replan.made', 'thinking'],
    ['thought.made', 'replanning'],
    ['replan.made', 'done'],
  ]);
  expect(statesOf(messages)).toEqual([
    'planning/planning',
    'thinking/executing',
    'acting/executing',
    'thinking/executing',
    'replanning/planning',
    'thinking/executing',
    'replanning/planning',
    'done/done',
  ]);
  expect(new Set(progressOf(messages))).toEqual(
    new Set(['plan', 'item', 'thought', 'action', 'result', 'replan', 'finished']),
  );
  expect(messages.at(-1)).toMatchObject({ event: 'turn', data: { status: 'answered', output: 'both' } });
});
