import { expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { entriesOf, progressOf, readAll, statesOf } from '../support/http/event-stream.ts';
import { send } from '../support/http/send-request.ts';
import { act, answer, ask, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

const item = (id: string, ...depends_on: string[]) => ({ id, step: `step ${id}`, depends_on });

const rejections = (entries: TraceEntry[]) =>
  entries.flatMap(({ event }) => ('reason' in event ? [{ type: event.type, reason: event.reason }] : []));
const lastReplan = (service: Service): string =>
  JSON.stringify(service.model.requests.findLast(({ contract }) => contract === 'replan')?.body.messages);

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

it('a replan with a circle is refused and counts a step; one that depends on what is completed is taken', async () => {
  const service = await startService([
    plan(item('a'), item('b', 'a')),
    done('a done'),
    replanned(item('b', 'c'), item('c', 'b')),
    replanned(item('b', 'a')),
    done('b done'),
    answer('both'),
  ]);
  const turn = await service.say('s1', 'do both');
  expect(turn).toMatchObject({ status: 'answered', output: 'both', task: { step_count: 5 } });
  expect(rejections(await service.trace('s1'))).toMatchObject([{ type: 'replan.rejected' }]);
});

it('a deadlock is reported to replan, which can plan around it', async () => {
  const service = await startService([
    plan(item('a'), item('b', 'a')),
    { control: 'replan' },
    replanned(item('b', 'a')),
    replanned(item('c')),
    done('c done'),
    answer('by another way'),
  ]);
  const turn = await service.say('s1', 'do both');
  expect(turn).toMatchObject({ status: 'answered', output: 'by another way' });
  const [, deadlocked] = service.model.requests.filter(({ contract }) => contract === 'replan');
  expect(JSON.stringify(deadlocked?.body.messages)).toMatch(/deadlock/i);
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

it.each([
  ['[Step Done]'],
  ['[Done]'],
  ['The room is clean.\n[步骤完成]'],
  ['[完成]'],
  ['All is there.\nSTEP_DONE'],
  ['{"control":"step_done"}'],
])('the mark %j completes the item, and replan decides', async (mark) => {
  const service = await startService([plan('Clean'), mark, answer('Clean.')]);
  expect(await service.say('s1', 'Clean')).toMatchObject({
    status: 'answered',
    task: { step_count: 2, plan: [{ status: 'completed' }] },
  });
});

it.each(['REPLAN', '{"control":"replan"}'])(
  'the mark %j blocks the item, and replan makes another plan',
  async (mark) => {
    const service = await startService([plan('Fly', 'Land'), mark, replanned('Walk'), done(), answer('Walked.')]);
    const turn = await service.say('s1', 'Travel');
    expect(turn).toMatchObject({ status: 'answered', task: { step_count: 4 } });
    expect(lastReplan(service)).toContain('Given up for good');
  },
);

it.each([
  'I will say [Done] when it is done.',
  'Next I do it now.',
  'STEP_DONE is what I would say.\nBut it is not.',
  '{"control":"stop"}',
])('%j is no mark', async (text) => {
  const service = await startService([plan('Clean'), text, ask('How clean?')]);
  expect(await service.say('s1', 'Clean')).toMatchObject({ status: 'asking', task: { step_count: 2 } });
  expect(rejections(await service.trace('s1'))).toMatchObject([{ type: 'thought.rejected' }]);
});

it('a mark inside a tool input or a result is only text', async () => {
  const service = await startService([plan('Note'), act('todo', 'add [步骤完成]\nREPLAN'), ask('What now?')]);
  const turn = await service.say('s1', 'Note it');
  expect(turn).toMatchObject({ status: 'asking', task: { plan: [{ status: 'in_progress' }] } });
});

it('a plan that is too long is cut, and the trace says so', async () => {
  const service = await startService([plan('a', 'b', 'c', 'd'), ask('ok?')], { TRIPACT_MAX_PLAN_ITEMS: '2' });
  const { task } = await service.say('s1', 'do it');
  expect(task.plan.map(({ step }) => step)).toEqual(['a', 'b']);
  const made = (await service.trace('s1')).find(({ event }) => event.type === 'plan.made')?.event;
  expect(made).toMatchObject({ notes: [expect.stringMatching(/4.*2|2.*4/)] });
});

it('too many rounds on one item narrow the thought; too many replans pause the task, and "continue" gives more', async () => {
  const service = await startService(
    [plan('a'), act('todo', 'list'), act('view', 'all'), act('todo', 'add no more'), done(), replanned('b'), done()],
    { TRIPACT_MAX_ROUNDS_PER_ITEM: '2', TRIPACT_MAX_REPLANS: '1' },
  );
  const paused = await service.say('s1', 'do a');
  expect(paused).toMatchObject({ status: 'paused', task: { pause_reason: 'replan_limit', successful_steps: 2 } });
  expect(rejections(await service.trace('s1'))).toMatchObject([{ type: 'thought.rejected' }]);
  expect((await service.say('s1', '/todo list')).output).not.toContain('no more');
  service.model.answer([answer('enough')]);
  expect(await service.say('s1', 'continue')).toMatchObject({ status: 'answered', task_id: paused.task_id });
});

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
