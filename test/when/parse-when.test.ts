import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseWhen } from '../../src/when/parse-when.ts';

/** What a user in `zone` whose clock shows `now` means by a phrase: a day, a time, or nothing that can be read. */
function readAt(phrase: string, zone: string, now: string): string {
  const at = Temporal.PlainDateTime.from(now).toZonedDateTime(zone).epochMilliseconds;
  const when = parseWhen(phrase, { now: at, timezone: zone, language: 'en' });
  if ('error' in when) return 'error';
  const zoned = Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(zone);
  if (!when.hasTime) expect(zoned.toPlainTime().toString()).toBe('00:00:00');
  return when.hasTime
    ? zoned.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ')
    : `${zoned.toPlainDate()}`;
}

/** All said on Saturday 2026-11-21 at 10:30, in each of the zones. */
const phrases: [phrase: string, meaning: string][] = [
  ['2026-12-01 09:30', '2026-12-01 09:30'],
  ['2026-12-01', '2026-12-01'],
  ['2026-12-01T09:30:15', '2026-12-01 09:30'],
  ['2026/12/1 9:30', '2026-12-01 09:30'],
  ['２０２６-１２-０１ ０９：３０', '2026-12-01 09:30'],
  ['2026-12-01 3pm', '2026-12-01 15:00'],
  ['2020-01-01', '2020-01-01'],
  ['today', '2026-11-21'],
  ['today 9am', '2026-11-21 09:00'],
  ['tomorrow', '2026-11-22'],
  ['Tomorrow 3PM', '2026-11-22 15:00'],
  ['tomorrow at 15:30', '2026-11-22 15:30'],
  ['3pm tomorrow', '2026-11-22 15:00'],
  ['tomorrow noon', '2026-11-22 12:00'],
  ['the day after tomorrow 3pm', '2026-11-23 15:00'],
  ['yesterday', '2026-11-20'],
  ['9am', '2026-11-22 09:00'],
  ['11am', '2026-11-21 11:00'],
  ['10:30', '2026-11-22 10:30'],
  ['10:31', '2026-11-21 10:31'],
  ['noon', '2026-11-21 12:00'],
  ['midnight', '2026-11-22 00:00'],
  ['tonight', '2026-11-21 22:00'],
  ['tonight at 8', '2026-11-21 20:00'],
  ['tomorrow morning', '2026-11-22 06:00'],
  ['next friday', '2026-11-27'],
  ['next friday 3pm', '2026-11-27 15:00'],
  ['friday', '2026-11-27'],
  ['saturday', '2026-11-21'],
  ['saturday 9am', '2026-11-28 09:00'],
  ['saturday 11am', '2026-11-21 11:00'],
  ['last friday', '2026-11-20'],
  ['on monday at 9:15', '2026-11-23 09:15'],
  ['March 5', '2027-03-05'],
  ['November 1', '2027-11-01'],
  ['Dec 1 2026 14:00', '2026-12-01 14:00'],
  ['25/12', '2026-12-25'],
  ['in 2 hours', '2026-11-21 12:30'],
  ['in half an hour', '2026-11-21 11:00'],
  ['in an hour and a half', '2026-11-21 12:00'],
  ['90 minutes from now', '2026-11-21 12:00'],
  ['in 2h 15m', '2026-11-21 12:45'],
  ['in 1 day and 2 hours', '2026-11-22 12:30'],
  ['in three days', '2026-11-24'],
  ['in 2 weeks', '2026-12-05'],
  ['in 2 days at 9am', '2026-11-23 09:00'],
  ['next week', '2026-11-28'],
  ['now', '2026-11-21 10:30'],
  ['今天', '2026-11-21'],
  ['明天', '2026-11-22'],
  ['后天', '2026-11-23'],
  ['大后天早上八点', '2026-11-24 08:00'],
  ['昨天', '2026-11-20'],
  ['明天下午三点', '2026-11-22 15:00'],
  ['明天 下午 3点', '2026-11-22 15:00'],
  ['明天下午三点半', '2026-11-22 15:30'],
  ['明天下午三点一刻', '2026-11-22 15:15'],
  ['明天下午三点钟', '2026-11-22 15:00'],
  ['明天15：00', '2026-11-22 15:00'],
  ['下午三点半', '2026-11-21 15:30'],
  ['上午九点', '2026-11-22 09:00'],
  ['中午一点', '2026-11-21 13:00'],
  ['明天中午', '2026-11-22 12:00'],
  ['今晚八点', '2026-11-21 20:00'],
  ['晚8点', '2026-11-21 20:00'],
  ['明天晚上20点', '2026-11-22 20:00'],
  ['今晚十二点', '2026-11-22 00:00'],
  ['明天傍晚六点', '2026-11-22 18:00'],
  ['明早九点', '2026-11-22 09:00'],
  ['凌晨两点', '2026-11-22 02:00'],
  ['周五晚上八点', '2026-11-27 20:00'],
  ['周六上午九点', '2026-11-28 09:00'],
  ['周日早上十点', '2026-11-22 10:00'],
  ['这周日', '2026-11-22'],
  ['下周一', '2026-11-23'],
  ['下周日', '2026-11-29'],
  ['下下周一', '2026-11-30'],
  ['下个星期三下午两点', '2026-11-25 14:00'],
  ['本周五', '2026-11-20'],
  ['周末', '2026-11-21'],
  ['3月5日', '2027-03-05'],
  ['三月五日下午三点', '2027-03-05 15:00'],
  ['12月1日9点30分', '2026-12-01 09:30'],
  ['2026年12月1日 9:30', '2026-12-01 09:30'],
  ['2026-12-01 下午三点', '2026-12-01 15:00'],
  ['25号', '2026-11-25'],
  ['十五号上午十点', '2026-12-15 10:00'],
  ['下个月1号', '2026-12-01'],
  ['半小时后', '2026-11-21 11:00'],
  ['两小时后', '2026-11-21 12:30'],
  ['一个半小时后', '2026-11-21 12:00'],
  ['1小时30分钟后', '2026-11-21 12:00'],
  ['一刻钟后', '2026-11-21 10:45'],
  ['20分钟之后', '2026-11-21 10:50'],
  ['三天后', '2026-11-24'],
  ['两周后', '2026-12-05'],
  ['现在', '2026-11-21 10:30'],
  ['christmas eve at 7pm', '2026-12-24 19:00'],
  ["new year's day", '2027-01-01'],
  ['Christmas 2028', '2028-12-25'],
  ['the 3rd of next month', '2026-12-03'],
  ['on the 15th at 3pm', '2026-12-15 15:00'],
  ['a week from monday', '2026-11-30'],
  ['in two weeks on sunday', '2026-12-06'],
  ['day after tomorrow noon', '2026-11-23 12:00'],
  ['January 1 next year', '2027-01-01'],
  ['Saturday, November 28', '2026-11-28'],
  ['Saturday the 28th 10:00', '2026-11-28 10:00'],
  ['元旦晚上八点', '2027-01-01 20:00'],
  ['明年一月一号', '2027-01-01'],
  ['明年国庆节', '2027-10-01'],
  ['两周后的周日', '2026-12-06'],
  ['两周后 10:00', '2026-12-05 10:00'],
  ['下下个月三号', '2027-01-03'],
];

