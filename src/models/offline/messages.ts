import type { Slot } from './slots.ts';

/** All that the offline model says to people, in one language. */
export interface OfflineMessages {
  /** Questions for a slot, each asked once and in other words than the one before; then it gives up. */
  questions: Record<Slot, (subject: string) => string[]>;
  notDone: (reason: string) => string;
  notUnderstood: string;
  unanswered: string;
  mayNotAsk: (question: string) => string;
  mayNotAct: (tool: string) => string;
  noSuchTool: (tool: string) => string;
  declined: string;
  done: (result: string) => string;
  doneOf: (done: number, all: number) => string;
  item: (number: number, step: string, result: string) => string;
  noResult: string;
  stuck: string;
  unused: (text: string) => string;
  unverified: string;
  signature: string;
  cannot: string;
}

const en: OfflineMessages = {
  questions: {
    text: (subject) => [
      `What should the todo say? (“${subject}”)`,
      `I still need the todo's text for “${subject}”. What is to be done?`,
    ],
    title: (subject) => [
      `What is the event called? (“${subject}”)`,
      `I still need a title for “${subject}”. What shall I call it?`,
    ],
    title_and_when: (subject) => [
      `What should be scheduled, and when? (“${subject}”)`,
      `I still need a title and a time for “${subject}”, such as: dentist, tomorrow 15:00.`,
    ],
    when: (subject) => [
      `When is “${subject}”?`,
      `I could not read a time in that. On which day and at what time is “${subject}”, for example tomorrow 15:00?`,
      `Please give the time of “${subject}” in figures, as YYYY-MM-DD HH:MM.`,
    ],
    remind: (subject) => [
      `When should I remind you of “${subject}”?`,
      `I could not read a time in that. On which day and at what time should the reminder of “${subject}” come?`,
      `Please give the time of the reminder of “${subject}” in figures, as YYYY-MM-DD HH:MM.`,
    ],
    hour: (subject) => [
      `At what time of day is “${subject}”?`,
      `I could not read a time of day in that. What hour is “${subject}” at, for example 15:00?`,
      `Please give the whole time of “${subject}” in figures, as YYYY-MM-DD HH:MM.`,
    ],
    id: (subject) => [
      `What is the number of “${subject}” in the list?`,
      `I need a number to find “${subject}”, for example 2. Which one is it?`,
    ],
    other_time: (subject) => [
      `The time of “${subject}” could not be used. When is it instead?`,
      `That time of “${subject}” did not work either. Please write it as YYYY-MM-DD HH:MM.`,
    ],
  },
  notDone: (reason) => `Not done: ${reason}`,
  notUnderstood: 'the offline model does not understand this request; it knows todos and schedules only.',
  unanswered: 'what is missing was asked for, and I could not read it in the answers.',
  mayNotAsk: (question) => `I may not ask another question now, and this is missing: ${question}`,
  mayNotAct: (tool) => `no tool may be called now, and this needs ${tool}.`,
  noSuchTool: (tool) => `this item may not use the tool ${tool}.`,
  declined: 'you told me to leave it.',
  done: (result) => `Done: ${result}`,
  doneOf: (done, all) => `${done} of ${all} done:`,
  item: (number, step, result) => `${number}. ${step}\n   ${result}`,
  noResult: 'finished',
  stuck: 'it waits for something that will never be finished.',
  unused: (text) => `I could not make use of this: “${text}”`,
  unverified: 'What was written did not pass its verification, and the offline model cannot repair it.',
  signature: `(This answer comes from the built-in offline model: fixed rules, no AI. For a real model set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL, and choose it with TRIPACT_MODEL.)`,
  cannot: [
    'I am the built-in offline model: fixed rules, no AI and no network, so I cannot answer that.',
    'I can add, list, search, finish and delete todos, and add, show and delete schedule entries, in English and Chinese, several in one request. For example:',
    '- Add a todo to buy milk and schedule a dentist appointment tomorrow at 3pm',
    '- What is on my todo list?',
    'For everything else set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a server of your own that speaks the same protocol, and choose the model with TRIPACT_MODEL=anthropic:<model>.',
  ].join('\n'),
};

const zh: OfflineMessages = {
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
    id: (subject) => [`“${subject}”在列表里的编号是多少？`, `需要编号才能找到“${subject}”，例如 2。是哪一个？`],
    other_time: (subject) => [
      `“${subject}”的时间无法使用，改到什么时间？`,
      `“${subject}”的这个时间也不行，请写成 YYYY-MM-DD HH:MM。`,
    ],
  },
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
  signature: `（这个回答来自内置的离线模型：只有固定规则，没有 AI。要使用真正的模型，请设置 ANTHROPIC_API_KEY 或 ANTHROPIC_BASE_URL，并用 TRIPACT_MODEL 选择模型。）`,
  cannot: [
    '我是内置的离线模型：只有固定规则，没有 AI，也不联网，所以回答不了这个问题。',
    '我可以添加、查看、搜索、完成和删除待办，添加、查看和删除日程，中文英文都可以，一句话里可以有好几件事。例如：',
    '- 添加待办买牛奶，然后安排明天下午三点看牙医',
    '- 我的待办有哪些？',
    '其他事情请设置 ANTHROPIC_API_KEY，或用 ANTHROPIC_BASE_URL 指向你自己的兼容服务，并用 TRIPACT_MODEL=anthropic:<模型> 选择模型。',
  ].join('\n'),
};

/** The offline model's words by language. */
export const offlineMessages: Record<'en' | 'zh', OfflineMessages> = { en, zh };
