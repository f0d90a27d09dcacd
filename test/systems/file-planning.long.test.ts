import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
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
  expect(data.below('workspace/.sessions/s1')).toEqual(['MISSION.md', 'plan.json']);
});

it('session_files: false leaves no file, whatever the task does', async () => {
  const data = openDataFolder();
  const script = [plan('Look'), act('todo', 'list'), done(), answer('ok')];
  const service = await startService(script, on(data), { file: { session_files: false } });
  expect(await service.say('s1', 'Look at my list')).toMatchObject({ status: 'answered' });
  await service.restart();
  expect(data.below('.').filter((path) => /plan|MISSION/.test(path))).toEqual([]);
});

it("a turn without a tool leaves no file, a command leaves none either, and a task's first tool action brings it", async () => {
  const data = openDataFolder();
  const service = await startService([plan('Think'), done('4'), answer('4')], on(data));
  expect(await service.say('s1', 'What is 2 + 2?')).toMatchObject({ status: 'answered' });
  await service.say('s1', '/todo add milk');
  expect(data.plan('s1')).toBeNull();

  const gate = Promise.withResolvers<void>();
  service.model.answer([
    plan('Look'),
    delayed(gate.promise, act('todo', 'list')),
    delayed(gate.promise, done()),
    answer('ok'),
  ]);
  const asked = service.model.asked(5);
  const turn = service.say('s1', 'Look at my list');
  await asked;
  expect(data.plan('s1')).toBeNull();
  gate.resolve();
  expect(await turn).toMatchObject({ status: 'answered' });
  expect(data.plan('s1')).toMatchObject({ goal: 'Look at my list', status: 'completed' });
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

it('reads paused while the task waits or is paused, and failed with what it was at when it is cancelled', async () => {
  const data = openDataFolder();
  const begin = [plan('Look', 'Book'), act('todo', 'list')];
  const service = await startService([...begin, ask('Which day?')], { ...on(data), TRIPACT_MAX_STEPS: '4' });
  const waits = { status: 'paused', current_step_index: 0, steps: [{ status: 'running' }, { status: 'pending' }] };
  await service.say('waiting', 'Book a room');
  expect(data.plan('waiting')).toMatchObject(waits);
  await service.say('waiting', '/cancel');
  expect(data.plan('waiting')).toMatchObject({ status: 'failed', steps: [{ status: 'failed' }, {}] });

  service.model.answer([...begin, act('todo', 'list --tag a')]);
  const paused = await service.say('limited', 'Book a room');
  expect(paused.status).toBe('paused');
  expect(data.plan('limited')).toMatchObject(waits);
  await service.post(`/v1/tasks/${paused.task_id}/cancel`, {});
  await vi.waitFor(() => expect(data.plan('limited')).toMatchObject({ status: 'failed' }), PATIENCE);
});

it('MISSION.md shows goal, plan with marks, decisions and the open question, and none once it is answered', async () => {
  const data = openDataFolder();
  const script = [plan('Look', 'Book'), act('todo', 'list'), done('Free'), replanned('Book'), ask('Which day?')];
  const service = await startService(script, on(data));
  await service.say('s1', 'Book a room');
  const asking = data.mission('s1');
  expect(asking).toMatch(/^# Mission: waiting for your answer/);
  for (const part of ['## Goal\n\nBook a room', '- [✓] Look\n  Free\n- [→] Book', 'Action: todo -> list'])
    expect(asking).toContain(part);
  expect(asking).toMatch(/## Open questions\n\nWhich day\?\n$/);
  service.model.answer([answer('Booked for Friday.')]);
  await service.say('s1', 'Friday');
  const answered = /^# Mission: done[\s\S]*Your answer: Friday[\s\S]*## Open questions\n\nNone\.\n$/;
  await vi.waitFor(() => expect(data.mission('s1')).toMatch(answered), PATIENCE);
});
