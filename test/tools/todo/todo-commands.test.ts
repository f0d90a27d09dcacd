import { beforeEach, describe, expect, test } from 'vitest';
import { todoTool } from '../../../src/tools/todo/todo-tool.ts';
import { type AnsweredTool, answered, clock, openOwnerDatabase, refused, tell } from '../owner-database.ts';

let todo: AnsweredTool;
beforeEach(() => {
  todo = answered(todoTool, openOwnerDatabase());
});

describe('add', () => {
  test.each([
    ['/todo add Buy milk', 'Added #1 Buy milk'],
    ['add "Buy milk --tag home"', 'Added #1 Buy milk --tag home'],
    ["add Don't forget the dog's food", "Added #1 Don't forget the dog's food"],
    ['add say "a \\"b\\" c" twice', 'Added #1 say a "b" c twice'],
    ['add -- --not-an-option', 'Added #1 --not-an-option'],
    ['add "two\nlines"', 'Added #1 two lines'],
    ['add Buy milk --tag home --tag=#Food', 'Added #1 Buy milk  tag: home, Food'],
    ['add Buy milk --due tomorrow 3pm --priority 1', 'Added #1 Buy milk  due 2026-11-22 15:00 (Sun)  priority 1'],
    ['add --due tomorrow 3pm Buy milk', 'Added #1 Buy milk  due 2026-11-22 15:00 (Sun)'],
    ['add Old --due 2020-01-01', 'Added #1 Old  due 2020-01-01 (Wed)'],
    ['add Buy milk --remind in 2 hours', 'Added #1 Buy milk  remind 2026-11-21 12:30 (Sat)'],
    [
      'add Buy milk --tag home --priority 2 --due 2026-11-22 --remind "2026-11-22 08:00"',
      'Added #1 Buy milk  due 2026-11-22 (Sun)  remind 2026-11-22 08:00 (Sun)  tag: home  priority 2',
    ],
  ])('"%s" says "%s"', (input, said) => {
    expect(tell(todo, input)).toBe(said);
  });

  test('times are those of the user’s zone', () => {
    tell(todo, 'add Call --due "tomorrow 3pm"');
    const shanghai = { timezone: 'Asia/Shanghai' };
    expect(tell(todo, 'get 1', shanghai)).toBe('#1 Call  due 2026-11-22 22:00 (Sun)');
    tell(todo, 'add Pay --due tomorrow');
    expect(tell(todo, 'get 2', { timezone: 'America/New_York' })).toBe('#2 Pay  due 2026-11-22 (Sun)');
  });
});

describe('what is wrong is said, with the usage, and nothing is kept', () => {
  test.each([
    ['', 'The subcommand is missing.'],
    ['frobnicate 1', 'Unknown command /todo frobnicate.'],
    ['add', 'The text is missing.'],
    ['add x --priority -1', '--priority must be a whole number from 0 to 1000000, not "-1".'],
    ['add x --tag', '--tag needs a value.'],
    ['add x --priority 1 --priority 2', '--priority is given more than once.'],
    ['add "Buy milk', 'The quote " is not closed.'],
    ['add x --due someday', '--due: Can\'t read "someday" as a date or time.'],
    ['add x --due 2026-02-30', '--due: Can\'t read "2026-02-30" as a date or time.'],
    ['add x --remind yesterday', '--remind: 2026-11-20 09:00 (Fri) has passed.'],
    [`add ${'x'.repeat(1_001)}`, 'A todo has at most 1000 characters.'],
    [`add x --tag ${'t'.repeat(41)}`, '--tag must have 1 to 40 characters.'],
    [`add x ${'--tag t '.repeat(21)}`, 'A todo has at most 20 tags.'],
    ['get', 'The id is missing.'],
    ['get milk', '"milk" is not an id: ids are numbers.'],
    ['get 99999999999999999999999999', 'There is no todo #9999999999999999999.'],
    ['done 7', 'There is no todo #7.'],
    ['search', 'The words to search for are missing.'],
    ['list --view someday', 'There is no view "someday". The views are: all, today, overdue, upcoming, inbox.'],
  ])('"%s": %s', (input, message) => {
    expect(refused(todo, input).startsWith(message)).toBe(true);
    expect(tell(todo, 'list --view all')).toBe('No todos.');
  });

  test('several are finished or deleted at once, each once, and none where one does not exist', () => {
    for (const text of ['x', 'y', 'z']) tell(todo, `add ${text}`);
    expect(tell(todo, 'done 1 #2 1').split('\n')).toHaveLength(2);
    expect(refused(todo, 'delete 3 7')).toBe('There is no todo #7.');
    expect(tell(todo, 'list')).toContain('#3 z');
    expect(tell(todo, 'delete 3 1')).toBe('Deleted #3 z\nDeleted #1 x');
  });
});

describe('get, update, done and delete', () => {
  beforeEach(() => {
    tell(todo, 'add Buy milk --tag home --priority 1 --due "tomorrow 3pm" --remind "tomorrow 2pm"');
  });
  const whole = '#1 Buy milk  due 2026-11-22 15:00 (Sun)  remind 2026-11-22 14:00 (Sun)  tag: home  priority 1';

  test('get shows the whole todo', () => {
    expect(tell(todo, 'get #1')).toBe(whole);
  });

  test.each([
    ['update 1 Buy oat milk', whole.replace('milk', 'oat milk')],
    ['update 1 --tag none', whole.replace('  tag: home', '')],
    ['update 1 --due monday', whole.replace('2026-11-22 15:00 (Sun)', '2026-11-23 (Mon)')],
    ['update 1 --remind none', whole.replace('  remind 2026-11-22 14:00 (Sun)', '')],
    [
      'update 1 --due monday Buy tea',
      whole.replace('milk', 'tea').replace('2026-11-22 15:00 (Sun)', '2026-11-23 (Mon)'),
    ],
  ])('"%s" changes just that', (input, after) => {
    expect(tell(todo, input)).toBe(`Updated ${after}`);
    expect(tell(todo, 'get 1')).toBe(after);
  });

  test('done marks it, ends its reminder and leaves it out of the list', () => {
    expect(tell(todo, 'done 1')).toBe(
      'Done #1 ✓ Buy milk  due 2026-11-22 15:00 (Sun)  tag: home  priority 1  done 2026-11-21 10:30 (Sat)',
    );
    expect(tell(todo, 'list')).toBe('No todos.');
    expect(tell(todo, 'done 1', { now: clock('2026-11-25T10:30') })).toContain('Already done: #1 ✓ Buy milk');
    expect(tell(todo, 'get 1', { now: clock('2026-11-25T10:30') })).toContain('done 2026-11-21 10:30');
    expect(refused(todo, 'update 1 --remind tomorrow')).toBe('#1 is done and can have no reminder.');
  });
});

test('each owner has their own todos and ids', () => {
  tell(todo, 'add mine');
  const other = { owner: 'other' };
  expect(refused(todo, 'get 1', other)).toBe('There is no todo #1.');
  expect(refused(todo, 'done 1', other)).toBe('There is no todo #1.');
  expect(refused(todo, 'delete 1', other)).toBe('There is no todo #1.');
  expect(refused(todo, 'update 1 theirs', other)).toBe('There is no todo #1.');
  expect(tell(todo, 'add theirs', other)).toBe('Added #1 theirs');
  expect(tell(todo, 'search s', other)).toBe('Todos with "s" (1)\n#1 theirs');
  expect(tell(todo, 'get 1')).toBe('#1 mine');
});
