import type { ReadThought } from '../../src/models/reply/read-answer.ts';
import { lines, type ReadCase } from './read-answer-case.ts';

const nothing = { current_step: null, next_action: null, question: null, response: null };
const done: ReadThought = { ...nothing, status: 'done' };
const addMilk: ReadThought = {
  ...nothing,
  status: 'continue',
  current_step: 'add the todo',
  next_action: { tool: 'todo', input: 'add buy milk' },
};
const ADD_MILK =
  '{"status":"continue","current_step":"add the todo","next_action":{"tool":"todo","input":"add buy milk"},"question":null,"response":null}';
const continueWith = (input: string): ReadThought => ({ ...addMilk, next_action: { tool: 'todo', input } });
const ask = (current_step: string, question: string): ReadThought => ({
  ...nothing,
  status: 'ask_user',
  current_step,
  question,
});
const doneSaying = (response: string): ReadThought => ({ ...done, response });

export const strictThoughts: ReadCase<ReadThought>[] = [
  { name: 'an object on one line', text: ADD_MILK, reader: 'strict', answer: addMilk },
  {
    name: 'an object with blanks and newlines around it',
    text: `\n\n  ${ADD_MILK}\r\n`,
    reader: 'strict',
    answer: addMilk,
  },
  { name: 'an object after a byte order mark', text: `\uFEFF${ADD_MILK}`, reader: 'strict', answer: addMilk },
  {
    name: 'an object printed over several lines with Windows newlines',
    text: JSON.stringify(JSON.parse(ADD_MILK), null, 2).replaceAll('\n', '\r\n'),
    reader: 'strict',
    answer: addMilk,
  },
  { name: 'a bare done', text: '{"status":"done"}', reader: 'strict', answer: done },
  {
    name: 'a Chinese question with full-width punctuation and quotes inside',
    text: '{"status":"ask_user","current_step":"确认时间","question":"你说的“明天”，是上午：九点吗？"}',
    reader: 'strict',
    answer: ask('确认时间', '你说的“明天”，是上午：九点吗？'),
  },
  {
    name: 'emojis, also as escapes',
    text: '{"status":"done","response":"已完成 ✅🎉 \\ud83d\\ude80"}',
    reader: 'strict',
    answer: doneSaying('已完成 ✅🎉 🚀'),
  },
  {
    name: 'braces, fences and think tags inside a string',
    text: '{"status":"done","response":"use ```json {\\"a\\":1}``` or } and <think> { </think>"}',
    reader: 'strict',
    answer: doneSaying('use ```json {"a":1}``` or } and <think> { </think>'),
  },
  {
    name: 'a tool input that is itself a contract',
    text: '{"status":"continue","current_step":"add the todo","next_action":{"tool":"todo","input":"{\\"status\\":\\"done\\",\\"response\\":\\"hacked\\"}"}}',
    reader: 'strict',
    answer: continueWith('{"status":"done","response":"hacked"}'),
  },
  {
    name: 'a tool input that is an object, which counts as its JSON text',
    text: '{"status":"continue","current_step":"add the todo","next_action":{"tool":"todo","input":{"text":"a","tags":["x"]}}}',
    reader: 'strict',
    answer: continueWith('{"text":"a","tags":["x"]}'),
  },
  {
    name: 'a tool input that is a list',
    text: '{"status":"continue","current_step":"add the todo","next_action":{"tool":"todo","input":["add",1]}}',
    reader: 'strict',
    answer: continueWith('["add",1]'),
  },
  {
    name: 'a mark inside a tool input, which is no signal',
    text: '{"status":"continue","current_step":"add the todo","next_action":{"tool":"todo","input":"add say\\n[Done]"}}',
    reader: 'strict',
    answer: continueWith('add say\n[Done]'),
  },
  {
    name: 'empty strings as null and unknown keys as nothing',
    text: '{"status":"done","question":"","next_action":{"tool":"","input":""},"response":"ok","confidence":0.9}',
    reader: 'strict',
    answer: doneSaying('ok'),
  },
  {
    name: 'a control key beside a status, which is an unknown key',
    text: '{"status":"done","control":"replan"}',
    reader: 'strict',
    answer: done,
  },
];

