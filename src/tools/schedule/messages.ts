import type { Language } from '../../../contracts/text.ts';

const options = '[--duration min=60] [--remind when] [--interval min] [--times n|-1] [--remind-start when]';
const chineseOptions = '[--duration 分钟=60] [--remind 时间] [--interval 分钟] [--times n|-1] [--remind-start 时间]';

const english = {
  summary:
    "The user's calendar: add, show, change and delete events, with repetition and reminders; overlaps are reported.",
  usage: {
    add: `/schedule add <when> <title> ${options}`,
    list: '/schedule list',
    get: '/schedule get <id>',
    view: '/schedule view <day|week|month> [date]',
    update: `/schedule update <id> [when] [title] ${options}`,
    repeat: '/schedule repeat <id> <on|off>',
    delete: '/schedule delete <id>...',
  },
  usageNotes: `<when> is a time in figures or words of English or Chinese ("2026-12-01 09:30", "tomorrow 3pm"), and may repeat: "every Monday 9am".
--remind comes once, or before each time of an event that repeats. With --remind or --remind-start, --interval and --times repeat the
reminder: every so many minutes, n times in all (-1 or left out: without end). Without them they repeat the event itself.
repeat off: only the first time of the event and of its reminder counts. An hour that a clock change leaves out moves with the change.`,
  added: (line: string) => `Added ${line}`,
  updated: (line: string) => `Updated ${line}`,
  deleted: (id: number, title: string) => `Deleted #${id} ${title}`,
  repetitionOn: (line: string) => `Repetition on: ${line}`,
  repetitionOff: (line: string) => `Repetition off: ${line}`,
  notFound: (id: string) => `There is no event ${id}.`,
  missingTime: 'The time is missing, such as "tomorrow 3pm".',
  missingTimeOfDay: 'The time of day is missing, such as "tomorrow 3pm".',
  missingTitle: 'The title is missing.',
  titleTooLong: (max: number) => `A title has at most ${max} characters.`,
  invalidSwitch: 'Expected on or off.',
  noRepetition: (id: number) => `#${id} has no repetition.`,
  invalidTimes: '--times must be -1 or above 0.',
  timesNeedInterval: '--times needs --interval.',
  reminderRepeatsWithEvent: 'The event repeats, and its reminder with it: leave out --interval.',
  timeRepeats: 'The time already says how it repeats: leave out --interval.',
  intervalTooShort: (duration: number, interval: number) =>
    `An event of ${duration} min can't repeat every ${interval} min; --interval for its reminder needs --remind or --remind-start.`,
  reminderNeverDue: 'This reminder could never come due.',
  every: (minutes: number) => `every ${minutes} min`,
  times: (count: number) => `, ${count} times`,
  switchedOff: '(off)',
  past: '(past)',
  remind: (time: string) => `remind ${time}`,
  list: 'Schedule',
  emptyList: 'The schedule is empty.',
  missingSpan: 'Expected day, week or month.',
  overlaps: (event: string) => `Overlaps with ${event}`,
  tooMany: (max: number) => `There are ${max} events already: delete some first, such as those that are past.`,
  tooManyRepeating: (max: number) =>
    `There are ${max} repeating events already: delete one first, or switch its repetition off.`,
  overlapTimesOrMore: (count: number) => `  (${count} times or more)`,
  overlapTimes: (count: number) => `  (${count} times)`,
};

const chinese: typeof english = {
  summary: '用户的日程：添加、查看、修改和删除，可重复、可提醒，并报告时间冲突。',
  usage: {
    add: `/schedule add <时间> <标题> ${chineseOptions}`,
    list: '/schedule list',
    get: '/schedule get <编号>',
    view: '/schedule view <day|week|month> [日期]',
    update: `/schedule update <编号> [时间] [标题] ${chineseOptions}`,
    repeat: '/schedule repeat <编号> <on|off>',
    delete: '/schedule delete <编号>…',
  },
  usageNotes: `<时间> 可以用数字或文字书写（"2026-12-01 09:30"、"tomorrow 3pm"、明天下午三点），也可以重复：每周一上午九点、"every Monday 9am"。
--remind 提醒一次；日程重复时，每次之前都提醒。写了 --remind 或 --remind-start 时，--interval 和 --times 让提醒重复：
每隔若干分钟，共 n 次（-1 或不写：没有尽头）。没有写时，它们让日程本身重复。
repeat off：只有日程及其提醒的第一次有效。时钟调整跳过的时刻随之顺延。`,
  added: (line) => `已添加 ${line}`,
  updated: (line) => `已更新 ${line}`,
  deleted: (id, title) => `已删除 #${id} ${title}`,
  repetitionOn: (line) => `已开启重复：${line}`,
  repetitionOff: (line) => `已关闭重复：${line}`,
  notFound: (id) => `没有日程 ${id}。`,
  missingTime: '缺少时间，例如“明天下午三点”。',
  missingTimeOfDay: '缺少几点，例如“明天下午三点”。',
  missingTitle: '缺少标题。',
  titleTooLong: (max) => `标题最多 ${max} 个字符。`,
  invalidSwitch: '请写 on 或 off。',
  noRepetition: (id) => `#${id} 没有设置重复。`,
  invalidTimes: '--times 必须是 -1 或大于 0。',
  timesNeedInterval: '--times 要和 --interval 一起用。',
  reminderRepeatsWithEvent: '日程本身会重复，提醒也随之重复：请去掉 --interval。',
  timeRepeats: '时间里已经写了重复方式：请去掉 --interval。',
  intervalTooShort: (duration, interval) =>
    `${duration} 分钟的日程不能每 ${interval} 分钟重复；若是提醒的间隔，请加上 --remind 或 --remind-start。`,
  reminderNeverDue: '这个提醒永远不会到来。',
  every: (minutes) => `每 ${minutes} 分钟`,
  times: (count) => `，共 ${count} 次`,
  switchedOff: '（已关闭）',
  past: '（已过去）',
  remind: (time) => `提醒 ${time}`,
  list: '日程',
  emptyList: '没有日程。',
  missingSpan: '请写 day、week 或 month。',
  overlaps: (event) => `时间冲突：${event}`,
  tooMany: (max: number) => `日程已有 ${max} 条：请先删除一些，例如已过去的。`,
  tooManyRepeating: (max: number) => `重复的日程已有 ${max} 条：请先删除一条，或关闭它的重复。`,
  overlapTimesOrMore: (count: number) => `  （至少 ${count} 次）`,
  overlapTimes: (count) => `  （共 ${count} 次）`,
};

/** The texts of the calendar. `line` is an event as one line. */
export const scheduleMessages = (language: Language): typeof english => (language === 'zh' ? chinese : english);
