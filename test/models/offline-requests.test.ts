import { describe, expect, it } from 'vitest';
import { openOfflineSession } from './offline-session.ts';

/** What came of a request, said on Saturday 2026-11-21 at 10:30 in Berlin: the line of the entry that it made, or `?` and the question with its options. */
const outcomeOf = async (text: string): Promise<string> => {
  const { question, options, results } = await openOfflineSession().say(text);
  if (question !== null) return ['?', question, ...(options.length > 0 ? [options.join(' · ')] : [])].join(' ');
  return results.map((result) => result.replace(/^(?:Added|已添加) /, '').split('\n')[0]).join(' and ');
};

describe('a time that is understood wholly is written as it was meant', () => {
  it.each([
    ['安排下个月三号上午十点去北京', '#1 去北京  2026-12-03 10:00–11:00（周四）'],
    ['安排元旦晚上八点聚会', '#1 聚会  2027-01-01 20:00–21:00（周五）'],
    ['christmas dinner on christmas eve at 7pm', '#1 christmas dinner  2026-12-24 19:00–20:00 (Thu)'],
    ['下周五下午两点到三点半和王总通话', '#1 和王总通话  2026-11-27 14:00–15:30（周五）'],
    ['a call next friday from 2 to 3:30pm', '#1 call  2026-11-27 14:00–15:30 (Fri)'],
    ['明天下午三点安排理发半小时', '#1 理发  2026-11-22 15:00–15:30（周日）'],
    ['a 30 minute call with Max on Monday at 9am', '#1 call with Max  2026-11-23 09:00–09:30 (Mon)'],
    [
      'remind me every monday at 8 to put out the bins',
      '#1 put out the bins  2026-11-23 08:00–08:15 (Mon)  every Mon  remind 2026-11-23 08:00 (Mon)',
    ],
    ['帮我记一下明天下午三点和王经理开会', '#1 和王经理开会  2026-11-22 15:00–16:00（周日）'],
    ['大后天中午和小王吃饭', '#1 和小王吃饭  2026-11-24 12:00–13:00（周二）'],
    ['schedule a check-up next month on the 15th at 8:30am', '#1 check-up  2026-12-15 08:30–09:30 (Tue)'],
    ["schedule dinner with mom on new year's eve at 8pm", '#1 dinner with mom  2026-12-31 20:00–21:00 (Thu)'],
    ["schedule a photo shoot on valentine's day at noon", '#1 photo shoot  2027-02-14 12:00–13:00 (Sun)'],
    [
      'schedule a call with Bo the day after tomorrow at half past two in the afternoon',
      '#1 call with Bo  2026-11-23 14:30–15:30 (Mon)',
    ],
    ['schedule training on Dec 3 from 9:30 to 11am', '#1 training  2026-12-03 09:30–11:00 (Thu)'],
    ['meeting with Bob at 15:00 on 2026-12-01', '#1 meeting with Bob  2026-12-01 15:00–16:00 (Tue)'],
    ['schedule yoga every weekday at 7am', '#1 yoga  2026-11-23 07:00–08:00 (Mon)  every Mon, Tue, Wed, Thu, Fri'],
    ['schedule a sync every other friday at 5pm', '#1 sync  2026-11-27 17:00–18:00 (Fri)  every other Fri'],
    ['team lunch on the 30th at 12:15pm', '#1 team lunch  2026-11-30 12:15–13:15 (Mon)'],
    ['remind me in half an hour to check the oven', '#1 check the oven  remind 2026-11-21 11:00 (Sat)'],
    ['remind me to call dad tomorrow evening at 7', '#1 call dad  remind 2026-11-22 19:00 (Sun)'],
    ['schedule a two-hour workshop on thursday at 1pm', '#1 workshop  2026-11-26 13:00–15:00 (Thu)'],
    [
      'set up a call with Ann next Monday at 10am for an hour and a half',
      '#1 call with Ann  2026-11-23 10:00–11:30 (Mon)',
    ],
    ['add a todo to pay rent by Friday', '#1 pay rent  due 2026-11-27 (Fri)'],
    ['add a todo to renew the passport before January 5', '#1 renew the passport  due 2027-01-05 (Tue)'],
    ['add a todo to water the plants for 10 minutes', '#1 water the plants for 10 minutes'],
    ['dentist tomorrow 3pm', '#1 dentist  2026-11-22 15:00–16:00 (Sun)'],
    ['call mom in two hours', '#1 call mom  2026-11-21 12:30–13:30 (Sat)'],
    ['安排平安夜晚上七点半吃圣诞大餐', '#1 吃圣诞大餐  2026-12-24 19:30–20:30（周四）'],
    ['安排国庆节上午十点升旗', '#1 升旗  2027-10-01 10:00–11:00（周五）'],
    ['安排明年一月一号上午九点半跑步', '#1 跑步  2027-01-01 09:30–10:30（周五）'],
    ['安排每周三下午两点到四点的组会', '#1 组会  2026-11-25 14:00–16:00（周三）  每周三'],
    ['安排每周一三五早上七点游泳', '#1 游泳  2026-11-23 07:00–08:00（周一）  每周一、周三、周五'],
    ['安排隔周周五下午四点的复盘', '#1 复盘  2026-11-27 16:00–17:00（周五）  每隔一周的周五'],
    ['预约下周二上午九点半的体检', '#1 体检  2026-11-24 09:30–10:30（周二）'],
    ['后天傍晚六点和客户吃饭两小时', '#1 和客户吃饭  2026-11-23 18:00–20:00（周一）'],
    ['11月28号晚7点看电影', '#1 看电影  2026-11-28 19:00–20:00（周六）'],
    ['三天后下午五点开家长会', '#1 开家长会  2026-11-24 17:00–18:00（周二）'],
    ['明天9:30-10:30面试', '#1 面试  2026-11-22 09:30–10:30（周日）'],
    ['每天晚上九点提醒我吃药', '#1 吃药  2026-11-21 21:00–21:15（周六）  每天  提醒 2026-11-21 21:00（周六）'],
    ['半小时后提醒我关火', '#1 关火  提醒 2026-11-21 11:00（周六）'],
    ['提醒我大后天早上八点交材料', '#1 交材料  提醒 2026-11-24 08:00（周二）'],
    ['周六中午十二点半聚餐', '#1 聚餐  2026-11-21 12:30–13:30（周六）'],
    ['下下周三下午4点到5点和李总通话', '#1 和李总通话  2026-12-02 16:00–17:00（周三）'],
    ['添加待办：12月3日前交报告', '#1 交报告  截止 2026-12-03（周四）'],
    ['今晚八点半给妈妈打电话', '#1 给妈妈打电话  2026-11-21 20:30–21:30（周六）'],
    ['安排情人节晚上七点约会', '#1 约会  2027-02-14 19:00–20:00（周日）'],
    ['星期天早上十点去教堂', '#1 去教堂  2026-11-22 10:00–11:00（周日）'],
    ['schedule a haircut for Saturday the 28th at 10am', '#1 haircut  2026-11-28 10:00–11:00 (Sat)'],
    ['schedule a call on Monday, December 7 at 10am', '#1 call  2026-12-07 10:00–11:00 (Mon)'],
    ['I have a dentist appointment on Thursday at 2pm', '#1 dentist appointment  2026-11-26 14:00–15:00 (Thu)'],
    ['schedule a 2.5 hour workshop on friday at 1pm', '#1 workshop  2026-11-27 13:00–15:30 (Fri)'],
    ['add a todo to buy 1.5 l milk', '#1 buy 1.5 l milk'],
    ['schedule a call at 1500 tomorrow', '#1 call  2026-11-22 15:00–16:00 (Sun)'],
    ['提醒我12月5号下午3点30分开会', '#1 开会  提醒 2026-12-05 15:30（周六）'],
    ['安排周五下午3:30评审', '#1 评审  2026-11-27 15:30–16:30（周五）'],
    ['两个小时后开会', '#1 开会  2026-11-21 12:30–13:30（周六）'],
  ])('%s', async (text, outcome) => {
    expect(await outcomeOf(text)).toBe(outcome);
  });
});

