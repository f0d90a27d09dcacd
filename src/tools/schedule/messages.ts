import type { Language } from '../../../contracts/text.ts';

const options = '[--duration min=60] [--remind when] [--interval min] [--times n|-1] [--remind-start when]';
const chineseOptions = '[--duration 分钟=60] [--remind 时间] [--interval 分钟] [--times n|-1] [--remind-start 时间]';

const textsIn = (language: Language) => {
  const say = <Text>(english: Text, chinese: Text): Text => (language === 'zh' ? chinese : english);
  return {
    summary: say(
      "The user's calendar: add, show, change and delete events, with repetition and reminders; overlaps are reported.",
      '用户的日程：添加、查看、修改和删除，可重复、可提醒，并报告时间冲突。',
    ),
    usage: {
      add: say(`/schedule add <when> <title> ${options}`, `/schedule add <时间> <标题> ${chineseOptions}`),
      list: '/schedule list',
      get: say('/schedule get <id>', '/schedule get <编号>'),
      view: say('/schedule view <day|week|month> [date]', '/schedule view <day|week|month> [日期]'),
      update: say(
        `/schedule update <id> [when] [title] ${options}`,
        `/schedule update <编号> [时间] [标题] ${chineseOptions}`,
      ),
      repeat: say('/schedule repeat <id> <on|off>', '/schedule repeat <编号> <on|off>'),
      delete: say('/schedule delete <id>...', '/schedule delete <编号>…'),
    },
    usageNotes: say(
      `<when> is a time in figures or words of English or Chinese ("2026-12-01 09:30", "tomorrow 3pm"), and may repeat: "every Monday 9am".
--remind comes once, or before each time of an event that repeats. With --remind or --remind-start, --interval and --times repeat the
reminder: every so many minutes, n times in all (-1 or left out: without end). Without them they repeat the event itself.
repeat off: only the first time of the event and of its reminder counts. An hour that a clock change leaves out moves with the change.`,
      `<时间> 可以用数字或文字书写（"2026-12-01 09:30"、"tomorrow 3pm"、明天下午三点），也可以重复：每周一上午九点、"every Monday 9am"。
--remind 提醒一次；日程重复时，每次之前都提醒。写了 --remind 或 --remind-start 时，--interval 和 --times 让提醒重复：
每隔若干分钟，共 n 次（-1 或不写：没有尽头）。没有写时，它们让日程本身重复。
repeat off：只有日程及其提醒的第一次有效。时钟调整跳过的时刻随之顺延。`,
    ),
    goals: {
      usage: {
        goal: say(
          '/schedule goal <when> <goal> [--interval min] [--times n|-1]',
          '/schedule goal <时间> <目标> [--interval 分钟] [--times n|-1]',
        ),
        goals: say('/schedule goals [delete <id>...]', '/schedule goals [delete <编号>…]'),
      },
      usageNotes: say(
        `goal: at its time the service works on the goal in this session, as if you had sent it then, and asks where it must. A time is skipped
while the goal's last run is not over.`,
        'goal：到时间后，服务在本会话中执行该目标，如同你那时发送它，需要时会提问。上一次还没结束时，跳过这一次。',
      ),
      added: (line: string) => say(`Scheduled ${line}`, `已安排 ${line}`),
      deleted: (line: string) => say(`Deleted ${line}`, `已删除 ${line}`),
      notFound: (id: string) => say(`There is no goal ${id}.`, `没有目标 ${id}。`),
      missing: say('The goal is missing.', '缺少目标。'),
      tooLong: (max: number) => say(`A goal has at most ${max} characters.`, `目标最多 ${max} 个字符。`),
      passed: say('This time has passed.', '这个时间已经过去。'),
      full: (max: number) =>
        say(
          `There are ${max} goals already: delete some first, with /schedule goals delete.`,
          `目标已有 ${max} 个：请先用 /schedule goals delete 删除一些。`,
        ),
      list: say('Goals', '目标'),
      emptyList: say('No goal is scheduled.', '没有安排目标。'),
    },
    added: (line: string) => say(`Added ${line}`, `已添加 ${line}`),
    updated: (line: string) => say(`Updated ${line}`, `已更新 ${line}`),
    deleted: (id: number, title: string) => say(`Deleted #${id} ${title}`, `已删除 #${id} ${title}`),
    repetitionOn: (line: string) => say(`Repetition on: ${line}`, `已开启重复：${line}`),
    repetitionOff: (line: string) => say(`Repetition off: ${line}`, `已关闭重复：${line}`),
    notFound: (id: string) => say(`There is no event ${id}.`, `没有日程 ${id}。`),
    missingTime: say('The time is missing, such as "tomorrow 3pm".', '缺少时间，例如“明天下午三点”。'),
    missingTimeOfDay: say('The time of day is missing, such as "tomorrow 3pm".', '缺少几点，例如“明天下午三点”。'),
    missingTitle: say('The title is missing.', '缺少标题。'),
    titleTooLong: (max: number) => say(`A title has at most ${max} characters.`, `标题最多 ${max} 个字符。`),
    invalidSwitch: say('Expected on or off.', '请写 on 或 off。'),
    noRepetition: (id: number) => say(`#${id} has no repetition.`, `#${id} 没有设置重复。`),
    invalidTimes: say('--times must be -1 or above 0.', '--times 必须是 -1 或大于 0。'),
    timesNeedInterval: say('--times needs --interval.', '--times 要和 --interval 一起用。'),
    reminderRepeatsWithEvent: say(
      'The event repeats, and its reminder with it: leave out --interval.',
      '日程本身会重复，提醒也随之重复：请去掉 --interval。',
    ),
    timeRepeats: say(
      'The time already says how it repeats: leave out --interval.',
      '时间里已经写了重复方式：请去掉 --interval。',
    ),
    intervalTooShort: (duration: number, interval: number) =>
      say(
        `An event of ${duration} min can't repeat every ${interval} min; --interval for its reminder needs --remind or --remind-start.`,
        `${duration} 分钟的日程不能每 ${interval} 分钟重复；若是提醒的间隔，请加上 --remind 或 --remind-start。`,
      ),
    reminderNeverDue: say('This reminder could never come due.', '这个提醒永远不会到来。'),
    every: (minutes: number) => say(`every ${minutes} min`, `每 ${minutes} 分钟`),
    times: (count: number) => say(`, ${count} times`, `，共 ${count} 次`),
    switchedOff: say('(off)', '（已关闭）'),
    past: say('(past)', '（已过去）'),
    remind: (time: string) => say(`remind ${time}`, `提醒 ${time}`),
    list: say('Schedule', '日程'),
    emptyList: say('The schedule is empty.', '没有日程。'),
    missingSpan: say('Expected day, week or month.', '请写 day、week 或 month。'),
    overlaps: (event: string) => say(`Overlaps with ${event}`, `时间冲突：${event}`),
    tooMany: (max: number) =>
      say(
        `There are ${max} events already: delete some first, such as those that are past.`,
        `日程已有 ${max} 条：请先删除一些，例如已过去的。`,
      ),
    tooManyRepeating: (max: number) =>
      say(
        `There are ${max} repeating events already: delete one first, or switch its repetition off.`,
        `重复的日程已有 ${max} 条：请先删除一条，或关闭它的重复。`,
      ),
    overlapTimesOrMore: (count: number) => say(`  (${count} times or more)`, `  （至少 ${count} 次）`),
    overlapTimes: (count: number) => say(`  (${count} times)`, `  （共 ${count} 次）`),
  };
};

const texts = { en: textsIn('en'), zh: textsIn('zh') };

/** The texts of the calendar. `line` is an event as one line. */
export const scheduleMessages = (language: Language) => texts[language];