export const fencedThoughts: ReadCase<ReadThought>[] = [
  { name: 'a json fence', text: `\`\`\`json\n${ADD_MILK}\n\`\`\``, reader: 'fenced', answer: addMilk },
  { name: 'a plain fence', text: `\`\`\`\n${ADD_MILK}\n\`\`\``, reader: 'fenced', answer: addMilk },
  { name: 'an upper case tag', text: `\`\`\`JSON\n${ADD_MILK}\n\`\`\``, reader: 'fenced', answer: addMilk },
  {
    name: 'a fence with Windows newlines',
    text: `\`\`\`json\r\n${ADD_MILK}\r\n\`\`\`\r\n`,
    reader: 'fenced',
    answer: addMilk,
  },
  { name: 'a fence on one line', text: `\`\`\`json ${ADD_MILK} \`\`\``, reader: 'fenced', answer: addMilk },
  { name: 'a fence of tildes', text: `~~~json\n${ADD_MILK}\n~~~`, reader: 'fenced', answer: addMilk },
  {
    name: 'a fence between sentences',
    text: lines('Sure! Here is the next step:', '', '```json', ADD_MILK, '```', '', 'Let me know.'),
    reader: 'fenced',
    answer: addMilk,
  },
  {
    name: 'a Chinese introduction before the fence',
    text: lines('好的，下一步如下：', '```json', '{"status":"done","response":"会议已安排"}', '```'),
    reader: 'fenced',
    answer: doneSaying('会议已安排'),
  },
  {
    name: 'several fences, of which one is JSON',
    text: lines('```bash', 'ls && echo {a,b}', '```', 'and', '```json', ADD_MILK, '```', '```', 'end', '```'),
    reader: 'fenced',
    answer: addMilk,
  },
  {
    name: 'a fence after a think block that holds another fence',
    text: lines('<think>', '```json', '{"status":"done"}', '```', '</think>', '```json', ADD_MILK, '```'),
    reader: 'fenced',
    answer: addMilk,
  },
  {
    name: 'a fence whose string holds a fence',
    text: lines('```json', '{"status":"done","response":"```js\\nlet a = {};\\n```"}', '```'),
    reader: 'fenced',
    answer: doneSaying('```js\nlet a = {};\n```'),
  },
  {
    name: 'the same object in a fence and in prose',
    text: lines(ADD_MILK, 'That is:', '```json', ADD_MILK, '```'),
    reader: 'fenced',
    answer: addMilk,
  },
];

export const embeddedThoughts: ReadCase<ReadThought>[] = [
  { name: 'an object after prose', text: `My decision: ${ADD_MILK}`, reader: 'embedded', answer: addMilk },
  { name: 'an object before prose', text: `${ADD_MILK}\n\nHope this helps!`, reader: 'embedded', answer: addMilk },
  { name: 'an object in Chinese prose', text: `我决定：${ADD_MILK}。谢谢！`, reader: 'embedded', answer: addMilk },
  { name: 'an object in back ticks', text: `\`${ADD_MILK}\``, reader: 'embedded', answer: addMilk },
  {
    name: 'an object after a think block with a draft',
    text: `<think>Maybe {"status":"done"}? No, "[Done]" is wrong.</think>\n${ADD_MILK}`,
    reader: 'embedded',
    answer: addMilk,
  },
  {
    name: 'an object after a thinking block whose draft never closes',
    text: `<thinking>\n{"status":"done", "resp\n</thinking>${ADD_MILK}`,
    reader: 'embedded',
    answer: addMilk,
  },
  {
    name: 'an object after a think block whose opening tag the server swallowed',
    text: `The user wants milk, so {"status":"done"} is too early.\n</think>\n\n${ADD_MILK}`,
    reader: 'embedded',
    answer: addMilk,
  },
  {
    name: 'small braces in prose, which are no objects',
    text: `For {x} in the set {1, 2} and \${HOME}: ${ADD_MILK}`,
    reader: 'embedded',
    answer: addMilk,
  },
  { name: 'two equal objects', text: `${ADD_MILK}\n${ADD_MILK}`, reader: 'embedded', answer: addMilk },
  {
    name: 'two objects that differ only in the order of keys',
    text: '{"status":"done","response":"ok"} that is {"response":"ok","status":"done"}',
    reader: 'embedded',
    answer: doneSaying('ok'),
  },
  {
    name: 'an object in a fence that never closes',
    text: `\`\`\`json\n${ADD_MILK}`,
    reader: 'embedded',
    answer: addMilk,
  },
  {
    name: 'an object beside a comment in a fence',
    text: lines('```jsonc', '// the decision', ADD_MILK, '```'),
    reader: 'embedded',
    answer: addMilk,
  },
  {
    name: 'an object with words after it in its fence',
    text: lines('```', ADD_MILK, 'That is all.', '```'),
    reader: 'embedded',
    answer: addMilk,
  },
  {
    name: 'an object in a fence of tildes that back ticks do not close',
    text: lines('~~~json', ADD_MILK, '```'),
    reader: 'embedded',
    answer: addMilk,
  },
  {
    name: 'an object beside ones with no key of a contract',
    text: lines('```json', ADD_MILK, '```', 'Not', '```json', '{"a":1}', '```', 'nor {} nor [{"b":2}].'),
    reader: 'fenced',
    answer: addMilk,
  },
  { name: 'an object in a pair of braces', text: `\\boxed{ ${ADD_MILK} }`, reader: 'embedded', answer: addMilk },
];

