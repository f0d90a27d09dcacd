import type { Language } from '../../../contracts/text.ts';

const abilities = [
  'I can add, list, search, move, finish and delete todos and schedule entries, remind you, and tell when something is and whether you are free, in English and Chinese, several in one request. For example:',
  '- Add a todo to buy milk and schedule a dentist appointment tomorrow at 3pm',
  '- What is on my todo list?',
  '- Mark buy milk as done',
  '- Am I free on Tuesday afternoon?',
].join('\n');

const chineseAbilities = [
  '我可以添加、查看、搜索、改期、完成和删除待办与日程，按时提醒，还可以告诉你某件事在什么时候、你有没有空，中文英文都可以，一句话里可以有好几件事。例如：',
  '- 添加待办买牛奶，然后安排明天下午三点看牙医',
  '- 我的待办有哪些？',
  '- 把买牛奶标记为完成',
  '- 我周二下午有空吗？',
].join('\n');

const english = {
  questions: {
    text: (subject: string) => [
      `What should the todo say? (“${subject}”)`,
      `I still need the todo's text for “${subject}”. What is to be done?`,
    ],
    title: (subject: string) => [
      `What is the event called? (“${subject}”)`,
      `I still need a title for “${subject}”. What shall I call it?`,
    ],
    title_and_when: (subject: string) => [
      `What should be scheduled, and when? (“${subject}”)`,
      `I still need a title and a time for “${subject}”, such as: dentist, tomorrow 15:00.`,
    ],
    when: (subject: string, _about: string) => [
      `When is “${subject}”?`,
      `I could not read a time in that. On which day and at what time is “${subject}”, for example tomorrow 15:00?`,
      `Please give the time of “${subject}” in figures, as YYYY-MM-DD HH:MM.`,
    ],
    remind: (subject: string, _about: string) => [
      `When should I remind you of “${subject}”?`,
      `I could not read a time in that. On which day and at what time should the reminder of “${subject}” come?`,
      `Please give the time of the reminder of “${subject}” in figures, as YYYY-MM-DD HH:MM.`,
    ],
    hour: (subject: string, _about: string) => [
      `At what time of day is “${subject}”?`,
      `I could not read a time of day in that. What hour is “${subject}” at, for example 15:00?`,
      `Please give the whole time of “${subject}” in figures, as YYYY-MM-DD HH:MM.`,
    ],
    half: (subject: string, about: string) => [
      `Which time do you mean for “${subject}”: ${about.replace('/', ' or ')}?`,
      `I could not tell which one: is “${subject}” at ${about.replace('/', ' or at ')}?`,
    ],
    unclear: (subject: string, about: string) => [
      `I did not understand “${about}”. When is “${subject}”, for example tomorrow 15:00?`,
      `I did not understand “${about}” either. Please give the time of “${subject}” in figures, as YYYY-MM-DD HH:MM.`,
    ],
    other_time: (subject: string, _about: string) => [
      `The time of “${subject}” could not be used: it has passed. When is it instead?`,
      `That time of “${subject}” has passed too. Please write it as YYYY-MM-DD HH:MM.`,
    ],
    which: (subject: string) => [
      `Which one do you mean by “${subject}”?`,
      `I could not tell which one that is. Please choose one for “${subject}” by its number in this list.`,
    ],
    all: (verb: 'done' | 'delete', kind: 'todo' | 'schedule', count: number) => {
      const what = kind === 'todo' ? 'todos' : 'schedule entries';
      const all = `all ${what} that are listed (${count})`;
      return verb === 'done'
        ? [`Mark ${all} as done?`, `Yes or no: mark ${all} as done?`]
        : [`Delete ${all}? This can't be undone.`, `Yes or no: delete ${all}? This can't be undone.`];
    },
  },
  yes: 'yes',
  no: 'no',
  freeTime: 'the time that you ask about',
  free: (time: string, entries: string[]) =>
    entries.length === 0
      ? `You are free: nothing is on your schedule ${time}.`
      : `You are not free ${time}:\n${entries.join('\n')}`,
  noMatch: (name: string) => `Nothing in your todos or on your schedule matches “${name}”.`,
  alreadyDone: (line: string) => `it is done already: ${line}`,
  noReferent: 'it is not clear which one you mean: please give its name.',
  repeats: (title: string) => `“${title}” repeats: please say its new day and hour, such as every Monday at 16:00.`,
  notDone: (reason: string) => `Not done: ${reason}`,
  notUnderstood: 'the offline model does not understand this request; it knows todos and schedules only.',
  unanswered: 'what is missing was asked for, and I could not read it in the answers.',
  mayNotAsk: (question: string) => `I may not ask another question now, and this is missing: ${question}`,
  mayNotAct: (tool: string) => `no tool may be called now, and this needs ${tool}.`,
  noSuchTool: (tool: string) => `this item may not use the tool ${tool}.`,
  declined: 'you told me to leave it.',
  done: (result: string) => `Done: ${result}`,
  doneOf: (done: number, all: number) => `${done} of ${all} done:`,
  item: (number: number, step: string, result: string) => `${number}. ${step}\n   ${result}`,
  noResult: 'finished',
  stuck: 'it waits for something that will never be finished.',
  unused: (text: string) => `I could not make use of this: “${text}”`,
  unverified: 'What was written did not pass its verification, and the offline model cannot repair it.',
  signature:
    '(This answer comes from the built-in offline model: fixed rules, no AI. For a real model set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL, and choose it with TRIPACT_MODEL.)',
  hello: `Hello! ${abilities}`,
  cannot: 'The offline model cannot do that: it knows todos and schedules only.',
  welcome: 'Glad to help.',
};

