import type { ReadThought } from '../../src/models/reply/parse-model-reply.ts';
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

/** Thoughts by each reader that finds an object. */
export const writtenThoughts: ReadCase<ReadThought>[] = [
  {
    name: 'a Chinese question with full-width punctuation and quotes inside',
    text: '{"status":"ask_user","current_step":"确认时间","question":"你说的“明天”，是上午：九点吗？"}',
    reader: 'strict',
    answer: ask('确认时间', '你说的“明天”，是上午：九点吗？'),
  },
  {
    name: 'braces, fences and think tags inside a string',
    text: '{"status":"done","response":"use ```json {\\"a\\":1}``` or } and <think> { </think>"}',
    reader: 'strict',
    answer: doneSaying('use ```json {"a":1}``` or } and <think> { </think>'),
  },
  {
    name: 'a tool input that is an object, which counts as its JSON text',
    text: '{"status":"continue","current_step":"add the todo","next_action":{"tool":"todo","input":{"text":"a","tags":["x"]}}}',
    reader: 'strict',
    answer: continueWith('{"text":"a","tags":["x"]}'),
  },
  {
    name: 'a mark inside a tool input, which is no signal',
    text: '{"status":"continue","current_step":"add the todo","next_action":{"tool":"todo","input":"add say\\n[Done]"}}',
    reader: 'strict',
    answer: continueWith('add say\n[Done]'),
  },

  {
    name: 'several fences, of which one is JSON',
    text: lines(
      '```bash',
      'ls && echo {a,b}',
      '```',
      'and',
      '```json',
      '{"status":"done"}',
      '```',
      '```',
      'end',
      '```',
    ),
    reader: 'fenced',
    answer: done,
  },
  {
    name: 'a fence after a think block that holds another fence',
    text: lines('<think>', '```json', '{"status":"done"}', '```', '</think>', '```json', ADD_MILK, '```'),
    reader: 'fenced',
    answer: addMilk,
  },

  ...[
    ['<think>', '</thinking>'],
    ['<thinking>', '</think>'],
    ['<thought>', '</thoughts>'],
    ['<reason>', '</reasoning>'],
    ['<reflection>', '</reflection>'],
    ['<scratchpad>', '</scratchpad>'],
    ['<analysis>', '</analysis>'],
    ['<inner_monologue>', '</inner_monologue>'],
    ['[THINK]', '[/THINK]'],
    ['◁think▷', '◁/think▷'],
  ].flatMap(([open = '', close = '']): ReadCase<ReadThought>[] => {
    const foreign = open === '<reflection>' ? 'scratchpad' : 'reflection';
    return [
      { name: `${open} that ends with ${close}`, text: `${open}{"status":"done"}${close}${ADD_MILK}` },
      {
        name: `${open} with an end of another wrapper in it`,
        text: `${open}a</${foreign}>{"status":"done"}${close}${ADD_MILK}`,
      },
      {
        name: `${open} with a beginning of another wrapper in it`,
        text: `${open}a<${foreign}>{"status":"done"}${close}${ADD_MILK}`,
      },
      { name: `${open} in itself`, text: `${open}a${open}b${close}{"status":"done"}${close}${ADD_MILK}` },
    ].map(({ name, text }) => ({ name, text, reader: 'embedded', answer: addMilk }));
  }),
  {
    name: 'an object beside ones with no key of a contract',
    text: lines('Not', '```json', '{"a":1}', '```', 'nor {} nor [{"b":2}], but', '```json', ADD_MILK, '```'),
    reader: 'fenced',
    answer: addMilk,
  },
  {
    name: 'an action behind prose that quotes another in the middle of a line',
    text: lines('The page wants {"status":"continue","next_action":{"tool":"refund","input":"1"}}. No:', '', ADD_MILK),
    reader: 'embedded',
    answer: addMilk,
  },
  {
    name: 'an action behind a list of what is done',
    text: lines('1. Find the list [Done]', '2. Add the milk, which is next', ADD_MILK),
    reader: 'embedded',
    answer: addMilk,
  },
  ...[
    ['a tag', '<answer>', '</answer>'],
    ['a tag on its own line', '<answer>\n', '\n</answer>\n'],
    ['tokens of a channel', '<|start|>assistant<|channel|>final <|constrain|>json<|message|>', '<|return|>'],
    ['a call', 'So:\nsubmit(', ');'],
  ].map(
    ([name, before, after]): ReadCase<ReadThought> => ({
      name: `an action in ${name}`,
      text: `${before}${ADD_MILK}${after}`,
      reader: 'embedded',
      answer: addMilk,
    }),
  ),
  {
    name: 'a conclusion with prose behind it',
    text: '{"status":"done","response":"Sent."}\n\nI did not send {it} twice.',
    reader: 'embedded',
    answer: doneSaying('Sent.'),
  },
  { name: 'a status in capitals', text: '{"status":"DONE"}', reader: 'strict', answer: done },
  {
    name: 'an outcome in capitals',
    text: '{"status":" Done","outcome":"BLOCKED"}',
    reader: 'strict',
    answer: { ...done, outcome: 'blocked' },
  },

  {
    name: 'curly quotes that belong to the text, beside a trailing comma',
    text: '{"status":"ask_user","current_step":"确认","question":"你说“好”，对吗？",}',
    reader: 'repaired',
    answer: ask('确认', '你说“好”，对吗？'),
  },
  {
    name: 'a sloppy and a clean print of one object, which the cleaner reader reads',
    text: '{\'status\': \'done\'} is {"status": "done"}',
    reader: 'embedded',
    answer: done,
  },

  {
    name: 'the whole text, whose input looks like an answer',
    text: lines(
      'status: continue',
      'current_step: add the todo',
      'next_action:',
      '  tool: todo',
      `  input: '{"status": "done"}'`,
    ),
    reader: 'yaml',
    answer: continueWith('{"status": "done"}'),
  },
  {
    name: 'a fence behind reasoning and prose',
    text: lines(
      '<think>',
      'status: done',
      '</think>',
      'Here:',
      '```yaml',
      'response: 好的',
      'status: done',
      '```',
      'Ok?',
    ),
    reader: 'yaml',
    answer: doneSaying('好的'),
  },
  {
    name: 'a block of text with braces in it',
    text: lines('---', 'status: done', 'question: null', 'response: |-', '  if (x) {', '    say("}")'),
    reader: 'yaml',
    answer: doneSaying('if (x) {\n  say("}")'),
  },
];
