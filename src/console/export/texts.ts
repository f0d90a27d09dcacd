import { defineTexts } from '../text/language.ts';

export const texts = defineTexts({
  shareTitle: ['Share this task', '分享此任务'],
  link: ['Copy link', '复制链接'],
  linkHint: [
    'It opens here what you see, for those who may see it.',
    '打开后看到的与你现在看到的相同，对方需要有权限。',
  ],
  copyHeading: ['Copy', '复制'],
  curl: ['As curl', '复制为 curl'],
  curlHint: ['The request that begins the same task.', '发起同样任务的请求。'],
  ndjson: ['As NDJSON', '复制为 NDJSON'],
  ndjsonHint: ['Its trace, one entry a line. It can be replayed anywhere.', '它的轨迹，每行一条，可在任何地方重放。'],
  test: ['As a vitest test', '复制为 vitest 测试'],
  testHint: ['A test that fails if this history replays differently.', '当这段历史的重放结果不同时，测试会失败。'],
  saveHeading: ['Save', '保存'],
  saveNdjson: ['Trace', '轨迹文件'],
  saveNdjsonHint: ['A file that “Open a trace file” opens.', '可用“打开轨迹文件”打开的文件。'],
  saveHtml: ['HTML page', 'HTML 页面'],
  saveHtmlHint: [
    'One file with the plan, the answers and every step, which opens anywhere. It contains the stored prompts.',
    '单个文件，含计划、回答和每一步，可在任何地方打开；包含已保留的提示词。',
  ],
  compareTitle: ['Compare this task', '对比此任务'],
  compareWith: ['Compare with', '对比对象'],
  origin: ['the task it was forked from', '分叉来源任务'],
  otherTask: ['Or another task, by its id or its link', '或填写另一个任务的 ID 或链接'],
  otherPlaceholder: ['task_…', 'task_…'],
  noOther: [
    'This session has no other task. Give the id or the link of one.',
    '此会话没有其他任务，请填写一个任务的 ID 或链接。',
  ],
  open: ['Compare', '对比'],
  preparing: ['Preparing…', '准备中…'],
});

/** Texts of the page that a task is saved as. */
export const pageTexts = defineTexts({
  state: ['State', '状态'],
  session: ['Session', '会话'],
  task: ['Task', '任务'],
  opened: ['Opened', '开始于'],
  last: ['Last entry', '最后一条'],
  steps: ['Steps', '步数'],
  tokens: ['Tokens', 'Token'],
  cost: ['Cost', '费用'],
  answer: ['Answer', '回答'],
  plan: ['Plan', '计划'],
  entries: ['What happened', '经过'],
  event: ['Event', '事件'],
  effects: ['Asked for', '所请求的操作'],
  call: ['Model call', '模型调用'],
  prompt: ['Prompt', '提示词'],
  tools: ['Tools', '工具'],
  modelAnswer: ['Answer of the model', '模型的回答'],
  noAnswer: ['No answer', '没有回答'],
});