const unreadable = [
  'in two weeks on thursday',
  '两周后的周四',
  '周五晚上',
  'Friday, November 28',
  'the 31st of this month',
  '',
  'soon',
  '25:00',
  '12:60',
  '2026-02-30',
  '2026-02-30 10:00',
  '2026-13-01',
  '2026-12-01 24:30',
  '2026-12-01T10:00+99:00',
  'feb 30',
  'tomorrow 25:00',
  'tomorrow maybe',
  'tomorrow 3pm with Bob',
  '3pm-5pm',
  '3/5',
  '05.03.2027',
  'may',
  'next month',
  'next year',
  'in a few hours',
  'in 2.5 days',
  'in 99999999 years',
  'in 10080 years in 10080 years',
  '26年3月5日',
  '2月30日',
  '32号',
  '明天25点',
  '几天后',
  '晚上两点',
  '晚一点',
  '以后',
  `in ${'9'.repeat(60)} minutes`,
  'tomorrow '.repeat(50),
];

const zones = ['Asia/Shanghai', 'Europe/Berlin', 'America/New_York'];

describe.each(['UTC', 'America/New_York', 'Asia/Shanghai', 'Pacific/Kiritimati'])('on a host in %s', (host) => {
  const before = process.env['TZ'];
  beforeAll(() => {
    process.env['TZ'] = host;
  });
  afterAll(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });

  test.each(phrases)('"%s" means %s in every user zone', (phrase, meaning) => {
    for (const zone of zones) expect(`${zone} ${readAt(phrase, zone, '2026-11-21T10:30')}`).toBe(`${zone} ${meaning}`);
  });

  test.each(unreadable)('"%s" is not guessed at', (phrase) => {
    for (const zone of zones) expect(readAt(phrase, zone, '2026-11-21T10:30')).toBe('error');
  });

  test.each([
    // Clocks go forward: 02:30 does not exist there and becomes 03:30.
    ['Europe/Berlin', '2027-03-27T12:00', 'tomorrow 2:30', '2027-03-28 03:30'],
    ['Europe/Berlin', '2027-03-27T12:00', '明天凌晨两点半', '2027-03-28 03:30'],
    ['America/New_York', '2027-03-13T12:00', '2027-03-14 02:30', '2027-03-14 03:30'],
    ['Asia/Shanghai', '2027-03-13T12:00', '2027-03-14 02:30', '2027-03-14 02:30'],
    // A distance in hours is real time: the hour that is left out does not count.
    ['Europe/Berlin', '2027-03-28T01:30', 'in 2 hours', '2027-03-28 04:30'],
    ['America/New_York', '2027-03-14T01:30', '两小时后', '2027-03-14 04:30'],
    // Clocks go back: two hours later it is an hour less.
    ['Europe/Berlin', '2026-10-25T01:30', 'in 3 hours', '2026-10-25 03:30'],
    ['America/New_York', '2026-11-01T00:30', 'in 2 hours', '2026-11-01 01:30'],
    // The evening before a change, a day is a day.
    ['Europe/Berlin', '2026-10-24T23:30', 'tomorrow 9am', '2026-10-25 09:00'],
    ['America/New_York', '2027-03-13T23:59', 'tomorrow', '2027-03-14'],
    // Just after midnight tomorrow is still the next day.
    ['Europe/Berlin', '2026-11-21T00:10', '明天', '2026-11-22'],
    ['Europe/Berlin', '2026-11-21T00:10', 'tomorrow', '2026-11-22'],
    ['Asia/Shanghai', '2026-11-22T23:50', '下周一', '2026-11-23'],
    ['Asia/Shanghai', '2026-12-31T23:50', '1月1日', '2027-01-01'],
    // The host's own change of clocks is not the user's.
    ['Asia/Shanghai', '2027-03-14T02:30', 'in 2 hours', '2027-03-14 04:30'],
    ['Asia/Shanghai', '2027-03-14T02:30', '2:45', '2027-03-14 02:45'],
  ])('in %s at %s "%s" means %s', (zone, now, phrase, meaning) => {
    expect(readAt(phrase, zone, now)).toBe(meaning);
  });

  test('the hour that comes twice is the first one', () => {
    const now = Date.UTC(2026, 9, 1);
    expect(parseWhen('2026-10-25 02:30', { now, timezone: 'Europe/Berlin', language: 'en' })).toEqual({
      at: Date.UTC(2026, 9, 25, 0, 30),
      hasTime: true,
    });
  });

  test.each([
    ['2026-12-01T09:30:00Z', Date.UTC(2026, 11, 1, 9, 30)],
    ['2026-12-01T09:30+02:00', Date.UTC(2026, 11, 1, 7, 30)],
    ['tomorrow 3pm UTC', Date.UTC(2026, 10, 22, 15)],
    ['tomorrow 3pm EST', Date.UTC(2026, 10, 22, 20)],
  ])('"%s" keeps the offset that it names', (phrase, at) => {
    const now = Date.UTC(2026, 10, 21, 10, 30);
    expect(parseWhen(phrase, { now, timezone: 'Asia/Shanghai', language: 'en' })).toEqual({ at, hasTime: true });
  });
});

test('an error names the text and shows what can be read, in the language of the caller', () => {
  const context = { now: 0, timezone: 'UTC' };
  expect(parseWhen('25:00', { ...context, language: 'en' })).toEqual({ error: expect.stringContaining('"25:00"') });
  expect(parseWhen('25:00', { ...context, language: 'zh' })).toEqual({ error: expect.stringContaining('看不懂时间') });
});
