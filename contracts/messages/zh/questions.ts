import type { questions as english } from '../en/questions.ts';

export const questions = {
  afterFailures: (step, inARow) => `步骤「${step}」连续失败 ${inARow} 次：`,
  afterRounds: (step, rounds) => `步骤「${step}」达到轮数上限（${rounds} 轮），仍未完成。`,
  whatNext: '接下来该怎么做？',
  confirmPlan: (count, plan) => `计划如下，共 ${count} 项：\n${plan}\n可以开始吗？（是 / 否，或说明要改什么）`,
  mayRun: (tool, input) => `可以用以下输入运行工具「${tool}」吗？\n\n${input}`,
  didNotRun: (tool, input) => `可以运行「${tool}」吗？（没有运行。）输入：${input}`,
  approved: '是',
  rejected: '否',
  approvedAlways: '总是',
  edited: (input) => `是，但改用以下输入：${input}`,
  notOpen: '这个问题已不再等待回答：已有答案，或任务已结束。这次的回答没有采用。',
  answerFirst: '这个对话中有一个问题在等待回答：请先回答它或发送 /cancel，再重新生成先前的回复。',
  planEdited: (tool) => `计划已修改，因此「${tool}」没有运行。要按修改后的计划继续吗？`,
} satisfies typeof english;
