import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { delayed } from '../support/anthropic/answers.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';
import { type DataFolder, openDataFolder } from './session-files.ts';

const on = (data: DataFolder) => ({ TRIPACT_DATA_DIR: data.path });
/** How long a file may take to appear on a busy machine. */
const PATIENCE = { timeout: 10_000 };
const twoRounds = { current: 2, total: 2 };

it('plan.json has exactly the fields of the file that people know, and is there when the reply comes', async () => {
  const data = openDataFolder();
  const script = [
    plan('Look', 'Write it down'),
    act('todo', 'list'),
    done('Nothing there'),
    replanned('Write it down'),
  ];
  const service = await startService([...script, act('todo', 'add milk'), done(), answer('Milk is on it.')], on(data));
  const turn = await service.say('s1', 'Put milk on my list');
  expect(data.plan('s1')).toEqual({
    id: turn.task_id,
    goal: 'Put milk on my list',
    status: 'completed',
    steps: [
      { id: '1', description: 'Look', status: 'completed', result: 'Nothing there', progress: twoRounds },
      { id: '2', description: 'Write it down', status: 'completed', result: expect.any(String), progress: twoRounds },
    ],
    current_step_index: 2,
    iteration_count: 4,
  });
  expect(statSync(join(data.folder('s1'), 'plan.json')).mode & 0o777).toBe(0o600);
  expect(statSync(data.folder('s1')).mode & 0o777).toBe(0o700);
  await vi.waitFor(() => expect(data.below('workspace/.sessions/s1')).toEqual(['MISSION.md', 'plan.json']), PATIENCE);
});

it('session_files: false leaves no file, whatever the task does', async () => {
  const data = openDataFolder();
  const script = [plan('Look'), act('todo', 'list'), done(), answer('ok')];
  const service = await startService(script, on(data), { file: { session_files: false } });
  expect(await service.say('s1', 'Look at my list')).toMatchObject({ status: 'answered' });
  await service.restart();
  expect(data.below('.').filter((path) => /plan|MISSION/.test(path))).toEqual([]);
});

it('progress moves with the rounds of the step, and the index with the steps, while the task runs', async () => {
  const data = openDataFolder();
  const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const [second, third, next] = gates.map(({ promise }) => promise);
  const service = await startService(
    [
      plan('Look', 'Write'),
      act('todo', 'list'),
      delayed(second!, act('todo', 'add a')),
      delayed(third!, done('a is there')),
      replanned('Write'),
      delayed(next!, done()),
      answer('ok'),
    ],
    on(data),
  );
  const turn = service.say('s1', 'Look and write');
  const shows = (expected: object) => vi.waitFor(() => expect(data.plan('s1')).toMatchObject(expected), PATIENCE);
  const looking = (current: number) => ({
    status: 'running',
    steps: [{ status: 'running', progress: { current, total: 12 } }, { status: 'pending' }],
    current_step_index: 0,
    iteration_count: current,
  });
  await shows(looking(2));
  gates[0]!.resolve();
  await shows(looking(3));
  gates[1]!.resolve();
  await shows({
    steps: [{ status: 'completed', progress: { current: 3, total: 3 } }, { progress: { current: 1 } }],
    current_step_index: 1,
  });
  gates[2]!.resolve();
  expect(await turn).toMatchObject({ status: 'answered' });
  expect(data.plan('s1')).toMatchObject({ status: 'completed', current_step_index: 2, iteration_count: 4 });
});

describe('a plan.json that another system left', () => {
  const LEFT = {
    id: 'plan_2024',
    goal: 'Plan the trip',
    status: 'running',
    steps: [
      {
        id: 's1',
        description: 'Book flights',
        status: 'completed',
        result: 'Flight 12',
        progress: { current: 3, total: 3 },
      },
      { id: 's1', description: 'Book a hotel', status: 'running', result: null, progress: { current: 1, total: 5 } },
      { description: 'Pack', status: 'failed' },
    ],
    current_step_index: 1,
    iteration_count: 4,
  };

  const withPlan = async (script: Parameters<typeof startService>[0], left: unknown = LEFT, file: object = {}) => {
    const data = openDataFolder();
    mkdirSync(data.folder('s1'), { recursive: true });
    writeFileSync(join(data.folder('s1'), 'plan.json'), JSON.stringify(left));
    return { data, service: await startService(script, on(data), { file }) };
  };

  it('is continued: completed steps have ended, the others are the plan, and the file is kept under its id', async () => {
    const rest = [replanned('Book a hotel', 'Pack'), act('todo', 'add hotel'), done('Hotel 7')];
    const { data, service } = await withPlan([...rest, answer('All is booked.'), answer('A second answer.')]);
    const turn = await service.say('s1', 'Please continue');
    expect(turn).toMatchObject({ kind: 'task', status: 'answered', output: 'All is booked.' });
    expect(turn.task.goal).toBe('Plan the trip');
    expect(service.contracts()).toEqual(['replan', 'thought', 'thought', 'replan']);
    expect(turn.task.plan.map(({ step, status, result }) => [step, status, result])).toEqual([
      ['Book flights', 'completed', 'Flight 12'],
      ['Book a hotel', 'completed', 'Hotel 7'],
      ['Pack', 'dropped', null],
    ]);
    const [opened, first] = await service.trace('s1');
    expect(opened).toMatchObject({
      event: {
        type: 'task.opened',
        goal: 'Plan the trip',
        left_steps: [
          { step: 'Book flights', is_completed: true, result: 'Flight 12' },
          { step: 'Book a hotel', is_completed: false, result: null },
          { step: 'Pack', is_completed: false, result: null },
        ],
      },
      state: 'replanning',
    });
    expect(first).toMatchObject({ event: { type: 'replan.made' } });
    expect(JSON.parse(readFileSync(join(data.folder('s1'), 'plan.plan_2024.json'), 'utf8'))).toEqual(LEFT);
    expect(data.plan('s1')).toMatchObject({ id: turn.task_id, status: 'completed' });
    // What was taken over is not taken over again.
    expect(await service.say('s1', 'continue')).toMatchObject({ task: { goal: 'continue' } });
  });

  it('is replaced at once, also where the task asks before it acts', async () => {
    const { data, service } = await withPlan([replanned('Book a hotel'), ask('Which one?')]);
    const turn = await service.say('s1', '继续');
    expect(turn).toMatchObject({ status: 'asking' });
    expect(data.plan('s1')).toMatchObject({ id: turn.task_id, status: 'paused' });
    expect(data.below('workspace/.sessions/s1')).toContain('plan.plan_2024.json');
  });

  it.each([
    ['is completed', { ...LEFT, status: 'completed' }],
    ['is of a task of Tripact', { ...LEFT, id: 'task_0mh2kaaaaaaaaaaaaaaaaaaaaa' }],
    ['is no plan', ['milk']],
    ['is none of theirs, for there are no session files', LEFT, { session_files: false }],
  ])('is not continued where it %s', async (_, left, file: object = {}) => {
    const { service } = await withPlan([], left, file);
    expect(await service.say('s1', 'continue')).toMatchObject({
      kind: 'command',
      output: 'There is no paused task to continue.',
    });
  });

  it('is kept, whatever it is, when a task takes its place', async () => {
    const { data, service } = await withPlan([plan('Look'), act('todo', 'list'), done(), answer('ok')], ['milk']);
    await service.say('s1', 'Look at my list');
    expect(readFileSync(join(data.folder('s1'), 'plan.other.json'), 'utf8')).toBe('["milk"]');
  });
});