describe('a time that is not, or may be two, is asked about', () => {
  it.each([
    ["3 o'clock in the afternoon tomorrow", "? What is the event called? (“3 o'clock in the afternoon tomorrow”)"],
    ['day after tomorrow noon', '? What is the event called? (“day after tomorrow noon”)'],
    ['两周后的周四上午十点', '? 这个日程叫什么？（“两周后的周四上午十点”）'],
    ['明年一月一号', '? 这个日程叫什么？（“明年一月一号”）'],
    ['两周后的周四上午十点去体检', '? 没有看懂“两周后的周四”。请问“去体检”在什么时间？例如：明天15:00。'],
    [
      'review in two weeks on Thursday at 3pm',
      '? I did not understand “in two weeks on Thursday”. When is “review”, for example tomorrow 15:00?',
    ],
    ['schedule a meeting tomorrow at 3', '? Which time do you mean for “meeting”: 03:00 or 15:00? 03:00 · 15:00'],
    ['meet Sara at 6:30 tomorrow', '? Which time do you mean for “meet Sara”: 06:30 or 18:30? 06:30 · 18:30'],
    ['schedule dinner on friday at 8', '? Which time do you mean for “dinner”: 08:00 or 20:00? 08:00 · 20:00'],
    ['schedule a meeting on friday afternoon', '? At what time of day is “meeting”?'],
    [
      'schedule a call tomorrow at midnight',
      '? I did not understand “at midnight”. When is “call”, for example tomorrow 15:00?',
    ],
    [
      'schedule a meeting next month',
      '? I did not understand “next month”. When is “meeting”, for example tomorrow 15:00?',
    ],
    [
      'schedule a meeting on the first monday of next month at 10am',
      '? I did not understand “the first monday of next month”. When is “meeting”, for example tomorrow 15:00?',
    ],
    [
      'schedule training from Monday to Friday at 9am',
      '? I did not understand “Friday”. When is “training”, for example tomorrow 15:00?',
    ],
    ['schedule a call on 3/5 at 2pm', '? I did not understand “3/5”. When is “call”, for example tomorrow 15:00?'],
    [
      'schedule a flight tomorrow at 25:00',
      '? I did not understand “at 25:00”. When is “flight”, for example tomorrow 15:00?',
    ],
    [
      'schedule a meeting on feb 30 at 10am',
      '? I did not understand “feb 30”. When is “meeting”, for example tomorrow 15:00?',
    ],
    [
      'schedule a meeting yesterday at 10am',
      '? The time of “meeting” could not be used: it has passed. When is it instead?',
    ],
    [
      'schedule lunch this weekend',
      '? I did not understand “this weekend”. When is “lunch”, for example tomorrow 15:00?',
    ],
    [
      'schedule a call at 3pm CET tomorrow',
      '? I did not understand “CET”. When is “call”, for example tomorrow 15:00?',
    ],
    [
      'schedule a haircut for Friday the 28th at 10am',
      '? I did not understand “Friday the 28th”. When is “haircut”, for example tomorrow 15:00?',
    ],
    [
      'schedule a party on easter at noon',
      '? I did not understand “easter”. When is “party”, for example tomorrow 15:00?',
    ],
    [
      "new year's eve party at 8pm",
      "? I did not understand “new year's eve”. When is “new year's eve party”, for example tomorrow 15:00?",
    ],
    [
      'christmas dinner at 7pm',
      '? I did not understand “christmas”. When is “christmas dinner”, for example tomorrow 15:00?',
    ],
    ['remind me tomorrow morning to call the bank', '? At what time of day is “call the bank”?'],
    [
      'add a todo to submit the report by the end of the month',
      '? I did not understand “the end of the month”. When is “submit the report”, for example tomorrow 15:00?',
    ],
    ['add a todo to call Bob at 5', '? Which time do you mean for “call Bob”: 05:00 or 17:00? 05:00 · 17:00'],
    ['gym in the morning', '? At what time of day is “gym”?'],
    [
      'a meeting with Bob before friday at 3pm',
      '? I did not understand “before”. When is “meeting with Bob before”, for example tomorrow 15:00?',
    ],
    ['安排明天三点开会', '? “开会”是 03:00 还是 15:00？ 03:00 · 15:00'],
    ['安排周五下午开会', '? 请问“开会”是几点？'],
    ['安排下周三三点一刻的评审', '? “评审”是 03:15 还是 15:15？ 03:15 · 15:15'],
    ['安排春节聚会', '? 没有看懂“春节”。请问“聚会”在什么时间？例如：明天15:00。'],
    ['安排除夕晚上六点年夜饭', '? 没有看懂“除夕”。请问“年夜饭”在什么时间？例如：明天15:00。'],
    ['下周末去爬山', '? 没有看懂“下周末”。请问“去爬山”在什么时间？例如：明天15:00。'],
    ['月底前交报告', '? 没有看懂“月底”。请问“交报告”在什么时间？例如：明天15:00。'],
    ['今晚十二点放烟花', '? 没有看懂“十二点”。请问“放烟花”在什么时间？例如：明天15:00。'],
    ['明天半夜两点看球', '? 没有看懂“半夜”。请问“看球”在什么时间？例如：明天15:00。'],
    ['明天下午六点吃饭，周五也行', '? 没有看懂“周五”。请问“吃饭， 也行”在什么时间？例如：明天15:00。'],
    ['安排下个月开会', '? 没有看懂“下个月”。请问“开会”在什么时间？例如：明天15:00。'],
    ['提醒我后天给妈妈打电话', '? 请问“给妈妈打电话”是几点？'],
    ['安排七点晚饭', '? “晚饭”是 07:00 还是 19:00？ 07:00 · 19:00'],
    ['每周的例会', '? 没有看懂“每周”。请问“例会”在什么时间？例如：明天15:00。'],
    ['安排昨天下午三点开会', '? “开会”的时间无法使用：已经过去了。改到什么时间？'],
    ['安排明天25点开会', '? 没有看懂“25点”。请问“开会”在什么时间？例如：明天15:00。'],
    ['安排2月30日上午十点开会', '? 没有看懂“2月30日”。请问“开会”在什么时间？例如：明天15:00。'],
    ['安排下周一和周二上午九点培训', '? 没有看懂“周二上午”。请问“和培训”在什么时间？例如：明天15:00。'],
    ['过几天去看牙医', '? 没有看懂“过几天”。请问“去看牙医”在什么时间？例如：明天15:00。'],
    ['安排中秋节晚上赏月', '? 没有看懂“中秋节”。请问“赏月”在什么时间？例如：明天15:00。'],
    ['安排12/5下午三点的会', '? 没有看懂“12/5”。请问“会”在什么时间？例如：明天15:00。'],
    ['schedule a call 12-05 at 3pm', '? I did not understand “12-05”. When is “call”, for example tomorrow 15:00?'],
    ['add a todo to pay rent 12/5', '? I did not understand “12/5”. When is “pay rent”, for example tomorrow 15:00?'],
    ['schedule a call tomorrow 3', '? Which time do you mean for “call”: 03:00 or 15:00? 03:00 · 15:00'],
  ])('%s', async (text, outcome) => {
    expect(await outcomeOf(text)).toBe(outcome);
  });
});
