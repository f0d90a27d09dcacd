import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLeadingWhen, readWhen } from '../../src/when/read-when.ts';

const pieces =
  'in every other 2 99 10080 30 -5 2.5 hours days weeks months years and half a an quarter : / - . 2026 02 29 feb march 5th tomorrow next last friday at 9am 25:00 noon night until Z +99:99 EST UTC+5 CST Asia/Tokyo Europe/X time on to ' +
  '明 后 天 下 上 这 本 个 周 星期 日 末 每 月 号 点 时 分 刻 半 早上 晚上 中午 凌晨 十 二 三十一 零 两 几 小时 后 年 、 到 北京时间 美国时间';
const text = fc
  .array(fc.tuple(fc.constantFrom(...pieces.split(' ')), fc.constantFrom('', ' ')), { maxLength: 9 })
  .map((parts) => parts.flat().join(''));
const context = fc.record({
  now: fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2090, 0, 1) }),
  timezone: fc.constantFrom('Asia/Shanghai', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
  language: fc.constantFrom('en' as const, 'zh' as const),
});

test('whatever is said is refused, or read as a time of the allowed years, which its own words say again', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 40 })), context, (said, around) => {
      const when = readWhen(said, around);
      expect(readWhen(said, around)).toEqual(when);
      if ('error' in when) {
        expect(when.error).not.toBe('');
        return;
      }
      expect(when.at).toBeGreaterThan(Date.UTC(1969, 11, 30));
      const again = readWhen(when.words, around);
      expect(again).toMatchObject({ hasTime: when.hasTime, rrule: when.rrule });
    }),
    { numRuns: 1_500 },
  );
});

test('what follows a time is left as it was said', () => {
  fc.assert(
    fc.property(text, context, (said, around) => {
      const read = readLeadingWhen(said, around);
      if (!('error' in read)) expect(said.trim().endsWith(read.rest)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
