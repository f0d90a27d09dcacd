import { beforeEach, describe, expect, test } from 'vitest';
import { todoTool, viewTool } from '../../../src/tools/todo/todo-tool.ts';
import { type AnsweredTool, answered, clock, openOwnerDatabase, refused, tell } from '../owner-database.ts';

let todo: AnsweredTool;
let view: AnsweredTool;
beforeEach(() => {
  const db = openOwnerDatabase();
  todo = answered(todoTool, db);
  view = answered(viewTool, db);
});

/** The texts of the todos that an answer lists, in order. */
const listed = (answer: string): string[] =>
  answer
    .split('\n')
    .slice(1)
    .map((line) => line.split('  ')[0]!.replace(/^#\d+ (?:✓ )?/, ''));

test('lower priority numbers come first, then what is due sooner, then what is older', () => {
  tell(todo, 'add c --priority 1 --due 2026-12-01');
  tell(todo, 'add d --priority 2');
  tell(todo, 'add b --due 2026-12-01');
  tell(todo, 'add a --due 2026-11-25');
  tell(todo, 'add b2');
  tell(todo, 'add b3');
  expect(listed(tell(todo, 'list'))).toEqual(['a', 'b', 'b2', 'b3', 'c', 'd']);
});

test('a list of more than a hundred says how many are left out', () => {
  for (let count = 1; count <= 103; count++) tell(todo, `add number ${count}`);
  const lines = tell(todo, 'list').split('\n');
  expect(lines[0]).toBe('Todos (103)');
  expect(lines.at(-2)).toBe('#100 number 100');
  expect(lines.at(-1)).toBe('… and 3 more');
});

test('--tag keeps those that have every tag, in any case', () => {
  tell(todo, 'add one --tag Home');
  tell(todo, 'add two --tag home --tag garden');
  tell(todo, 'add three --tag homework');
  expect(listed(tell(todo, 'list --tag HOME'))).toEqual(['one', 'two']);
  expect(listed(tell(todo, 'list --tag home --tag garden'))).toEqual(['two']);
  expect(tell(todo, 'list --tag nothing')).toBe('No todos.');
  expect(tell(view, 'inbox --tag garden')).toBe('Inbox: no due date · garden (1)\n#2 two  tag: home, garden');
});

describe('search', () => {
  beforeEach(() => {
    tell(todo, 'add Buy oat milk for Öztürk --tag home');
    tell(todo, 'add 100% of the snake_case names');
    tell(todo, 'add 100 of the snakeXcase names');
    tell(todo, 'add 买牛奶和面包');
    tell(todo, 'add milk milk MILK');
    tell(todo, 'add path C:\\temp');
  });

  test.each([
    ['milk', ['Buy oat milk for Öztürk', 'milk milk MILK']],
    ['öztürk', ['Buy oat milk for Öztürk']],
    ['"oat milk"', ['Buy oat milk for Öztürk']],
    ['"milk oat"', []],
    ['snake_case', ['100% of the snake_case names']],
    ['面包 牛奶', ['买牛奶和面包']],
    ['Ｍｉｌｋ', ['Buy oat milk for Öztürk', 'milk milk MILK']],
    ['home', []],
    ["' OR ''='", []],
  ])('"%s" finds %j', (words, texts) => {
    expect(listed(tell(todo, `search ${words}`))).toEqual(texts);
  });

  test('shows each todo whole and once, done ones as well', () => {
    tell(todo, 'done 5');
    expect(tell(todo, 'search milk')).toBe(
      'Todos with "milk" (2)\n#1 Buy oat milk for Öztürk  tag: home\n#5 ✓ milk milk MILK  done 2026-11-21 10:30 (Sat)',
    );
    expect(tell(todo, 'search 豆腐', { language: 'zh' })).toBe('没有包含“豆腐”的待办。');
  });
});

describe('views', () => {
  beforeEach(() => {
    tell(todo, 'add no date');
    tell(todo, 'add yesterday --due yesterday');
    tell(todo, 'add last minute of yesterday --due "2026-11-20 23:59"');
    tell(todo, 'add first minute of today --due "2026-11-21 00:00"');
    tell(todo, 'add today --due today');
    tell(todo, 'add last minute of today --due "2026-11-21 23:59"');
    tell(todo, 'add first minute of tomorrow --due "2026-11-22 00:00"');
    tell(todo, 'add tomorrow --due tomorrow');
    tell(todo, 'add done --due today');
    tell(todo, 'done 9');
  });

  const views: [view: string, texts: string[]][] = [
    ['today', ['first minute of today', 'today', 'last minute of today']],
    ['overdue', ['yesterday', 'last minute of yesterday', 'first minute of today']],
    ['upcoming', ['first minute of tomorrow', 'tomorrow']],
    ['inbox', ['no date']],
  ];
  test.each(views)('%s', (name, texts) => {
    expect(listed(tell(view, `/view ${name}`)).sort()).toEqual([...texts].sort());
    expect(listed(tell(todo, `list --view ${name}`)).sort()).toEqual([...texts].sort());
  });

  test('all shows every todo, done ones last; a plain list the open ones', () => {
    expect(listed(tell(view, 'view ALL'))).toHaveLength(9);
    expect(listed(tell(view, 'view all')).at(-1)).toBe('done');
    expect(listed(tell(todo, 'list'))).toHaveLength(8);
  });

  test('the day is the user’s: in New York the same moment is still the day before', () => {
    const newYork = { timezone: 'America/New_York', now: clock('2026-11-22T00:30') };
    expect(listed(tell(view, 'today', newYork))).toEqual(expect.arrayContaining(['today', 'first minute of tomorrow']));
    expect(listed(tell(view, 'upcoming', newYork))).toEqual(['tomorrow']);
  });
});

test.each([
  ['/view', 'The view is missing.'],
  ['/view someday', 'There is no view "someday". The views are: all, today, overdue, upcoming, inbox.'],
  ['/view today --priority 1', 'Unknown option --priority.'],
])('"%s": %s', (input, message) => {
  expect(refused(view, input)).toBe(message);
});
