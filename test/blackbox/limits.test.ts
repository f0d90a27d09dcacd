import { expect, it } from 'vitest';
import { apiError, maxTokens, refusal } from '../support/anthropic/answers.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

const thoughts = (count: number) => Array.from({ length: count }, (_, i) => act('todo', `add thing ${i}`));

it('pauses at the limit with the three-part reply, and continues at "continue"', async () => {
  const service = await startService([plan('a'), ...thoughts(2)], { TRIPACT_MAX_STEPS: '4' });
  const paused = await service.say('s1', 'do a');
  expect(paused).toMatchObject({
    status: 'paused',
    task: { state: 'paused', pause_reason: 'step_limit', step_count: 4, step_limit: 4 },
  });
  for (const part of ['What is done', 'Why it is not finished', 'What to do next'])
    expect(paused.output).toContain(part);
  service.model.answer([replanned('a'), done('a is done'), answer('All done.')]);
  const finished = await service.say('s1', 'Continue.');
  expect(finished).toMatchObject({
    status: 'answered',
    task_id: paused.task_id,
    task: { step_count: 7, step_limit: 8 },
  });
  expect(service.contracts()).toEqual(['plan', 'thought', 'thought', 'replan', 'thought', 'replan']);
});

it('lets a round that has begun end one above the limit, never more', async () => {
  const service = await startService([plan('a'), ...thoughts(5)], { TRIPACT_MAX_STEPS: '3' });
  const paused = await service.say('s1', 'do a');
  expect(paused.task).toMatchObject({ step_count: 4, step_limit: 3, pause_reason: 'step_limit' });
});

it('fails at the total limit with the same three parts', async () => {
  const service = await startService([plan('a'), ...thoughts(1)], {
    TRIPACT_MAX_STEPS: '2',
    TRIPACT_MAX_TOTAL_STEPS: '4',
  });
  expect(await service.say('s1', 'do a')).toMatchObject({ status: 'paused' });
  service.model.answer([replanned('a'), ...thoughts(1)]);
  const failed = await service.say('s1', '继续');
  expect(failed).toMatchObject({ status: 'failed', task: { state: 'failed', step_limit: 4 } });
  expect(failed.output).toContain('Why it is not finished');
});

it('opens a new task for what only contains a continue phrase', async () => {
  const service = await startService([plan('a'), ...thoughts(1)], { TRIPACT_MAX_STEPS: '2' });
  const paused = await service.say('s1', 'do a');
  service.model.answer([plan(), done(), answer('fine')]);
  const other = await service.say('s1', "Don't continue");
  expect(other.task_id).not.toBe(paused.task_id);
  service.model.answer([answer('finished after all')]);
  expect(await service.say('s1', '/resume')).toMatchObject({ task_id: paused.task_id, status: 'answered' });
});

it('counts a truncated, a refused and an unreadable answer, and narrows the thought after three failures', async () => {
  const service = await startService([
    plan('a'),
    maxTokens('{"status":"done"'),
    refusal(),
    'I would rather chat.',
    'and again',
  ]);
  const asked = await service.say('s1', 'do a');
  expect(asked).toMatchObject({ status: 'asking', task: { step_count: 4, state: 'awaiting_user' } });
  expect(asked.question).toContain('4');
  const trace = await service.trace('s1');
  expect(trace.filter(({ event }) => event.type === 'thought.rejected')).toHaveLength(4);
  expect(trace.find(({ effects }) => JSON.stringify(effects).includes('"may":["ask_user","done"]'))).toBeDefined();
});

it('makes the goal the plan when three plans fail', async () => {
  const service = await startService(['no', 'nope', 'never', done('did it'), answer('ok')]);
  const turn = await service.say('s1', 'do the thing');
  expect(service.contracts()).toEqual(['plan', 'plan', 'plan', 'thought', 'replan']);
  expect(turn.task).toMatchObject({ step_count: 2, plan: [{ step: 'do the thing', status: 'completed' }] });
});

it('pauses when three replans in a row fail', async () => {
  const service = await startService([plan('a'), done(), 'x', 'y', 'z']);
  const turn = await service.say('s1', 'do a');
  expect(turn).toMatchObject({ status: 'paused', task: { pause_reason: 'contract_failure', step_count: 4 } });
});

it('pauses without counting when the model can not be reached, names the setting, and continues later', async () => {
  const service = await startService([apiError(401, { type: 'authentication_error' })]);
  const turn = await service.say('s1', 'do a');
  expect(turn).toMatchObject({ status: 'paused', task: { pause_reason: 'model_unavailable', step_count: 0 } });
  expect(turn.output).toContain('ANTHROPIC_API_KEY');
  service.model.answer([plan(), done(), answer('now')]);
  expect(await service.say('s1', 'go on')).toMatchObject({ status: 'answered', task_id: turn.task_id, output: 'now' });
  expect(service.contracts()).toEqual(['plan', 'plan', 'thought', 'replan']);
});

it('runs items in an order that their dependencies allow, and refuses cycles', async () => {
  const item = (id: string, ...depends_on: string[]) => ({ id, step: `step ${id}`, depends_on });
  const service = await startService([
    plan(item('a', 'b'), item('b', 'a')),
    plan(item('a', 'b'), item('b')),
    done('b done'),
    replanned(item('a', 'b')),
    done('a done'),
    answer('both'),
  ]);
  const turn = await service.say('s1', 'do both');
  expect(turn.status).toBe('answered');
  const asked = (await service.trace('s1')).flatMap(({ effects }) =>
    effects.filter(({ type }) => type === 'model.thought'),
  );
  expect(asked.map(({ params }) => ('item_id' in params ? params.item_id : null))).toEqual(['b', 'a']);
});

it('replans a deadlock and pauses at the second in a row', async () => {
  const item = (id: string, ...depends_on: string[]) => ({ id, step: `step ${id}`, depends_on });
  const service = await startService([
    plan(item('a'), item('b', 'a')),
    'REPLAN',
    replanned(item('b', 'a')),
    replanned(item('c', 'a')),
  ]);
  const turn = await service.say('s1', 'do both');
  expect(turn).toMatchObject({ status: 'paused', task: { pause_reason: 'deadlock', step_count: 3 } });
  expect(service.contracts()).toEqual(['plan', 'thought', 'replan', 'replan']);
});

it('asks before it starts with confirm_plan; yes continues, no cancels', async () => {
  const service = await startService({ plan: plan('a', 'b'), thought: done(), replan: answer('ok') });
  const asked = await service.say('s1', 'do a and b', { confirm_plan: true });
  expect(asked.status).toBe('asking');
  expect(asked.question).toContain('1. a');
  expect(await service.say('s1', 'Yes!')).toMatchObject({ status: 'answered' });
  expect(service.contracts()).toEqual(['plan', 'thought', 'replan']);
  await service.say('s2', 'do a and b', { confirm_plan: true });
  expect(await service.say('s2', '不')).toMatchObject({ status: 'cancelled' });
});

it('never runs a tool that the item does not allow', async () => {
  const service = await startService([
    plan({ id: '1', step: 'look', tools: ['view'] }),
    act('todo', 'add evil'),
    ask('What now?'),
  ]);
  await service.say('s1', 'look');
  expect((await service.say('s1', '/todo list')).output).not.toContain('evil');
});
