import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { findTimes } from '../../src/when/find-times.ts';
import { readWhen, settle, todayOf } from '../../src/when/read-when.ts';

const NOW = '2026-11-21T10:30';

const contextOf = (timezone: string, now: string) => ({
  ...{ timezone, language: 'en' as const },
  now: Temporal.PlainDateTime.from(now).toZonedDateTime(timezone).epochMilliseconds,
});

/** The meaning of a command's time on a clock that shows `now`: a time, a day, or an error with the hours that it may mean. */
const commanded = (text: string, zone = 'Europe/Berlin', now = NOW): string => {
  const when = readWhen(text, contextOf(zone, now));
  if ('error' in when) return / may be (.*):/.exec(when.error)?.[1] ?? 'error';
  const zoned = Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(zone);
  const shown = zoned.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ');
  return `${when.hasTime ? shown : shown.replace(' 00:00', '')}${when.rrule === null ? '' : ` ${when.rrule}`}`;
};

/** The meaning of a sentence: its title, and the time with how long it lasts, or what the time lacks. */
const said = (text: string): string => {
  const context = contextOf('Europe/Berlin', NOW);
  const times = findTimes(text, todayOf(context), { isTodo: /^(?:pay|renew|water|交)/.test(text) });
  const when = settle(times, context);
  const time = 'lacks' in when ? `${when.lacks}? ${when.about}`.trim() : when.words;
  return `${times.rest} | ${time}${'lacks' in when || when.minutes === null ? '' : `, ${when.minutes} min`}`;
};

/** Sentences of users on Saturday 2026-11-21 at 10:30. */
const sentences: [sentence: string, meaning: string][] = [
  ['dentist tomorrow 3pm', 'dentist | 2026-11-22 15:00'],
  ['a two-hour workshop on thursday at 1pm', 'a workshop | 2026-11-26 13:00, 120 min'],
  ['a check-up next month on the 15th at 8:30am', 'a check-up | 2026-12-15 08:30'],
  ["dinner with mom on new year's eve at 8pm", "dinner with mom on new year's eve | unclear? new year's eve"],
  ['call Bob 3 days from now at 9am', 'call Bob | 2026-11-24 09:00'],
  ['check the oven in half an hour', 'check the oven | in half an hour'],
  ['pay rent by Friday', 'pay rent | 2026-11-27'],
  ['water the plants for 10 minutes', 'water the plants for 10 minutes | when?'],
  ['a flight at 3pm UTC tomorrow', 'a flight | 2026-11-22 16:00'],
  ['buy 1.5 l milk', 'buy 1.5 l milk | when?'],
  ["prepare Monday's meeting in may", "prepare Monday's meeting | unclear? may"],
  ['meeting tomorrow at 3', 'meeting | half? 03:00/15:00'],
  ['meeting on friday afternoon', 'meeting | hour?'],
  ['call tomorrow at midnight', 'call | unclear? at midnight'],
  ['review in two weeks on Thursday at 3pm', 'review | unclear? in two weeks on Thursday'],
  ['a call on 3/5 at 2pm', 'a call | unclear? 3/5 at 2pm'],
  ['meeting on feb 30 at 10am', 'meeting at 10am | unclear? feb 30'],
  ['haircut for Friday the 28th at 10am', 'haircut | unclear? the 28th'],
  ['a week from today at 3pm lunch', 'lunch | unclear? a week from today'],
  ['yoga every evening at 10am', 'yoga | unclear? every evening at 10am'],
  ['明天下午三点看牙医', '看牙医 | 2026-11-22 15:00'],
  ['下周三上午九点一刻评审', '评审 | 2026-11-25 09:15'],
  ['明天9:30-10:30面试', '面试 | 2026-11-22 09:30, 60 min'],
  ['元旦晚上八点聚会', '元旦聚会 | unclear? 元旦'],
  ['今晚十二点放烟花', '放烟花 | 2026-11-22 00:00'],
  ['一个半小时后关火', '关火 | 一个半小时后'],
  ['每周一三五早上七点游泳', '游泳 | 每周一三五 07:00'],
  ['交报告12月3日前', '交报告 | 2026-12-03'],
  ['明天三点开会', '开会 | half? 03:00/15:00'],
  ['周五下午开会', '开会 | hour?'],
  ['两周后的周四上午十点去体检', '去体检 | unclear? 两周后的周四'],
];