const chinese: typeof english = {
  questions: {
    text: (subject) => [`待办的内容是什么？（“${subject}”）`, `还缺少“${subject}”的待办内容，具体要做什么？`],
    title: (subject) => [`这个日程叫什么？（“${subject}”）`, `还缺少“${subject}”的标题，应该写成什么？`],
    title_and_when: (subject) => [
      `要安排什么，在什么时间？（“${subject}”）`,
      `“${subject}”还缺少标题和时间，请这样写：看牙医，明天15:00。`,
    ],
    when: (subject) => [
      `请问“${subject}”在什么时间？`,
      `没有看懂这个时间。“${subject}”是哪一天、几点？例如：明天15:00。`,
      `请用数字写出“${subject}”的时间，格式为 YYYY-MM-DD HH:MM。`,
    ],
    remind: (subject) => [
      `请问什么时间提醒你“${subject}”？`,
      `没有看懂这个时间。“${subject}”的提醒在哪一天、几点？`,
      `请用数字写出“${subject}”的提醒时间，格式为 YYYY-MM-DD HH:MM。`,
    ],
    hour: (subject) => [
      `请问“${subject}”是几点？`,
      `没有看懂是几点。“${subject}”几点开始？例如：15:00。`,
      `请用数字写出“${subject}”的完整时间，格式为 YYYY-MM-DD HH:MM。`,
    ],
    half: (subject, about) => [
      `“${subject}”是 ${about.replace('/', ' 还是 ')}？`,
      `没有看懂是哪一个时间：“${subject}”在 ${about.replace('/', ' 还是在 ')}？`,
    ],
    unclear: (subject, about) => [
      `没有看懂“${about}”。请问“${subject}”在什么时间？例如：明天15:00。`,
      `“${about}”也没有看懂。请用数字写出“${subject}”的时间，格式为 YYYY-MM-DD HH:MM。`,
    ],
    other_time: (subject) => [
      `“${subject}”的时间无法使用：已经过去了。改到什么时间？`,
      `“${subject}”的这个时间也已经过去了，请写成 YYYY-MM-DD HH:MM。`,
    ],
    which: (subject) => [`“${subject}”指的是哪一个？`, `没有看懂是哪一个，请用列表里的编号选出“${subject}”。`],
    all: (verb, kind, count) => {
      const all = `列出的全部${kind === 'todo' ? '待办' : '日程'}（${count} 个）`;
      return verb === 'done'
        ? [`把${all}都标记为完成吗？`, `是或否：把${all}都标记为完成吗？`]
        : [`删除${all}吗？删除后无法恢复。`, `是或否：删除${all}吗？删除后无法恢复。`];
    },
  },
  yes: '是',
  no: '否',
  freeTime: '你问的时间',
  free: (time, entries) =>
    entries.length === 0 ? `你有空：${time} 没有任何日程。` : `你没有空，${time} 已有：\n${entries.join('\n')}`,
  noMatch: (name) => `待办和日程里都没有与“${name}”相符的内容。`,
  alreadyDone: (line) => `它已经完成了：${line}`,
  noReferent: '不清楚指的是哪一个，请说出它的名称。',
  repeats: (title) => `“${title}”是重复的日程，请说出新的日子和时间，例如：每周一16:00。`,
  notDone: (reason) => `未完成：${reason}`,
  notUnderstood: '离线模型看不懂这个请求，它只懂待办和日程。',
  unanswered: '已经问过缺少的内容，但从回答中没有看懂。',
  mayNotAsk: (question) => `现在不能再提问，而这一点还不清楚：${question}`,
  mayNotAct: (tool) => `现在不能再调用工具，而这一步需要 ${tool}。`,
  noSuchTool: (tool) => `这一步不能使用工具 ${tool}。`,
  declined: '你说不用做了。',
  done: (result) => `完成：${result}`,
  doneOf: (done, all) => `${all} 项中完成了 ${done} 项：`,
  item: (number, step, result) => `${number}. ${step}\n   ${result}`,
  noResult: '已完成',
  stuck: '它要等的步骤永远不会完成。',
  unused: (text) => `这句话没有用上：“${text}”`,
  unverified: '写入的内容没有通过验证，离线模型无法修复。',
  signature:
    '（这个回答来自内置的离线模型：只有固定规则，没有 AI。要使用真正的模型，请设置 ANTHROPIC_API_KEY 或 ANTHROPIC_BASE_URL，并用 TRIPACT_MODEL 选择模型。）',
  hello: `你好！${chineseAbilities}`,
  cannot: '离线模型做不到这件事：它只懂待办和日程。',
  welcome: '不客气。',
};

/** The texts of the offline model (SPEC 9). Each question is asked once, and in other words than the one before. */
export const offlineMessages = (language: Language): typeof english => (language === 'zh' ? chinese : english);