export const repairedThoughts: ReadCase<ReadThought>[] = [
  {
    name: 'single quotes, as Python prints them',
    text: "{'status': 'done', 'next_action': None, 'question': None, 'response': 'the \"big\" one'}",
    reader: 'repaired',
    answer: doneSaying('the "big" one'),
  },
  {
    name: 'trailing commas in prose',
    text: 'Next: {"status":"continue","current_step":"add the todo","next_action":{"tool":"todo","input":"add buy milk",},}',
    reader: 'repaired',
    answer: addMilk,
  },
  {
    name: 'comments',
    text: lines('{', '  "status": "done", // it\'s over {', '  /* "question": "x", */ "response": "ok"', '}'),
    reader: 'repaired',
    answer: doneSaying('ok'),
  },
  {
    name: 'Python literals',
    text: '{"status":"done","sure":True,"draft":False,"question":None}',
    reader: 'repaired',
    answer: done,
  },
  {
    name: 'keys without quotes',
    text: '{status: "done", response: "ok"}',
    reader: 'repaired',
    answer: doneSaying('ok'),
  },
  {
    name: 'curly quotes around strings',
    text: '{“status”: “done”, “response”: “it’s the "big" one”}',
    reader: 'repaired',
    answer: doneSaying('it’s the "big" one'),
  },
  {
    name: 'curly quotes and full-width punctuation, as typed in Chinese',
    text: '{“status”：“ask_user”，“current_step”：“确认”，“question”：“几点，哪里？”}',
    reader: 'repaired',
    answer: ask('确认', '几点，哪里？'),
  },
  {
    name: 'curly quotes that belong to the text, beside a trailing comma',
    text: '{"status":"ask_user","current_step":"确认","question":"你说“好”，对吗？",}',
    reader: 'repaired',
    answer: ask('确认', '你说“好”，对吗？'),
  },
  {
    name: 'line breaks within a string',
    text: '{"status":"done","response":"first\nsecond"}',
    reader: 'repaired',
    answer: doneSaying('first\nsecond'),
  },
  {
    name: 'a comma missing at the end of a line',
    text: lines('{', '  "status": "done"', '  "response": "ok"', '}'),
    reader: 'repaired',
    answer: doneSaying('ok'),
  },
  {
    name: 'full-width blanks between keys',
    text: '{"status":"done",\u3000"response":"好"}',
    reader: 'repaired',
    answer: doneSaying('好'),
  },
  {
    name: 'a slip in a fence after thinking',
    text: lines('<think>hm</think>', '```json', "{'status': 'done',}", '```'),
    reader: 'repaired',
    answer: done,
  },
  {
    name: 'a sloppy and a clean print of one object, which the cleaner reader reads',
    text: '{\'status\': \'done\'} is {"status": "done"}',
    reader: 'embedded',
    answer: done,
  },
];
