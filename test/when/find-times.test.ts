import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findTimes } from '../../src/when/find-times.ts';
import { hourOf, minutesUntil, withRangeRead } from '../../src/when/hour-said.ts';

/** What is found in a text: `title | day | hour | minutes`, and `?` with what is unclear. */
const read = (text: string): string => {
  const times = withRangeRead(findTimes(text));
  const hour = times.clock === null ? null : hourOf(times.clock, times.part, false);
  const clock = hour?.kind === 'sure' ? hour.clock : hour?.kind === 'either' ? hour.clocks.join('/') : hour?.kind;
  const minutes = times.duration ?? (hour?.kind === 'sure' ? minutesUntil(hour.clock, times) : null);
  const unclear = times.unclear.length === 0 ? '' : ` ? ${times.unclear.join(', ')}`;
  return `${times.rest} | ${times.instant ?? times.day ?? '-'} | ${clock ?? times.part ?? '-'} | ${minutes ?? '-'}${unclear}`;
};

it.each([
  ['下个月三号上午十点去北京', '去北京 | 下个月三号 | 10:00 | -'],
  ['两点到三点半开会', '开会 | - | 02:00/14:00 | -'],
  ['下午两点到三点半开会', '开会 | - | 14:00 | 90'],
  ['上午十一点到一点培训', '培训 | - | 11:00 | 120'],
  ['明晚8点看电影', '看电影 | 明天 | 20:00 | -'],
  ['坐3号线去公司', '坐3号线去公司 | - | - | -'],
  ['买三号电池', '买三号电池 | - | - | -'],
  ['晚一点再说', '晚一点再说 | - | - | -'],
  ['每周一次的例会', '一次的例会 | - | - | - ? 每周'],
  ['月底前交报告', '交报告 | - | - | - ? 月底'],
  ['开会一个半小时', '开会 | - | - | 90'],
  ['三刻钟的课', '课 | - | - | 45'],
  ['tomorrow 2-3:30pm', ' | tomorrow | 14:00 | 90'],
  ['from 11 to 1pm tomorrow', ' | tomorrow | 11:00 | 120'],
  ['from 9 to 5 on friday', ' | friday | 09:00 | 480'],
  ['at quarter to four in the afternoon', ' | - | 15:45 | -'],
  ['3pm in the morning', ' | - | 15:00 | -'],
  ['12 at night', '12 | - | night | -'],
  ['buy the Sunday newspaper', 'buy the Sunday newspaper | - | - | -'],
  ["prepare Monday's meeting", "prepare Monday's meeting | - | - | -"],
  ['the second draft', 'the second draft | - | - | -'],
  ['enjoy the sun and the may flowers', 'enjoy the sun and the may flowers | - | - | -'],
  ['an hour and a half with Tom', 'with Tom | - | - | 90'],
  ['in an hour and a half', ' | in an hour and a half | - | -'],
  ['30 minutes before lunch', 'lunch | - | - | - ? 30 minutes before'],
  ['friday the 13th at noon', ' | friday the 13th | 12:00 | -'],
  ['friday the 13th and monday at noon', 'and | friday the 13th | 12:00 | - ? monday'],
])('"%s" says %s', (text, found) => {
  expect(read(text)).toBe(found);
});

const days = [
  'tomorrow',
  'next friday',
  'on Dec 5',
  'the day after tomorrow',
  'on christmas eve',
  'in 3 days',
  'on 2027-01-05',
];
const clocks = [
  ['at 3pm', '15:00'],
  ['at 15:30', '15:30'],
  ['at noon', '12:00'],
  ['3 in the afternoon', null],
  ["at 3 o'clock", '03:00/15:00'],
  ['at 9', '09:00'],
] as const;
const zhDays = ['明天', '下周五', '12月5日', '大后天', '元旦', '三天后', '下个月三号'];
const zhClocks = [
  ['下午三点', '15:00'],
  ['15:30', '15:30'],
  ['中午', '12:00'],
  ['三点', '03:00/15:00'],
  ['上午九点一刻', '09:15'],
  ['晚上八点半', '20:30'],
] as const;

it('finds the same day, hour and title wherever they stand in a sentence', () => {
  const bare = (day: string): string => day.replace(/^on /, '').replace(/^the /, '');
  fc.assert(
    fc.property(fc.constantFrom(...days), fc.constantFrom(...clocks.filter(([, at]) => at)), (day, [clock, at]) => {
      for (const text of [`dentist ${day} ${clock}`, `dentist ${clock} ${day}`, `${day} ${clock} dentist`]) {
        const [title, found, hour] = read(text).split(' | ');
        expect([title, bare(found!), hour]).toEqual(['dentist', bare(day), at]);
      }
    }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...zhDays), fc.constantFrom(...zhClocks), (day, [clock, at]) => {
      for (const text of [`${day}${clock}看牙医`, `看牙医${day}${clock}`, `${day}看牙医${clock}`])
        expect(read(text)).toBe(`看牙医 | ${day} | ${at} | -`);
    }),
  );
});

it('leaves a text without times as it is', () => {
  const words = fc.constantFrom('milk', 'call', 'them', 'a plan', 'for', 'to', 'the garden', '牛奶', '去', '买');
  fc.assert(
    fc.property(fc.array(words, { maxLength: 8 }), (said) => {
      const text = said.join(' ');
      expect(findTimes(text)).toMatchObject({ rest: text, day: null, clock: null, unclear: [] });
    }),
  );
});
