const examples =
  '"2026-12-01 09:30", "tomorrow 3pm", "next friday 8:00", "in 2 hours", "明天下午三点", "2026-12-01 09:30 Asia/Tokyo"';

/** How times are shown, and what is reported where one cannot be used. */
export const when = {
  weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  withWeekday: (time: string, weekday: string) => `${time} (${weekday})`,
  unreadable: (text: string) => `Can't read "${text}" as a date or time. These can be read: ${examples}`,
  either: (text: string, times: string[]) => `"${text}" may be ${times.join(' or ')}: write one of these.`,
  unreadableAfterTime: (option: string, text: string) => `--${option}: "${text}" after the time can't be read.`,
  passed: (option: string, time: string) => `--${option}: ${time} has passed.`,
  everyDay: (isAlternate: boolean): string => (isAlternate ? 'every other day' : 'every day'),
  everyWeek: (isAlternate: boolean, weekdays: string[]) =>
    `${isAlternate ? 'every other' : 'every'} ${weekdays.join(', ')}`,
  everyMonth: (isAlternate: boolean, day: string) => `${isAlternate ? 'every other' : 'every'} month on day ${day}`,
};