const commands: [time: string, meaning: string][] = [
  ['2026-12-01 09:30', '2026-12-01 09:30'],
  ['2026/12/1 9:30', '2026-12-01 09:30'],
  ['2020-01-01', '2020-01-01'],
  ['10:31', '2026-11-21 10:31'],
  ['saturday 9am', '2026-11-28 09:00'],
  ['in 2h 15m', '2026-11-21 12:45'],
  ['every mon, wed and fri at 18:00', '2026-11-23 18:00 FREQ=WEEKLY;BYDAY=MO,WE,FR'],
  ['each month on the 31st at 10am', '2026-12-31 10:00 FREQ=MONTHLY;BYMONTHDAY=31'],
  ['every night at 2am', '2026-11-22 02:00 FREQ=DAILY'],
  ['明天 下午 3点', '2026-11-22 15:00'],
  ['中午一点', '2026-11-21 13:00'],
  ['1小时30分钟后', '2026-11-21 12:00'],
  ['每隔一天早上八点', '2026-11-22 08:00 FREQ=DAILY;INTERVAL=2'],
  ['tomorrow at 3', '03:00 or 15:00'],
  ...['', 'soon', '25:00', '12:60', '2026-02-30', '2026-13-01', '2026-12-01 24:30', '2026-12-01T10:00+99:00'].map(
    error,
  ),
  ...['tomorrow 25:00', 'tomorrow maybe', 'tomorrow morning', 'tomorrow 3pm with Bob', 'may', 'next month'].map(error),
  ...[
    'in a few hours',
    'in 2.5 days',
    'in 10080 years',
    'every Monday',
    'every evening at 10am',
    '05.03.2027',
    'Christmas 2028',
  ].map(error),
  ...[
    '26年3月5日',
    '32号',
    '二三天后',
    '零时两两',
    '周六周日',
    '几天后',
    '晚上两点',
    '周末',
    `in ${'9'.repeat(60)} minutes`,
    'tomorrow '.repeat(50),
  ].map(error),
];

function error(time: string): [string, string] {
  return [time, 'error'];
}

test.each(sentences)('"%s" says %s', (sentence, meaning) => {
  expect(said(sentence)).toBe(meaning);
});

test.each(commands)('"%s" means %s in every zone', (time, meaning) => {
  for (const zone of ['Asia/Shanghai', 'Europe/Berlin', 'America/New_York'])
    expect(`${zone} ${commanded(time, zone)}`).toBe(`${zone} ${meaning}`);
});

test.each([
  // Clocks go forward: 02:30 does not exist there and becomes 03:30.
  ['Europe/Berlin', '2027-03-27T12:00', 'tomorrow 2:30', '2027-03-28 03:30'],
  ['Europe/Berlin', '2027-03-27T12:00', '明天凌晨两点半', '2027-03-28 03:30'],
  // A distance in hours is real time: the hour that is left out does not count, the one that comes twice does.
  ['Europe/Berlin', '2027-03-28T01:30', 'in 2 hours', '2027-03-28 04:30'],
  ['America/New_York', '2026-11-01T00:30', '两小时后', '2026-11-01 01:30'],
  // The evening before a change, and just after midnight, a day is a day.
  ['America/New_York', '2027-03-13T23:59', 'tomorrow', '2027-03-14'],
  ['Europe/Berlin', '2026-11-21T00:10', '明天', '2026-11-22'],
  ['Asia/Shanghai', '2026-12-31T23:50', '1月1日', '2027-01-01'],
])('in %s at %s "%s" means %s', (zone, now, time, meaning) => {
  expect(commanded(time, zone, now)).toBe(meaning);
});

test.each([
  ['2026-12-01T09:30:00Z', Date.UTC(2026, 11, 1, 9, 30)],
  ['2026-12-01T09:30+02:00', Date.UTC(2026, 11, 1, 7, 30)],
  ['tomorrow 3pm EST', Date.UTC(2026, 10, 22, 20)],
  // The hour that comes twice is the first one.
  ['2027-10-31 02:30', Date.UTC(2027, 9, 31, 0, 30)],
])('"%s" is one instant', (time, at) => {
  expect(readWhen(time, contextOf('Europe/Berlin', NOW))).toMatchObject({ at });
});

test('an error names the text and shows what can be read, in the language of the caller', () => {
  const context = { now: 0, timezone: 'UTC' };
  expect(readWhen('25:00', { ...context, language: 'en' })).toEqual({ error: expect.stringContaining('"25:00"') });
  expect(readWhen('25:00', { ...context, language: 'zh' })).toEqual({ error: expect.stringContaining('看不懂时间') });
});
