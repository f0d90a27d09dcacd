import { expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { act, answer, ask, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

/** What each thought of a session was allowed to say, in order. */
const allowed = (trace: TraceEntry[]): string[] =>
  trace.flatMap(({ effects }) =>
    effects.flatMap((effect) => (effect.type === 'model.thought' ? [effect.params.may.join()] : [])),
  );

const notesOf = async (service: Service): Promise<string> =>
  JSON.stringify(
    (await service.trace('s1')).flatMap(({ event }) =>
      event.type === 'plan.made' || event.type === 'replan.made' ? (event.notes ?? []) : [],
    ),
  );

it('skips leading items that repeat completed ones, and drops what is left when it answers', async () => {
  const service = await startService([plan('a', 'b', 'c'), done('A!'), replanned('a', 'b', 'd'), done(), answer('ok')]);
  const { task } = await service.say('s1', 'do it');
  expect(task).toMatchObject({ needs_replan: false, phase: 'done', state: 'done', step_count: 4 });
  expect(task.plan.map(({ step, status }) => [step, status])).toEqual([
    ['a', 'completed'],
    ['b', 'completed'],
    ['d', 'dropped'],
  ]);
});

it('chooses the executor by the tag of a step in any case, and notes the one it does not know', async () => {
  const service = await startService(
    [
      plan('[CODE] write', '[code] test', '[SEARCH] find', { id: 'x', step: 'go', executor: 'nobody' }),
      ask('Shall I?'),
    ],
    { TRIPACT_BRIDGE_DIR: temporaryFolder() },
  );
  const { task } = await service.say('s1', 'do it');
  expect(task.plan.map(({ executor }) => executor)).toEqual(['coding_agent', 'coding_agent', 'default', 'default']);
  for (const name of ['SEARCH', 'nobody']) expect(await notesOf(service)).toContain(name);
});

it('cuts a plan that is too long, and says so in the trace', async () => {
  const steps = Array.from({ length: 15 }, (_, i) => `step ${i}`);
  const service = await startService([plan(...steps), ask('Shall I?')]);
  expect((await service.say('s1', 'do it')).task.plan.map(({ step }) => step)).toEqual(steps.slice(0, 12));
  expect(await notesOf(service)).toContain('12');
  const made = (await service.trace('s1')).find(({ event }) => event.type === 'plan.made')?.event;
  expect(made).toMatchObject({ plan: steps });
});

it('an empty plan thinks without an item, and may only end or ask', async () => {
  const service = await startService([plan(), act('todo', 'list'), ask('Who are you?')]);
  expect(await service.say('s1', 'hello')).toMatchObject({ status: 'asking', task: { step_count: 2 } });
  expect(allowed(await service.trace('s1'))).toEqual(['ask_user,done', 'ask_user,done']);
  service.model.answer([answer('Hello, me.')]);
  expect(await service.say('s1', 'me')).toMatchObject({ output: 'Hello, me.', task: { step_count: 3 } });
});

it('three failures narrow the thought; parsing alone forgives none, and the answer to the machine’s question all', async () => {
  const service = await startService([
    plan('a'),
    'junk',
    act('todo', 'get 998'),
    act('todo', 'get 999'),
    act('todo', 'list'),
  ]);
  const asked = await service.say('s1', 'do a');
  expect(asked).toMatchObject({ status: 'asking', task: { step_count: 6, failed_steps: 2, successful_steps: 0 } });
  for (const failure of ['#998', '#999', '"a"']) expect(asked.question).toContain(failure);
  expect(allowed(await service.trace('s1')).slice(-2)).toEqual(['continue,ask_user,done', 'ask_user,done']);
  service.model.answer([replanned('a'), act('todo', 'list'), done(), answer('ok')]);
  expect(await service.say('s1', 'only list them')).toMatchObject({ status: 'answered', task: { step_count: 11 } });
});

it('a tool that succeeds forgives the failures before it', async () => {
  const service = await startService([
    plan('a'),
    ...['junk', 'junk', act('todo', 'list'), 'junk', 'junk', act('view', 'all')],
    done(),
    answer('ok'),
  ]);
  expect(await service.say('s1', 'do a')).toMatchObject({ status: 'answered', task: { step_count: 10 } });
  expect(new Set(allowed(await service.trace('s1')))).toEqual(new Set(['continue,ask_user,done']));
});

it('the same action with the same result three times in a row counts as a failure', async () => {
  const service = await startService([plan('a'), ...Array(3).fill(act('view', 'all')), done(), answer('ok')], {
    TRIPACT_FAILURE_LIMIT: '1',
  });
  expect(await service.say('s1', 'do a')).toMatchObject({ task: { successful_steps: 3, failed_steps: 0 } });
  expect(allowed(await service.trace('s1'))).toEqual([...Array(3).fill('continue,ask_user,done'), 'ask_user,done']);
});

it('after its rounds on an item a thought may only ask or end', async () => {
  const service = await startService([plan('a'), act('view', 'all'), act('todo', 'list'), done(), answer('ok')], {
    TRIPACT_MAX_ROUNDS_PER_ITEM: '2',
  });
  await service.say('s1', 'do a');
  expect(allowed(await service.trace('s1'))).toEqual([...Array(2).fill('continue,ask_user,done'), 'ask_user,done']);
});

it('pauses after its replans, and continues from a counter that was cleared', async () => {
  const service = await startService([plan('a', 'b'), done(), replanned('b'), done()], { TRIPACT_MAX_REPLANS: '1' });
  expect(await service.say('s1', 'do it')).toMatchObject({
    task: { pause_reason: 'replan_limit', step_count: 3, needs_replan: true },
  });
  service.model.answer([answer('ok')]);
  expect(await service.say('s1', 'go on')).toMatchObject({ status: 'answered', task: { step_count: 4 } });
});

it('a control object or mark for a replan blocks the item and asks for one', async () => {
  const service = await startService([
    plan('a', 'b'),
    '{"control":"replan"}',
    replanned('b'),
    'I can not.\nREPLAN',
    answer('I could not.'),
  ]);
  const turn = await service.say('s1', 'do it');
  expect(turn).toMatchObject({ output: 'I could not.', task: { step_count: 4 } });
  expect(service.contracts()).toEqual(['plan', 'thought', 'replan', 'thought', 'replan']);
  expect(turn.task.plan).toMatchObject([
    { step: 'a', status: 'blocked', result: null },
    { step: 'b', status: 'blocked', result: 'I can not.' },
  ]);
});

it('a question that was just answered may not be asked again in the same words', async () => {
  const service = await startService([plan('a'), ask('Which day?')]);
  await service.say('s1', 'book it');
  service.model.answer([replanned('a'), ask('  which   DAY ?!'), ask('Which hour?')]);
  expect(await service.say('s1', 'Friday')).toMatchObject({ question: 'Which hour?', task: { step_count: 4 } });
});

it('after its questions a thought may no longer ask', async () => {
  const service = await startService([plan('a'), ask('One?')], { TRIPACT_MAX_QUESTIONS: '2' });
  await service.say('s1', 'book it');
  service.model.answer([replanned('a'), ask('Two?')]);
  expect(await service.say('s1', 'yes')).toMatchObject({ question: 'Two?' });
  service.model.answer([replanned('a'), ask('Three?'), done(), answer('ok')]);
  expect(await service.say('s1', 'yes')).toMatchObject({ status: 'answered', task: { step_count: 7 } });
  expect(allowed(await service.trace('s1')).slice(-2)).toEqual(['continue,done', 'continue,done']);
});

it('keeps the changes of a user to the plan, and replans before it continues', async () => {
  const service = await startService([plan('a', 'b'), ask('Which?')]);
  await service.say('s1', 'do it');
  for (const edit of ['/plan add c', '/plan drop 2', '/plan move 3 1', '/plan mark 2 completed'])
    expect(await service.say('s1', edit)).toMatchObject({ kind: 'command', status: 'ran' });
  expect(await service.say('s1', '/plan delete 9')).toMatchObject({ output: expect.stringContaining('no item') });
  const shown = await service.say('s1', '/plan delete 1');
  expect(shown.task.plan.map(({ step, status }) => [step, status])).toEqual([
    ['c', 'dropped'],
    ['a', 'completed'],
    ['b', 'dropped'],
  ]);
  service.model.answer([answer('as you like')]);
  expect(await service.say('s1', 'go')).toMatchObject({ output: 'as you like' });
  expect(service.contracts()).toEqual(['plan', 'thought', 'replan']);
  const types = (await service.trace('s1')).map(({ event }) => event.type);
  expect(types.filter((type) => type === 'plan.edited')).toHaveLength(5);
});

it('what else is said to a plan that is to be confirmed leads to a replan; a turn may do without', async () => {
  const service = await startService([plan('a', 'b')], { TRIPACT_CONFIRM_PLAN: 'true' });
  expect(await service.say('s1', 'do it')).toMatchObject({ status: 'asking', task: { step_count: 0 } });
  service.model.answer([replanned('c'), done(), answer('ok')]);
  expect(await service.say('s1', 'do c instead')).toMatchObject({ status: 'answered' });
  service.model.answer([plan('a'), done(), answer('ok')]);
  expect(await service.say('s1', 'do it', { confirm_plan: false })).toMatchObject({ status: 'answered' });
  service.model.answer([plan('a', 'b')]);
  await service.say('s1', 'do it');
  await service.say('s1', '/plan drop 2');
  service.model.answer([replanned('a'), done(), answer('ok')]);
  expect(await service.say('s1', 'yes')).toMatchObject({ status: 'answered' });
  expect(service.contracts().join(' ')).toBe(
    'plan replan thought replan plan thought replan plan replan thought replan',
  );
});
