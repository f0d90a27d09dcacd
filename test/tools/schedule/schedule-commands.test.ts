import { beforeEach, describe, expect, test } from 'vitest';
import { scheduleTool } from '../../../src/tools/schedule/schedule-tool.ts';
import { type AnsweredTool, answered, clock, openOwnerDatabase, refused, tell } from '../owner-database.ts';

let schedule: AnsweredTool;
beforeEach(() => {
  schedule = answered(scheduleTool, openOwnerDatabase());
});

const dentist = '#1 Dentist  2026-11-22 15:00–16:00 (Sun)';

describe('add', () => {
  test.each([
    ['/schedule add tomorrow 3pm Dentist', dentist],
    ['add 明天下午三点 看牙医', dentist.replace('Dentist', '看牙医')],
    ['add 明天 下午三点看 牙医', dentist.replace('Dentist', '看 牙医')],
    ['add 2026-12-01 09:30 Stand-up 2 of 3', '#1 Stand-up 2 of 3  2026-12-01 09:30–10:30 (Tue)'],
    ['add next friday 8:00 Run --duration 90', '#1 Run  2026-11-27 08:00–09:30 (Fri)'],
    ['add yesterday 3pm Walk', '#1 Walk  2026-11-20 15:00–16:00 (Fri)  (past)'],
    ['add tomorrow 3pm Dentist --remind tomorrow 2:30pm', `${dentist}  remind 2026-11-22 14:30 (Sun)`],
    ['add tomorrow 3pm Dentist --remind-start "tomorrow 1pm"', `${dentist}  remind 2026-11-22 13:00 (Sun)`],
    [
      'add tomorrow 3pm Dentist --remind "tomorrow 9am" --interval 10 --times 3 --remind-start "tomorrow 2pm"',
      `${dentist}  remind 2026-11-22 09:00 (Sun)  remind 2026-11-22 14:00 (Sun) every 10 min, 3 times`,
    ],
    [
      'add tomorrow 9am Standup --duration 15 --interval 1440 --times -1',
      '#1 Standup  2026-11-22 09:00–09:15 (Sun)  every 1440 min',
    ],
    [
      'add tomorrow 9am Pills --interval 480 --times 6',
      '#1 Pills  2026-11-22 09:00–10:00 (Sun)  every 480 min, 6 times',
    ],
    ['add every Monday 9am Review', '#1 Review  2026-11-23 09:00–10:00 (Mon)  every Mon'],
    ['add every weekday 8:30 Bus', '#1 Bus  2026-11-23 08:30–09:30 (Mon)  every Mon, Tue, Wed, Thu, Fri'],
    ['add every month on the 31st at 10am Rent', '#1 Rent  2026-12-31 10:00–11:00 (Thu)  every month on day 31'],
    ['add 每周一、周三晚上八点跑步', '#1 跑步  2026-11-23 20:00–21:00 (Mon)  every Mon, Wed'],
    ['add 每月15号上午10点 交房租', '#1 交房租  2026-12-15 10:00–11:00 (Tue)  every month on day 15'],
    [
      'add every Monday 9am Review --remind "monday 8:50"',
      '#1 Review  2026-11-23 09:00–10:00 (Mon)  every Mon  remind 2026-11-23 08:50 (Mon)',
    ],
  ])('"%s" says "%s"', (input, line) => {
    expect(tell(schedule, input)).toBe(`Added ${line}`);
  });

  test('an hour that the clock change leaves out moves with the change', () => {
    expect(tell(schedule, 'add 2027-03-28 02:30 Night shift')).toBe(
      'Added #1 Night shift  2027-03-28 03:30–04:30 (Sun)',
    );
  });
});

describe('what is wrong is said, with the usage, and nothing is kept', () => {
  test.each([
    ['add', 'The time is missing, such as "tomorrow 3pm".'],
    ['add 2026-02-30 10:00 Dentist', 'Can\'t read "2026-02-30 10:00 Dentist" as a date or time.'],
    ['add tomorrow Dentist', 'The time of day is missing, such as "tomorrow 3pm".'],
    ['add every day tomorrow 3pm Review', 'Can\'t read "every day tomorrow 3pm Review" as a date or time.'],
    ['add tomorrow 3pm', 'The title is missing.'],
    [`add tomorrow 3pm ${'x'.repeat(501)}`, 'A title has at most 500 characters.'],
    ['add tomorrow 3pm x --duration 0', '--duration must be a whole number from 1 to 44640, not "0".'],
    ['add tomorrow 3pm x --times 3', '--times needs --interval.'],
    ['add tomorrow 3pm x --interval 10', "An event of 60 min can't repeat every 10 min;"],
    ['add every day 3pm x --interval 1440', 'The time already says how it repeats: leave out --interval.'],
    ['add every day 3pm x --interval 10 --remind "tomorrow 2pm"', 'The event repeats, and its reminder with it:'],
    ['add tomorrow 3pm x --remind yesterday', '--remind: 2026-11-20 09:00 (Fri) has passed.'],
    ['list all', 'Unexpected argument "all".'],
    ['get 1', 'There is no event #1.'],
    ['update 1 tomorrow 3pm x', 'There is no event #1.'],
    ['delete 1', 'There is no event #1.'],
    ['repeat 1 on', 'There is no event #1.'],
    ['view', 'Expected day, week or month.'],
    ['view year', 'Expected day, week or month.'],
    ['view day someday', 'Can\'t read "someday" as a date or time.'],
  ])('"%s": %s', (input, message) => {
    expect(refused(schedule, input).slice(0, message.length)).toBe(message);
    expect(tell(schedule, 'list')).toBe('The schedule is empty.');
  });
});

