import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { delayed } from '../support/anthropic/answers.ts';
import { act, answer, done, plan, replanned, startService } from '../support/service/service.ts';
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
