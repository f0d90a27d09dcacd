import { defineTexts } from '../text/language.ts';

/** Texts of the start screen. */
export const texts = defineTexts({
  ask: ['What should be done?', '要做什么？'],
  model: ['Answers come from {0}', '由 {0} 回答'],
  agent: ['Agent', '智能体'],
  agentOf: ['Agent: {0}', '智能体：{0}'],
  offline: ['Offline rules', '离线规则'],
  offlineHint: ['Offline rules answer: no key is set', '由离线规则回答：没有设置密钥'],
  setKey: [
    'They handle todos and the calendar. For everything else, start Tripact with a key for a model:',
    '离线规则只懂待办和日程。要做其他事，请带模型的密钥启动 Tripact：',
  ],
  examples: ['Examples', '示例'],
  todos: ['Buy milk, and review at 3', '买牛奶，三点评审'],
  todosNote: ['Adds a todo and an event', '添加一条待办和一个日程'],
  todosInput: [
    'Add a todo to buy milk and schedule a review tomorrow at 3pm',
    '添加待办：买牛奶，并安排明天下午三点评审',
  ],
  call: ['Schedule a call with Ann', '安排和小王的通话'],
  callNote: ['Asks you when, then puts it down', '先问你时间，再记下来'],
  commands: ['See all commands', '查看所有命令'],
  commandsNote: ['/help lists them', '/help 会列出它们'],
  move: ['Plan a move in six weeks', '规划六周后的搬家'],
  moveNote: ['Makes a plan, and a todo of each step', '先做计划，再把每步记成待办'],
  moveInput: [
    'I move house in six weeks. Plan it step by step, and add each step as a todo with a date.',
    '我六周后搬家。请一步步规划，并把每一步记成带日期的待办。',
  ],
  compare: ['Compare three ways to brew coffee', '比较三种咖啡冲泡法'],
  compareNote: ['Writes a table with a recommendation', '写成表格并给出建议'],
  compareInput: [
    'Compare French press, pour-over and espresso for a small office in a table: taste, cost, effort. Recommend one.',
    '为小办公室比较法压、手冲和意式三种咖啡：口味、成本、麻烦程度，列成表格，并推荐一种。',
  ],
  figures: ['Today', '今日'],
  running: ['running', '运行中'],
  waiting: ['wait for you', '等待你处理'],
  longest: ['longest {0}', '最久 {0}'],
  failed: ['failed today', '今日失败'],
  spent: ['spent today', '今日花费'],
  tokens: ['tokens today', '今日 token'],
  ofLimit: ['of {0}', '限额 {0}'],
  utc: ['Since midnight UTC', '自 UTC 零点起'],
  demoTitle: ['See a finished task at its question', '看一个完成的任务，停在它提问的时刻'],
  demoHint: [
    'A refund that waited for a yes. No model, no key, nothing is paid.',
    '一笔等待批准的退款。不需要模型和密钥，也不会付款。',
  ],
  demo: ['Load the demo task', '载入示例任务'],
});
