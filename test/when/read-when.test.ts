import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { findTimes } from '../../src/when/find-times.ts';
import { readWhen, settle, todayOf } from '../../src/when/read-when.ts';

const NOW = '2026-11-21T10:30';

const contextOf = (timezone: string, now: string) => ({
  timezone,
  language: 'en' as const,
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
  // A zone is read where an hour stands beside it, asked about where it is not certain, and else part of the title.
  ['2027-01-05 10:00 UTC standup', 'standup | 2027-01-05 11:00'],
  ['sync tomorrow 3pm Mumbai time', 'sync | 2026-11-22 10:30'],
  ['明天下午三点 UTC 开会', '开会 | 2026-11-22 16:00'],
  ['明天北京时间下午三点开会', '开会 | 2026-11-22 08:00'],
  ['明天下午三点美国时间开会', '开会 | unclear? 美国时间'],
  ['a call tomorrow 3pm IST', 'a call | unclear? IST'],
  ['call about the UTC migration tomorrow 3pm', 'call about the UTC migration | 2026-11-22 15:00'],
  ['standup every day at 9am Asia/Tokyo', 'standup | every day 09:00 Asia/Tokyo'],
  // The small hours of a night are the next day's; other contradictions are asked about.
  ['a flight tomorrow night at 2am', 'a flight | 2026-11-23 02:00'],
  ['poker every Friday night at 1am', 'poker | unclear? every Friday night'],
  ['tomorrow evening 8am run', 'run | unclear? 8am'],
  ['明天凌晨14点开会', '开会 | unclear? 凌晨14点'],
  ['watch the noon tomorrow T20 match', 'watch the T20 match | 2026-11-22 12:00'],
  ['run every day at 9am until Friday', 'run | unclear? at 9am until Friday'],
  ['run every day at 9am until my marathon', 'run until my marathon | unclear? until my marathon'],
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
  ['2026-12-01 09:00-10:00', '2026-12-01 09:00'],
  ['Friday night at 1am', '2026-11-28 01:00'],
  ['Dec 5 night at 1am', '2026-12-06 01:00'],
  ['tonight 12am', '2026-11-22 00:00'],
  ['tomorrow night at midnight', '2026-11-23 00:00'],
  ['Friday night at 6pm', '2026-11-27 18:00'],
  ['tomorrow morning at 1am', '2026-11-22 01:00'],
  ['明晚0点', '2026-11-23 00:00'],
  ...['tomorrow evening 8am', 'tomorrow morning 3pm', 'tomorrow afternoon at 2am', '明天早上15点'].map(error),
  ...['every Friday night at 1am', '每周五晚上十二点', 'noon tomorrow 20:00', 'noon tomorrow T20'].map(error),
  ...['every day at 9am until Friday', 'every monday at 10am until december', 'every friday at 9am until 2027'].map(
    error,
  ),
  ...['每天早上九点到周五', '每周一早上九点直到下周五', 'every day at 9am until I quit'].map(error),
  ...['10:00 CST', '10:00 Europe/Berln', '10:00 US time', '10:00 UTC+15', '10:00 UTC (JST)', '3pm CT scan'].map(error),
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
  // In the small hours themselves "tonight" may be this night or the next one.
  ['Europe/Berlin', '2026-11-21T00:30', 'tonight at 2am', 'error'],
  ['Europe/Berlin', '2026-11-21T00:30', 'Friday night at 2am', 'error'],
  ['Europe/Berlin', '2026-11-21T23:30', 'tonight at 2am', '2026-11-22 02:00'],
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
  ['2027-01-05 10:00 GMT', Date.UTC(2027, 0, 5, 10)],
  ['2027-01-05 10:00 (JST)', Date.UTC(2027, 0, 5, 1)],
  ['2027-07-05 10:00 America/New_York', Date.UTC(2027, 6, 5, 14)],
  ['2027-01-05 10:00 UTC+5:30', Date.UTC(2027, 0, 5, 4, 30)],
  ['2027-01-05 10:00:00-05:00', Date.UTC(2027, 0, 5, 15)],
  ['tomorrow 3pm pst', Date.UTC(2026, 10, 22, 23)],
  ['tomorrow 3pm CT', Date.UTC(2026, 10, 22, 21)],
  ['tomorrow 3pm New York time', Date.UTC(2026, 10, 22, 20)],
  ['tomorrow 3pm Pacific Standard Time', Date.UTC(2026, 10, 22, 23)],
  ['every day at 9am UTC', Date.UTC(2026, 10, 22, 9)],
  ['9am-10am UTC tomorrow', Date.UTC(2026, 10, 22, 9)],
  ['美国东部时间明天下午三点', Date.UTC(2026, 10, 22, 20)],
  // 10:00 in Tokyo has passed today, 19:00 has not.
  ['10:00 JST', Date.UTC(2026, 10, 22, 1)],
  ['19:00 JST', Date.UTC(2026, 10, 21, 10)],
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