describe('get, list, update and delete', () => {
  beforeEach(() => {
    tell(schedule, 'add tomorrow 3pm Dentist --remind "tomorrow 2:30pm"');
  });
  const whole = `${dentist}  remind 2026-11-22 14:30 (Sun)`;

  test.each([
    ['update 1 tomorrow 5pm', '#1 Dentist  2026-11-22 17:00–18:00 (Sun)  remind 2026-11-22 16:30 (Sun)'],
    ['update 1 monday 9:00 Dr. No', '#1 Dr. No  2026-11-23 09:00–10:00 (Mon)  remind 2026-11-23 08:30 (Mon)'],
    ['update 1 --duration 30', whole.replace('16:00', '15:30')],
    ['update 1 --remind none', dentist],
    ['update 1 --remind "tomorrow 8am"', `${dentist}  remind 2026-11-22 08:00 (Sun)`],
    [
      'update 1 --remind "tomorrow 1pm" --interval 30 --times 4',
      `${dentist}  remind 2026-11-22 13:00 (Sun) every 30 min, 4 times`,
    ],
    ['update 1 --interval 1440 --times 2', `${dentist}  every 1440 min, 2 times  remind 2026-11-22 14:30 (Sun)`],
    ['update 1 every Sunday 3pm', '#1 Dentist  2026-11-22 15:00–16:00 (Sun)  every Sun  remind 2026-11-22 14:30 (Sun)'],
  ])('"%s" changes just that', (input, after) => {
    expect(tell(schedule, input)).toBe(`Updated ${after}`);
    expect(tell(schedule, 'get 1')).toBe(after);
  });

  test.each([
    ['update 1', 'Nothing to change: give a new value or an option.'],
    ['update 1 tomorrow 4pm New --remind yesterday', '--remind: 2026-11-20 09:00 (Fri) has passed.'],
    ['repeat 1', 'Expected on or off.'],
    ['repeat 1 on', '#1 has no repetition.'],
  ])('"%s" is refused (%s) and changes nothing', (input, message) => {
    expect(refused(schedule, input).slice(0, message.length)).toBe(message);
    expect(tell(schedule, 'get 1')).toBe(whole);
  });

  test('list shows what comes next first, repeating events at their next time, and what is over last', () => {
    tell(schedule, 'add yesterday 3pm Walk');
    tell(schedule, 'add every day 9am Pills');
    tell(schedule, 'add today 10:00 Running now');
    expect(tell(schedule, 'list').split('\n')).toEqual([
      'Schedule (4)',
      '#4 Running now  2026-11-21 10:00–11:00 (Sat)',
      '#3 Pills  2026-11-22 09:00–10:00 (Sun)  every day',
      whole,
      '#2 Walk  2026-11-20 15:00–16:00 (Fri)  (past)',
    ]);
    expect(tell(schedule, 'get 3', { now: clock('2026-12-24T12:00') })).toBe(
      '#3 Pills  2026-12-25 09:00–10:00 (Fri)  every day',
    );
  });

  test('each owner has their own events, ids and overlaps', () => {
    const other = { owner: 'other' };
    expect(refused(schedule, 'get 1', other)).toBe('There is no event #1.');
    expect(refused(schedule, 'delete 1', other)).toBe('There is no event #1.');
    expect(refused(schedule, 'update 1 tomorrow 9am', other)).toBe('There is no event #1.');
    expect(refused(schedule, 'repeat 1 off', other)).toBe('There is no event #1.');
    expect(tell(schedule, 'add tomorrow 3pm Lunch', other)).toBe('Added #1 Lunch  2026-11-22 15:00–16:00 (Sun)');
    expect(tell(schedule, 'view day tomorrow', other)).not.toContain('Dentist');
  });
});
