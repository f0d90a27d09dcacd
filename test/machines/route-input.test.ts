import { describe, expect, it } from 'vitest';
import { type InputRoute, routeInput, type Surroundings } from '../../machines/route-input.ts';

const free: Surroundings = {
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
    ['／help', { kind: 'command', name: 'help', rest: '' }],
    [' ／TODO　add 买牛奶', { kind: 'command', name: 'todo', rest: 'add 买牛奶' }],
    ['／cancel', cancel],
    ['／plan drop 2', { kind: 'control', control: 'plan', rest: 'drop 2' }],
    ['  /todo add buy  milk\nand bread ', { kind: 'command', name: 'todo', rest: 'add buy  milk\nand bread' }],
    ['/TODO list', { kind: 'command', name: 'todo', rest: 'list' }],
    ['/nonsense', { kind: 'command', name: 'nonsense', rest: '' }],
    ['/', { kind: 'command', name: '', rest: '' }],
    ['/ cancel', { kind: 'command', name: '', rest: 'cancel' }],
    ['//cancel', { kind: 'command', name: '/cancel', rest: '' }],
    ['/cancelled', { kind: 'command', name: 'cancelled', rest: '' }],
    ['/plan', { kind: 'command', name: 'plan', rest: '' }],
    ['/plan show', { kind: 'command', name: 'plan', rest: 'show' }],
    ['/plan create trip', { kind: 'command', name: 'plan', rest: 'create trip' }],
    ['/plan addendum', { kind: 'command', name: 'plan', rest: 'addendum' }],
    ['/plan add Call Ann', { kind: 'control', control: 'plan', rest: 'add Call Ann' }],
    ['/plan DROP 2', { kind: 'control', control: 'plan', rest: 'DROP 2' }],
    ['/plan\tmove 1 2', { kind: 'control', control: 'plan', rest: 'move 1 2' }],
    ['/plan mark 1 completed', { kind: 'control', control: 'plan', rest: 'mark 1 completed' }],
    ['/continue', { kind: 'control', control: 'continue', rest: '' }],
    ['/resume', { kind: 'control', control: 'resume', rest: '' }],
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
  const phrases = ['continue', 'resume', 'go on', 'carry on', 'keep going', '继续', '接着', '继续执行', '恢复'];

  it.each(phrases)('%j resumes it', (phrase) => {
    for (const input of [
      phrase,
      ` ${phrase} `,
      phrase.toUpperCase(),
      `${phrase}.`,
      `${phrase}!!`,
      `${phrase}。`,
      `${phrase}！ `,
    ])
      expect(routeInput(input, paused)).toEqual({ kind: 'resume' });
  });

  it.each([
    "Don't continue",
    'continue with the second item',
    'discontinue',
    'continued',
    'go on holiday',
    '继续教育',
    '不要继续',
    '恢复备份',
    '继续 教育',
    'con tinue',
  ])('%j opens a new task', (input) => {
    expect(routeInput(input, paused)).toEqual({ kind: 'open' });
  });
});

describe('When nothing runs, waits or is paused', () => {
  it.each(['Plan the party', 'continue', '继续', 'cancel', 'cancel task please', 'uncancel task', '取消', 'a /status'])(
    '%j opens a task',
    (input) => {
      expect(routeInput(input, free)).toEqual({ kind: 'open' });
    },
  );
});
