import type { PlanAnswer, ReplanAnswer } from '../../contracts/answer.ts';
import { lines, type ReadCase } from './read-answer-case.ts';

const planned = (...plan: PlanAnswer['plan']): PlanAnswer => ({ status: 'planned', plan });
const find = { id: 'find', step: '[SEARCH] find flights', tools: ['internet_search'] };

export const plans: ReadCase<PlanAnswer>[] = [
  {
    name: 'steps as strings',
    text: '{"status":"planned","plan":["a","b"]}',
    reader: 'strict',
    answer: planned('a', 'b'),
  },
  { name: 'an empty plan', text: '{"status":"planned","plan":[]}', reader: 'strict', answer: planned() },
  {
    name: 'a goal and items with dependencies',
    text: JSON.stringify({
      status: 'planned',
      goal: '订机票',
      plan: [find, { id: 2, step: 'book', depends_on: ['find', 1], executor: '', expected: null }],
    }),
    reader: 'strict',
    answer: {
      status: 'planned',
      goal: '订机票',
      plan: [find, { id: '2', step: 'book', depends_on: ['find', '1'] }],
    },
  },
  {
    name: 'a fenced plan',
    text: '好的，计划如下：\n```json\n{"status":"planned","plan":["查询航班","预订"]}\n```',
    reader: 'fenced',
    answer: planned('查询航班', '预订'),
  },
  {
    name: 'an embedded plan whose prose lists other steps',
    text: lines('I considered:', '1. walking', '2. flying', '{"status":"planned","plan":["fly"]}'),
    reader: 'embedded',
    answer: planned('fly'),
  },
  {
    name: 'a plan as Python prints it',
    text: "{'status': 'planned', 'plan': ['find a flight', {'id': 'b', 'step': 'book it', 'tools': None},]}",
    reader: 'repaired',
    answer: planned('find a flight', { id: 'b', step: 'book it', tools: null }),
  },
  {
    name: '[Step] lines in prose',
    text: lines('Here is my plan:', '[Step] Find flights', '- a detail', '[Step] Book one', 'Good luck!'),
    reader: 'signal',
    answer: planned('Find flights', 'Book one'),
  },
  {
    name: 'a numbered list with its details',
    text: lines('The plan:', '', '1. Find flights', '   - cheap ones', '   1. today', '2. Book one'),
    reader: 'signal',
    answer: planned('Find flights', 'Book one'),
  },
  { name: 'numbers in parentheses', text: '1) find\n2) book', reader: 'signal', answer: planned('find', 'book') },
  { name: 'numbers without blanks', text: '1.查询\n2)预订', reader: 'signal', answer: planned('查询', '预订') },
  { name: 'numbers all one', text: '1. find\n1. book', reader: 'signal', answer: planned('find', 'book') },
  {
    name: 'a Chinese numbered list',
    text: '计划：\r\n1、查询航班\r\n2、预订机票\r\n3、写入日程',
    reader: 'signal',
    answer: planned('查询航班', '预订机票', '写入日程'),
  },
  {
    name: 'steps by Chinese ordinals',
    text: '第一步：查询航班\n第二步：预订机票\n第十一步，写入日程',
    reader: 'signal',
    answer: planned('查询航班', '预订机票', '写入日程'),
  },
  { name: 'full-width parentheses', text: '（1）查询\n（2）预订', reader: 'signal', answer: planned('查询', '预订') },
  { name: 'steps by name', text: 'Step 1: find\nStep 2: book', reader: 'signal', answer: planned('find', 'book') },
  {
    name: 'a dashed list',
    text: 'I would:\n- find flights\n- [CODE] write the script\n---\n',
    reader: 'signal',
    answer: planned('find flights', '[CODE] write the script'),
  },
  { name: 'a checklist', text: '- [ ] find\n- [x] book', reader: 'signal', answer: planned('find', 'book') },
  {
    name: 'bullets',
    text: '• 查询航班\n• 预订 {两} 张',
    reader: 'signal',
    answer: planned('查询航班', '预订 {两} 张'),
  },
  {
    name: 'a list after a draft in a think block',
    text: '<think>\n1. wrong\n{"status":"planned","plan":["wrong"]}\n</think>\n1. right\n2. on time',
    reader: 'signal',
    answer: planned('right', 'on time'),
  },
  {
    name: 'several [Step] marks on a line',
    text: '[Step] find; [Step 2] book **[Step]** pay',
    reader: 'signal',
    answer: planned('find', 'book', 'pay'),
  },
  { name: 'Chinese step marks', text: '【步骤1】查询【步骤2】预订', reader: 'signal', answer: planned('查询', '预订') },
  { name: 'one [Step] mark', text: '[step] find', reader: 'signal', answer: planned('find') },
  { name: 'a list in a fence', text: '```\n1. find\n2. book\n```', reader: 'signal', answer: planned('find', 'book') },
];

const replanned = (...plan: ReplanAnswer['plan']): ReplanAnswer => ({ status: 'replanned', plan, response: null });
const answered = (response: string): ReplanAnswer => ({ status: 'done', plan: [], response });

export const replans: ReadCase<ReplanAnswer>[] = [
  {
    name: 'work still to do',
    text: '{"status":"replanned","plan":["book",{"id":3,"step":"pay","depends_on":""}],"response":null}',
    reader: 'strict',
    answer: replanned('book', { id: '3', step: 'pay', depends_on: null }),
  },
  {
    name: 'the answer',
    text: '{"status":"done","plan":[],"response":"Booked."}',
    reader: 'strict',
    answer: answered('Booked.'),
  },
  {
    name: 'the answer without a plan',
    text: '{"status":"done","response":"好了"}',
    reader: 'strict',
    answer: answered('好了'),
  },
  {
    name: 'the answer with an empty string for a plan',
    text: '{"status":"done","plan":"","response":"ok"}',
    reader: 'strict',
    answer: answered('ok'),
  },
  {
    name: 'an answer in Markdown with code in it',
    text: JSON.stringify({ status: 'done', response: '# Result\n```js\nconst a = {b: 1};\n```\n[Done]' }),
    reader: 'strict',
    answer: answered('# Result\n```js\nconst a = {b: 1};\n```\n[Done]'),
  },
  {
    name: 'a fenced replan',
    text: 'Updated plan:\n\n```json\n{"status":"replanned","plan":["pay"]}\n```',
    reader: 'fenced',
    answer: replanned('pay'),
  },
  {
    name: 'an embedded answer after thinking',
    text: '<think>done?</think>{"status":"done","response":"Booked ✈️"}',
    reader: 'embedded',
    answer: answered('Booked ✈️'),
  },
  {
    name: 'a repaired replan',
    text: '{"status":"replanned","plan":["付款",],"response":None}',
    reader: 'repaired',
    answer: replanned('付款'),
  },
  { name: 'a list', text: 'Still to do:\n- book\n- pay', reader: 'signal', answer: replanned('book', 'pay') },
  { name: 'a step mark', text: '[Step] pay', reader: 'signal', answer: replanned('pay') },
  { name: 'a done mark', text: 'Booked for Friday.\n[Done]', reader: 'signal', answer: answered('Booked for Friday.') },
  {
    name: 'a Chinese done mark',
    text: '已订好周五的票。【完成】',
    reader: 'signal',
    answer: answered('已订好周五的票。'),
  },
  {
    name: 'a failed mark',
    text: 'No site lists the train.\n[Failed]',
    reader: 'signal',
    answer: { ...answered('No site lists the train.'), outcome: 'failed' },
  },
];
