import { describe, expect, it } from 'vitest';
import { goalParts } from '../../src/models/offline/offline-model.ts';
import { understand } from '../../src/models/offline/understand.ts';
import { openOfflineTask } from './offline-task.ts';

const NOW = { now: Date.UTC(2026, 10, 21, 9, 30), timezone: 'Europe/Berlin', language: 'en' } as const;

/** The command lines that a goal comes down to, and the question that it ends in if it does, for an owner without entries. */
const commands = async (goal: string): Promise<string[]> => {
  const { log } = await openOfflineTask(goal, { limits: { max_steps: 60 } }).run();
  return log.flatMap((line) => /^(?:ok |failed |(?=ask ))(.*)$/s.exec(line)?.[1] ?? []);
};

describe('one English request', () => {
  it.each([
    ['Add a todo to buy milk', 'todo add "buy milk"'],
    ['todo: pay rent by Friday', 'todo add "pay rent" --due "2026-11-27"'],
    ['Tomorrow at 3pm schedule lunch', 'schedule add "2026-11-22 15:00" "lunch"'],
    ['add a todo: say "hi" to Bob', 'todo add "say \\"hi\\" to Bob"'],
    ['remind me to call mom tomorrow at 9am', 'todo add "call mom" --remind "2026-11-22 09:00"'],
    ["What's on my todo list?", 'todo list'],
    ['mark todo 2 done', 'todo done 2'],
    ['schedule a dentist appointment tomorrow at 3pm', 'schedule add "2026-11-22 15:00" "dentist appointment"'],
    [
      'schedule lunch with Bob and Alice on Friday at 12:30 for 90 minutes',
      'schedule add "2026-11-27 12:30" "lunch with Bob and Alice" --duration 90',
    ],
    ['schedule a review tomorrow from 3pm to 4:30pm', 'schedule add "2026-11-22 15:00" "review" --duration 90'],
    ['schedule standup every Monday at 9am', 'schedule add "every Monday 09:00" "standup"'],
    ['what do I have on Friday?', 'schedule view day 2026-11-27'],
  ])('%s', async (goal, command) => {
    expect(await commands(goal)).toEqual([command]);
  });
});

describe('one Chinese request', () => {
  it.each([
    ['添加待办买牛奶', 'todo add "买牛奶"'],
    ['把买牛奶加入待办清单', 'todo add "买牛奶"'],
    ['提醒我明天上午九点开会', 'todo add "开会" --remind "2026-11-22 09:00"'],
    ['我有哪些待办', 'todo list'],
    ['把待办2标记为完成', 'todo done 2'],
    ['安排明天下午三点看牙医', 'schedule add "2026-11-22 15:00" "看牙医"'],
    ['新建日程：下周三上午10点 产品评审 时长90分钟', 'schedule add "2026-11-25 10:00" "产品评审" --duration 90'],
    ['安排每周一上午九点的例会', 'schedule add "每周一 09:00" "例会"'],
    ['明天有什么日程吗？', 'schedule view day 2026-11-22'],
  ])('%s', async (goal, command) => {
    expect(await commands(goal)).toEqual([command]);
  });
});

describe('several requests in one goal', () => {
  it.each([
    ['添加待办买牛奶,然后安排明天下午三点看牙医', ['todo add "买牛奶"', 'schedule add "2026-11-22 15:00" "看牙医"']],
    [
      'add a todo to call mom tomorrow; then show my todos, and delete schedule 4',
      ['todo add "call mom" --due "2026-11-22"', 'todo list', 'schedule delete 4'],
    ],
    ['delete todos 1, 2 and 3', ['todo delete 1 2 3']],
    ['Please:\n1. add a todo to buy milk\n2. show my todos', ['todo add "buy milk"', 'todo list']],
    [
      'add a todo "buy milk, then show my todos" and list my todos',
      ['todo add "buy milk, then show my todos"', 'todo list'],
    ],
    ['What is the weather and what is on my todo list?', ['todo list']],
    ['schedule lunch tomorrow at noon and remind me 30 minutes before', ['schedule add "2026-11-22 12:00" "lunch"']],
  ])('%s', async (goal, expected) => {
    expect(await commands(goal)).toEqual(expected);
  });
});

describe('what is missing is asked for, never guessed', () => {
  it.each([
    ['安排会议', '请问“会议”在什么时间？'],
    ['schedule a meeting tomorrow', 'At what time of day is “meeting”?'],
    [
      'schedule a meeting tomorrow at 3pm and 4pm',
      'I did not understand “4pm”. When is “meeting”, for example tomorrow 15:00?',
    ],
    ['schedule an event tomorrow at 3pm', 'What is the event called? (“schedule an event tomorrow at 3pm”)'],
    ['schedule something', 'What is the event called? (“schedule something”)'],
    ['add a todo', 'What should the todo say? (“add a todo”)'],
    ['remind me to call mom', 'When should I remind you of “call mom”?'],
  ])('%s: %s', async (goal, question) => {
    expect(await commands(goal)).toEqual([`ask ${question}`]);
  });
});

it('hands a step for the coding agent on', () => {
  const request = { kind: 'code', tool: 'coding_agent', input: 'write a calculator and test it' };
  expect(understand('[CODE] write a calculator and test it', NOW)).toEqual(request);
});

it.each([
  'What is the capital of France?',
  'Write me a poem',
  'Hello',
  '今天天气怎么样？',
  '帮我写一首诗',
  '',
  '...',
  'add todos: a, b',
  'add eggs too',
  'delete 3',
  'am I free on Friday?',
  'book a flight tomorrow at 9am',
])('nothing is made of "%s"', (goal) => {
  expect(goalParts(goal, NOW)).toEqual([]);
});
