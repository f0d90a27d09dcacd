import type { when as english } from '../en/when.ts';

const examples =
  '"2026-12-01 09:30", "tomorrow 3pm", "next friday 8:00", "in 2 hours", "明天下午三点", "2026-12-01 09:30 Asia/Tokyo"';

export const when = {
  weekdays: ['周一', '周二', '周三', '周四', '周五', '周六', '周日'],
  withWeekday: (time, weekday) => `${time}（${weekday}）`,
  unreadable: (text) => `看不懂时间“${text}”。可以这样写：${examples}`,
  either: (text, times) => `“${text}”可能是 ${times.join(' 或 ')}，请写明是哪一个。`,
  unreadableAfterTime: (option, text) => `--${option}：看不懂时间后面的“${text}”。`,
  passed: (option, time) => `--${option}：${time} 已经过去了。`,
  everyDay: (isAlternate) => (isAlternate ? '每隔一天' : '每天'),
  everyWeek: (isAlternate, weekdays) => `${isAlternate ? '每隔一周的' : '每'}${weekdays.join('、')}`,
  everyMonth: (isAlternate, day) => `${isAlternate ? '每隔一月' : '每月'}${day}日`,
} satisfies typeof english;
