import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';
import { type DataFolder, openDataFolder } from './session-files.ts';

const on = (data: DataFolder) => ({ TRIPACT_DATA_DIR: data.path });

it('session_files: false leaves no file, whatever the task does', async () => {
  const data = openDataFolder();
  const script = [plan('Look'), act('todo', 'list'), done(), answer('ok')];
  const service = await startService(script, on(data), { file: { session_files: false } });
  expect(await service.say('s1', 'Look at my list')).toMatchObject({ status: 'answered' });
  await service.restart();
  expect(data.below('.').filter((path) => /plan|MISSION/.test(path))).toEqual([]);
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
    writeFileSync(join(data.folder('s1'), 'plan.json'), Buffer.isBuffer(left) ? left : JSON.stringify(left));
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
    // A plan is taken over once.
    expect(await service.say('s1', 'continue')).toMatchObject({ task: { goal: 'continue' } });
  });

  it('is replaced at once, also where the task asks before it acts', async () => {
    const { data, service } = await withPlan([replanned('Book a hotel'), ask('Which one?')]);
    const turn = await service.say('s1', '继续');
    expect(turn).toMatchObject({ status: 'asking' });
    expect(data.plan('s1')).toMatchObject({ id: turn.task_id, status: 'paused' });
    expect(data.below('workspace/.sessions/s1')).toContain('plan.plan_2024.json');
  });

  const NEXT = {
    output: 'OK',
    task: { goal: '旅行计划', plan: [{ step: '订机票', status: 'completed' }, { step: '订酒店' }] },
  };
  const steps = [
    { description: '订机票', status: 'COMPLETED' },
    { description: '订酒店', status: 'running' },
  ];
  const json = JSON.stringify({ goal: '旅行计划', steps });
  const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

  it.each([
    ['in UTF-8 with a mark', Buffer.from(`\ufeff${json}`)],
    ['in UTF-16 with a mark', Buffer.from(`\ufeff${json}`, 'utf16le')],
    ['in UTF-16, big end first', bigEndian(`\ufeff${json}`)],
    ['in UTF-16 without a mark', Buffer.from(json, 'utf16le')],
    ['in UTF-16, big end first, without a mark', bigEndian(json)],
    ['with steps that are "done"', { goal: '旅行计划', steps: [{ ...steps[0], status: 'done' }, steps[1]] }],
    [
      'of OpenManus',
      {
        plan_id: 'plan_1',
        title: '旅行计划',
        steps: ['订机票', '订酒店'],
        step_statuses: ['completed', 'in_progress'],
        step_notes: ['CA 12', ''],
      },
    ],
  ])('is read %s', async (_, left) => {
    const { service } = await withPlan([replanned('订酒店'), done(), answer('OK')], left);
    expect(await service.say('s1', '继续')).toMatchObject(NEXT);
  });

  it('is refused by name in GBK, and stays as it is', async () => {
    // "计划" in GBK.
    const gbk = Buffer.concat([Buffer.from('{"goal":"'), Buffer.from([0xbc, 0xc6, 0xbb, 0xae]), Buffer.from('"}')]);
    const { data, service } = await withPlan([], gbk);
    expect(await service.say('s1', 'continue')).toMatchObject({
      kind: 'command',
      ok: false,
      output: expect.stringContaining('GBK'),
    });
    expect(readFileSync(join(data.folder('s1'), 'plan.json'))).toEqual(gbk);
  });

  it.each([
    ['is completed', { ...LEFT, status: 'completed' }],
    ['is DONE', { ...LEFT, status: 'DONE' }],
    ['is completed step by step', { title: 'Trip', steps: ['Book'], step_statuses: ['completed'] }],
    ['is of a task of Tripact', { ...LEFT, id: 'task_0mh2kaaaaaaaaaaaaaaaaaaaaa' }],
    ['is no plan', ['milk']],
    ['cannot be theirs, for there are no session files', LEFT, { session_files: false }],
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
