import type { Language } from '../../../contracts/text.ts';

const abilities =
  'I can add, list, move, finish and delete todos and schedule entries, and remind you, in English and Chinese, several in one request. For example: Add a todo to buy milk and schedule a dentist appointment tomorrow at 3pm';

const chineseAbilities =
  '我可以添加、查看、改期、完成和删除待办与日程，并按时提醒，中文英文都可以，一句话里可以有好几件事。例如：添加待办买牛奶，然后安排明天下午三点看牙医';

const english = {
  questions: {
    again: (question: string) => `I could not make use of that. ${question}`,
    text: (subject: string) => `What should the todo say? (“${subject}”)`,
    title: (subject: string) => `What is the event called? (“${subject}”)`,
    when: (subject: string, _about: string) => `When is “${subject}”?`,
    remind: (subject: string, _about: string) => `When should I remind you of “${subject}”?`,
    hour: (subject: string, _about: string) => `At what time of day is “${subject}”?`,
    half: (subject: string, about: string) => `Which time do you mean for “${subject}”: ${about.replace('/', ' or ')}?`,
    unclear: (subject: string, about: string) =>
      `I did not understand “${about}”. When is “${subject}”, for example tomorrow 15:00?`,
    past: (subject: string, _about: string) => `The time of “${subject}” has passed. When is it instead?`,
    figures: (subject: string) => `Please give the time of “${subject}” in figures, as YYYY-MM-DD HH:MM.`,
    which: (subject: string) => `Which one do you mean by “${subject}”?`,
    all: (verb: 'done' | 'delete', kind: 'todo' | 'schedule', count: number) => {
      const all = `all ${kind === 'todo' ? 'todos' : 'schedule entries'} that are listed (${count})`;
      return verb === 'done' ? `Mark ${all} as done?` : `Delete ${all}? This can't be undone.`;
    },
  },
  yes: 'yes',
  no: 'no',
  noMatch: (name: string) => `Nothing in your todos or on your schedule matches “${name}”.`,
  noReferent: 'it is not clear which one you mean: please give its name.',
  repeats: (title: string) => `“${title}” repeats: please say its new day and hour, such as every Monday at 16:00.`,
  notDone: (reason: string) => `Not done: ${reason}`,
  notUnderstood: 'the offline model does not understand this request; it knows todos and schedules only.',
  ran: (call: string, result: string) => `${call} ran: ${result}`,
  failed: (call: string, result: string) => `${call} failed: ${result}`,
  ranOnly: 'The offline model does not know this tool and cannot tell whether that is all you asked for.',
  unanswered: 'what is missing was asked for, and I could not read it in the answers.',
  mayNotAsk: (question: string) => `I may not ask another question now, and this is missing: ${question}`,
  mayNotAct: (tool: string) => `this needs the tool ${tool}, which may not be called here.`,
  declined: 'you told me to leave it.',
  done: (result: string) => `Done: ${result}`,
  doneOf: (done: number, all: number) => `${done} of ${all} done:`,
  item: (number: number, step: string, result: string) => `${number}. ${step}\n   ${result}`,
  noResult: 'finished',
  stuck: 'it waits for something that will never be finished.',
  unused: (text: string) => `I could not make use of this: “${text}”`,
  unverified: 'What was written did not pass its verification, and the offline model cannot repair it.',
  otherShape: 'I cannot give the answer in the requested format: I can only give a single text.',
  signature:
    '(This answer comes from the built-in offline model: fixed rules, no AI. For a real model set ANTHROPIC_API_KEY or OPENAI_API_KEY, and choose it with TRIPACT_MODEL.)',
  hello: `Hello! ${abilities}`,
  cannot: 'The offline model cannot do that: it knows todos and schedules only.',
  unread: (names: string[]) =>
    `I stored ${names.join(', ')} and did not look inside: the offline model reads no files.`,
  welcome: 'Glad to help.',
};

const chinese: typeof english = {
  questions: {
    again: (question) => `没有看懂。${question}`,
    text: (subject) => `待办的内容是什么？（“${subject}”）`,
    title: (subject) => `这个日程叫什么？（“${subject}”）`,
    when: (subject) => `请问“${subject}”在什么时间？`,
    remind: (subject) => `请问什么时间提醒你“${subject}”？`,
    hour: (subject) => `请问“${subject}”是几点？`,
    half: (subject, about) => `“${subject}”是 ${about.replace('/', ' 还是 ')}？`,
    unclear: (subject, about) => `没有看懂“${about}”。请问“${subject}”在什么时间？例如：明天15:00。`,
    past: (subject) => `“${subject}”的时间已经过去了。改到什么时间？`,
    figures: (subject) => `请用数字写出“${subject}”的时间，格式为 YYYY-MM-DD HH:MM。`,
    which: (subject) => `“${subject}”指的是哪一个？`,
    all: (verb, kind, count) => {
      const all = `列出的全部${kind === 'todo' ? '待办' : '日程'}（${count} 个）`;
      return verb === 'done' ? `把${all}都标记为完成吗？` : `删除${all}吗？删除后无法恢复。`;
    },
  },
  yes: '是',
  no: '否',
  noMatch: (name) => `待办和日程里都没有与“${name}”相符的内容。`,
  noReferent: '不清楚指的是哪一个，请说出它的名称。',
  repeats: (title) => `“${title}”是重复的日程，请说出新的日子和时间，例如：每周一16:00。`,
  notDone: (reason) => `未完成：${reason}`,
  notUnderstood: '离线模型看不懂这个请求，它只懂待办和日程。',
  ran: (call, result) => `${call} 已运行：${result}`,
  failed: (call, result) => `${call} 失败：${result}`,
  ranOnly: '离线模型不了解这个工具，无法判断这是否就是全部要求。',
  unanswered: '已经问过缺少的内容，但从回答中没有看懂。',
  mayNotAsk: (question) => `现在不能再提问，而这一点还不清楚：${question}`,
  mayNotAct: (tool) => `这一步需要工具 ${tool}，而这里不能调用它。`,
  declined: '你说不用做了。',
  done: (result) => `完成：${result}`,
  doneOf: (done, all) => `${all} 项中完成了 ${done} 项：`,
  item: (number, step, result) => `${number}. ${step}\n   ${result}`,
  noResult: '已完成',
  stuck: '它要等的步骤永远不会完成。',
  unused: (text) => `这句话没有用上：“${text}”`,
  unverified: '写入的内容没有通过验证，离线模型无法修复。',
  otherShape: '我无法按要求的格式给出：我只会给出一段文字。',
  signature:
    '（这个回答来自内置的离线模型：只有固定规则，没有 AI。要使用真正的模型，请设置 ANTHROPIC_API_KEY 或 OPENAI_API_KEY，并用 TRIPACT_MODEL 选择模型。）',
  hello: `你好！${chineseAbilities}`,
  cannot: '离线模型做不到这件事：它只懂待办和日程。',
  unread: (names) => `${names.join('、')} 已保存，但没有查看内容：离线模型不读取文件。`,
  welcome: '不客气。',
};

/** The texts of the offline model (SPEC 9). A question is never repeated in the same words. */
export const offlineMessages = (language: Language): typeof english => (language === 'zh' ? chinese : english);
