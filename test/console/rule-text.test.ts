import { afterEach, expect, it } from 'vitest';
import { consoleLanguage } from './console-language.ts';

const speak = await consoleLanguage();
const { ruleText } = await import('../../src/console/system/rule-text.ts');

afterEach(() => speak('en'));

it.each([
  ['FREQ=DAILY', 'every day', '每天'],
  ['FREQ=WEEKLY;BYDAY=MO', 'every Monday', '每星期一'],
  ['FREQ=WEEKLY;BYDAY=MO,WE,SU', 'every Monday, Wednesday, and Sunday', '每星期一、星期三和星期日'],
  ['FREQ=WEEKLY;BYDAY=1MO', 'FREQ=WEEKLY;BYDAY=1MO', 'FREQ=WEEKLY;BYDAY=1MO'],
  ['FREQ=MONTHLY;BYMONTHDAY=1', 'FREQ=MONTHLY;BYMONTHDAY=1', 'FREQ=MONTHLY;BYMONTHDAY=1'],
])('the rule %s is said as people do, if they do', (rule, english, chinese) => {
  expect(ruleText(rule)).toBe(english);
  speak('zh');
  expect(ruleText(rule)).toBe(chinese);
});
