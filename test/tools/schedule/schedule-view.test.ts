import { beforeEach, describe, expect, test } from 'vitest';
import { scheduleTool } from '../../../src/tools/schedule/schedule-tool.ts';
import { type AnsweredTool, answered, clock, openOwnerDatabase, tell } from '../owner-database.ts';

let schedule: AnsweredTool;
beforeEach(() => {
  schedule = answered(scheduleTool, openOwnerDatabase());
});

/** The lines of an answer under its heading. */
const shown = (answer: string): string[] => answer.split('\n').slice(1);

/** The titles that an answer lists under its heading, in order. */
const titles = (answer: string): string[] => shown(answer).map((line) => line.split('  ')[0]!.replace(/^#\d+ /, ''));

describe('view', () => {
  beforeEach(() => {
    tell(schedule, 'add "2026-11-20 23:00" ends at midnight');
    tell(schedule, 'add "2026-11-20 23:30" runs past midnight');
    tell(schedule, 'add "2026-11-21 00:00" first of the day');
    tell(schedule, 'add "2026-11-21 23:59" last of the day');
    tell(schedule, 'add "2026-11-22 00:00" next day');
    tell(schedule, 'add "2026-11-23 09:00" next week');
    tell(schedule, 'add "2026-12-01 00:00" next month');
  });

  test.each([
    ['view day', ['runs past midnight', 'first of the day', 'last of the day']],
    ['view day tomorrow', ['last of the day', 'next day']],
    ['view day 2026-11-20', ['ends at midnight', 'runs past midnight']],
    ['view week', ['ends at midnight', 'runs past midnight', 'first of the day', 'last of the day', 'next day']],
    ['view month 2026-12-24', ['next month']],
    ['view day 2026-12-02', []],
  ])('"%s" shows %j', (input, shown) => {
    expect(titles(tell(schedule, input))).toEqual(shown);
  });

  test('the heading names the days; months and weeks begin where people expect', () => {
    expect(tell(schedule, 'view day').split('\n')[0]).toBe('2026-11-21 (Sat) (3)');
    expect(tell(schedule, 'view week').split('\n')[0]).toBe('2026-11-16 (Mon) – 2026-11-22 (Sun) (5)');
    expect(tell(schedule, 'view month', { language: 'zh' }).split('\n')[0]).toBe(
      '2026-11-01（周日） – 2026-11-30（周一） (6)',
    );
  });

  test('the day is the user’s', () => {
    const newYork = { timezone: 'America/New_York' };
    expect(titles(tell(schedule, 'view day 2026-11-20', newYork))).toEqual([
      'ends at midnight',
      'runs past midnight',
      'first of the day',
    ]);
  });
});

test('a repeating event shows at each of its times, at the same hour across the clock change', () => {
  tell(schedule, 'add every Sunday 9am Brunch', { now: clock('2026-10-01T12:00') });
  expect(tell(schedule, 'view month 2026-10-15').split('\n').slice(1)).toEqual([
    '#1 Brunch  2026-10-04 09:00–10:00 (Sun)  every Sun',
    '#1 Brunch  2026-10-11 09:00–10:00 (Sun)  every Sun',
    '#1 Brunch  2026-10-18 09:00–10:00 (Sun)  every Sun',
    '#1 Brunch  2026-10-25 09:00–10:00 (Sun)  every Sun',
  ]);
});

test('a repeating event that ends at midnight is not shown on the next day', () => {
  tell(schedule, 'add 2026-11-20 23:00 Late show --interval 10080 --times -1');
  expect(titles(tell(schedule, 'view day 2026-11-27'))).toEqual(['Late show']);
  expect(titles(tell(schedule, 'view day 2026-11-28'))).toEqual([]);
});

test('an interval of a day keeps its hour when the clocks change, one of hours does not', () => {
  tell(schedule, 'add 2027-03-27 09:00 Standup --interval 1440');
  tell(schedule, 'add 2027-03-27 09:00 Pills --interval 720');
  expect(shown(tell(schedule, 'view day 2027-03-28'))).toEqual([
    '#1 Standup  2027-03-28 09:00–10:00 (Sun)  every 1440 min',
    '#2 Pills  2027-03-28 10:00–11:00 (Sun)  every 720 min',
    '#2 Pills  2027-03-28 22:00–23:00 (Sun)  every 720 min',
  ]);
});

test('an event in another zone repeats by the clock of that zone', () => {
  tell(schedule, 'add every day at 9am America/New_York Call');
  // New York changes its clocks two weeks before Berlin.
  expect(shown(tell(schedule, 'view day 2027-03-13'))).toEqual(['#1 Call  2027-03-13 15:00–16:00 (Sat)  every day']);
  expect(shown(tell(schedule, 'view day 2027-03-14'))).toEqual(['#1 Call  2027-03-14 14:00–15:00 (Sun)  every day']);
});

test('a repetition with an end shows no further', () => {
  tell(schedule, 'add tomorrow 9am Pills --duration 5 --interval 720 --times 3');
  expect(titles(tell(schedule, 'view month'))).toHaveLength(3);
  expect(titles(tell(schedule, 'view month 2026-12-01'))).toEqual([]);
});

test('a view of more than a hundred times says how many are left out', () => {
  tell(schedule, 'add tomorrow 0:00 Blink --duration 1 --interval 1 --times -1');
  const lines = tell(schedule, 'view day tomorrow').split('\n');
  expect(lines[0]).toBe('2026-11-22 (Sun) (1440)');
  expect(lines.at(-1)).toBe('… and 1340 more');
});

describe('overlaps are reported', () => {
  const overlapsOf = (answer: string): string[] => answer.split('\n').slice(1);
  beforeEach(() => {
    tell(schedule, 'add tomorrow 3pm Dentist');
  });

  test.each([
    ['add "2026-11-22 14:00" Lunch', []],
    ['add "2026-11-22 14:00" Lunch --duration 61', ['Overlaps with #1 Dentist  2026-11-22 15:00–16:00 (Sun)']],
    ['add "2026-11-22 15:59" Tea', ['Overlaps with #1 Dentist  2026-11-22 15:00–16:00 (Sun)']],
    ['add "2026-11-22 12:00" Trip --duration 600', ['Overlaps with #1 Dentist  2026-11-22 15:00–16:00 (Sun)']],
    ['add every Sunday 15:30 Walk', ['Overlaps with #1 Dentist  2026-11-22 15:00–16:00 (Sun)']],
    ['add every Saturday 15:30 Walk', []],
  ])('"%s": %j', (input, overlaps) => {
    expect(overlapsOf(tell(schedule, input))).toEqual(overlaps);
  });

  test('on update as well, and never with itself', () => {
    tell(schedule, 'add tomorrow 5pm Tea');
    expect(overlapsOf(tell(schedule, 'update 2 tomorrow 3:30pm'))).toHaveLength(1);
    expect(overlapsOf(tell(schedule, 'update 1 --duration 20'))).toEqual([]);
  });

  test('two endless repetitions are looked at over the next 31 days, each other event named once', () => {
    tell(schedule, 'add tomorrow 9am Standup --duration 15 --interval 1440 --times -1');
    const [line, ...more] = overlapsOf(tell(schedule, 'add every day 9:10 Coffee --duration 10'));
    expect(line).toBe('Overlaps with #2 Standup  2026-11-22 09:00–09:15 (Sun)  (31 times)');
    expect(more).toEqual([]);
  });

  test('an endless repetition is not looked at further than 31 days, but its event in the far future is', () => {
    tell(schedule, 'add 2026-12-22 09:00 On day 31');
    tell(schedule, 'add 2026-12-23 09:00 After 31 days');
    expect(overlapsOf(tell(schedule, 'add every day 9am Pills'))).toEqual([
      'Overlaps with #2 On day 31  2026-12-22 09:00–10:00 (Tue)',
    ]);
    expect(overlapsOf(tell(schedule, 'add 2029-03-01 09:30 Far away'))).toEqual([
      'Overlaps with #4 Pills  2029-03-01 09:00–10:00 (Thu)',
    ]);
  });
});
