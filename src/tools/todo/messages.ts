import type { Language } from '../../../contracts/text.ts';

const textsIn = (language: Language) => {
  const say = <Text>(english: Text, chinese: Text): Text => (language === 'zh' ? chinese : english);
  return {
    summary: say(
      "The user's todo list: add, find, change, finish and delete todos, with tags, priority, due times and reminders.",
      '用户的待办清单：添加、查找、修改、完成和删除待办，可带标签、优先级、期限和提醒。',
    ),
    usage: {
      add: say(
        '/todo add <text> [--tag t]... [--priority n] [--due when] [--remind when]',
        '/todo add <内容> [--tag 标签]… [--priority n≥0] [--due 时间] [--remind 时间]',
      ),
      list: say(
        '/todo list [--tag t]... [--view all|today|overdue|upcoming|inbox]',
        '/todo list [--tag 标签]… [--view all|today|overdue|upcoming|inbox]',
      ),
      search: say('/todo search <words>', '/todo search <关键词>'),
      get: say('/todo get <id>', '/todo get <编号>'),
      update: say(
        '/todo update <id> [text] [--tag t|none]... [--priority n] [--due when|none] [--remind when|none]',
        '/todo update <编号> [内容] [--tag 标签|none]… [--priority n] [--due 时间|none] [--remind 时间|none]',
      ),
      done: say('/todo done <id>...', '/todo done <编号>…'),
      delete: say('/todo delete <id>...', '/todo delete <编号>…'),
    },
    view: {
      summary: say(
        "Shows the user's todos by when they are due: all, today, overdue, upcoming (after today), inbox (not due).",
        '按期限查看待办：all 全部、today 今天、overdue 过期、upcoming 今天以后、inbox 没有期限。',
      ),
      usage: say(
        '/view <all|today|overdue|upcoming|inbox> [--tag t]...',
        '/view <all|today|overdue|upcoming|inbox> [--tag 标签]…',
      ),
    },
    added: (line: string) => say(`Added ${line}`, `已添加 ${line}`),
    updated: (line: string) => say(`Updated ${line}`, `已更新 ${line}`),
    done: (line: string) => say(`Done ${line}`, `已完成 ${line}`),
    alreadyDone: (line: string) => say(`Already done: ${line}`, `早已完成：${line}`),
    deleted: (id: number, text: string) => say(`Deleted #${id} ${text}`, `已删除 #${id} ${text}`),
    notFound: (id: string) => say(`There is no todo ${id}.`, `没有待办 ${id}。`),
    missingText: say('The text is missing.', '缺少内容。'),
    textTooLong: (max: number) => say(`A todo has at most ${max} characters.`, `待办最多 ${max} 个字符。`),
    tooManyTags: (max: number) => say(`A todo has at most ${max} tags.`, `一条待办最多 ${max} 个标签。`),
    invalidTag: (max: number) => say(`--tag must have 1 to ${max} characters.`, `--tag 要有 1 到 ${max} 个字符。`),
    doneHasNoReminder: (id: number) => say(`#${id} is done and can have no reminder.`, `#${id} 已完成，不能再提醒。`),
    list: say('Todos', '待办'),
    emptyList: say('No todos.', '没有待办。'),
    missingSearchWords: say('The words to search for are missing.', '请写明要找什么。'),
    searchTooLong: (words: number, chars: number) =>
      say(`A search has at most ${words} words and ${chars} characters.`, `搜索最多 ${words} 个词、${chars} 个字符。`),
    tooMany: (max: number) =>
      say(
        `There are ${max} todos already: delete some first, such as those that are done.`,
        `待办已有 ${max} 条：请先删除一些，例如已完成的。`,
      ),
    found: (words: string) => say(`Todos with "${words}"`, `包含“${words}”的待办`),
    notFoundByWords: (words: string) => say(`No todos with "${words}".`, `没有包含“${words}”的待办。`),
    due: (time: string) => say(`due ${time}`, `截止 ${time}`),
    remind: (time: string) => say(`remind ${time}`, `提醒 ${time}`),
    tags: (tags: string[]) => say(`tag: ${tags.join(', ')}`, `标签：${tags.join('、')}`),
    priority: (priority: number) => say(`priority ${priority}`, `优先级 ${priority}`),
    doneAt: (time: string) => say(`done ${time}`, `完成于 ${time}`),
    missingView: say('The view is missing.', '请写明要看哪个视图。'),
    unknownView: (name: string, views: readonly string[]) =>
      say(
        `There is no view "${name}". The views are: ${views.join(', ')}.`,
        `没有视图“${name}”，可用的有：${views.join('、')}。`,
      ),
    views: {
      all: say('All todos', '全部待办'),
      today: say('Due today', '今天到期'),
      overdue: say('Overdue', '已过期'),
      upcoming: say('Due after today', '今天以后到期'),
      inbox: say('Inbox: no due date', '收件箱：没有期限'),
    },
  };
};

const texts = { en: textsIn('en'), zh: textsIn('zh') };

export const todoMessages = (language: Language) => texts[language];
