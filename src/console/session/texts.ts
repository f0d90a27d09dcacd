import { defineTexts } from '../text/language.ts';

/** Texts of the sheet that a session lies on. */
export const texts = defineTexts({
  newTitle: ['New session', '新会话'],
  noSession: ['No such session', '没有这个会话'],
  toList: ['Back to the sessions', '返回会话列表'],
  showBudget: ['Show the budget', '查看预算'],
  steps: [
    (count: number, limit: number) => (count > limit ? `${count} steps, limit ${limit}` : `${count} of ${limit} steps`),
    (count: number, limit: number) => (count > limit ? `${count} 步，上限 ${limit}` : `${count} / ${limit} 步`),
  ],
  budget: ['Budget', '预算'],
  fork: ['Fork', '分叉'],
  share: ['Share', '分享'],
  compare: ['Compare', '对比'],
  rerun: ['Run again…', '重跑…'],
  copyLink: ['Copy link', '复制链接'],
  linkCopied: ['The link is copied', '链接已复制'],
  more: ['More', '更多'],
  moreMenu: ['More to do with this session', '对此会话的更多操作'],
  agent: ['The agent of this session', '此会话的智能体'],
  runPlan: ['Run a named plan…', '运行命名计划…'],
  run: ['Run', '运行'],
  namedPlan: ['Plan', '计划'],
  noPlans: ['This session has no named plan. “/plan create” makes one.', '此会话没有命名计划。用“/plan create”新建。'],
  rename: ['Rename', '重命名'],
  remove: ['Delete', '删除'],
  actions: ['What to do with this task', '对此任务的操作'],
  stop: ['Stop', '停止'],
  stopHint: ['End this task', '结束此任务'],
  waits: ['Waits for you', '等待你处理'],
  review: ['Review', '查看'],
  noTask: ['No task yet', '还没有任务'],
  noTaskHint: [
    'Write a goal. Its plan, its steps and the machine appear here as it works.',
    '写下一个目标，它的计划、步骤和状态机会随着执行显示在这里。',
  ],
  deadLink: ['This link leads nowhere', '此链接已失效'],
  deadLinkHint: [
    'There is no such task. Its session was deleted, or it belongs to somebody else.',
    '没有这个任务：它的会话已删除，或属于别人。',
  ],
});
