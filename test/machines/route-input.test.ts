import { describe, expect, it } from 'vitest';
import { type InputRoute, routeInput, type Surroundings } from '../../machines/route-input.ts';

const free: Surroundings = {
  commands: new Set(['files', 'help', 'schedule', 'status', 'todo', 'tool', 'tools', 'view']),
  activity: 'free',
  isTaskPaused: false,
  hasConversation: true,
  isModelConfigured: true,
  onBusy: 'enqueue',
};
const running: Surroundings = { ...free, activity: 'running' };
const waiting: Surroundings = { ...free, activity: 'waiting' };
const paused: Surroundings = { ...free, isTaskPaused: true };
const noModel: Surroundings = { ...free, isModelConfigured: false };
const everywhere: [string, Surroundings][] = [
  ['a free session', free],
  ['a running task', running],
  ['a running task, on_busy reject', { ...running, onBusy: 'reject' }],
  ['a running task, on_busy steer', { ...running, onBusy: 'steer' }],
  ['a waiting task', waiting],
  ['a paused task', paused],
  ['no model', noModel],
];

const cancel: InputRoute = { kind: 'control', control: 'cancel', rest: '' };

describe.each(everywhere)('With %s', (_, around) => {
  it.each(['/cancel', ' /cancel\n', '/CANCEL', 'cancel task', 'Cancel Task', '取消当前任务', '取消任务'])(
    '%j cancels',
    (input) => {
      expect(routeInput(input, around)).toEqual(cancel);
    },
  );

  it.each<[string, InputRoute]>([
    ['/status', { kind: 'command', name: 'status', rest: '' }],
    [' ／TODO　add 买牛奶', { kind: 'command', name: 'todo', rest: 'add 买牛奶' }],
    ['／cancel', cancel],
    ['  /todo add buy  milk\nand bread ', { kind: 'command', name: 'todo', rest: 'add buy  milk\nand bread' }],
    ['/nonsense', { kind: 'command', name: 'nonsense', rest: '' }],
    ['/', { kind: 'command', name: '', rest: '' }],
    ['/ cancel', { kind: 'command', name: '', rest: 'cancel' }],
    ['//cancel', { kind: 'command', name: '/cancel', rest: '' }],
    ['/plan', { kind: 'command', name: 'plan', rest: '' }],
    ['/plan create trip', { kind: 'command', name: 'plan', rest: 'create trip' }],
    ['/plan addendum', { kind: 'command', name: 'plan', rest: 'addendum' }],
    ['/plan add Call Ann', { kind: 'control', control: 'plan', rest: 'add Call Ann' }],
    ['/plan mark 1 completed', { kind: 'control', control: 'plan', rest: 'mark 1 completed' }],
    ['/plan mark trip 1 completed', { kind: 'command', name: 'plan', rest: 'mark trip 1 completed' }],
    ['/plan\tmove 1 2', { kind: 'control', control: 'plan', rest: 'move 1 2' }],
    ['/continue', { kind: 'control', control: 'continue', rest: '' }],
    ['/Resume task_0a', { kind: 'control', control: 'resume', rest: 'task_0a' }],
  ])('%j is a slash command, and never an input of a task', (input, route) => {
    expect(routeInput(input, around)).toEqual(route);
  });
});

describe('Without a model', () => {
  it.each(['Plan the party', 'continue', 'please /cancel'])('%j is refused', (input) => {
    for (const activity of ['free', 'running', 'waiting'] as const)
      expect(routeInput(input, { ...noModel, activity, isTaskPaused: true })).toEqual({ kind: 'no_model' });
  });
});

describe('While a task runs', () => {
  it.each(['enqueue', 'reject', 'steer'] as const)('on_busy %s decides, also for a continue phrase', (onBusy) => {
    for (const input of ['Plan the party', 'continue', 'yes', 'cancel the task'])
      expect(routeInput(input, { ...running, onBusy, isTaskPaused: true })).toEqual({ kind: onBusy });
  });
});

describe('While a task waits for the user', () => {
  it.each([
    'Monday',
    'continue',
    '继续',
    'no',
    'cancel',
    'what does /status do?',
    '／',
    '／usr/bin',
    '／helpful',
    '／／help',
  ])('%j is the answer', (input) => {
    for (const onBusy of ['enqueue', 'reject', 'steer'] as const)
      expect(routeInput(input, { ...waiting, onBusy, isTaskPaused: true })).toEqual({ kind: 'answer' });
  });
});

describe('When the most recent task is paused', () => {
  it.each(['continue', ' GO ON ', 'Keep going!!', '继续', '继续执行。'])('%j resumes it', (input) => {
    expect(routeInput(input, paused)).toEqual({ kind: 'resume' });
  });

  it.each(["Don't continue", 'continue with the second item', '继续教育'])('%j opens a new task', (input) => {
    expect(routeInput(input, paused)).toEqual({ kind: 'open' });
  });
});

describe('When nothing runs, waits or is paused', () => {
  it.each([
    'Plan the party',
    'continue',
    '继续',
    'cancel',
    'cancel task please',
    'uncancel task',
    'cancel task 3',
    '不要取消任务',
    '取消',
    'a /status',
  ])('%j opens a task', (input) => {
    expect(routeInput(input, free)).toEqual({ kind: 'open' });
  });
});
