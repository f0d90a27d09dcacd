import type { questions as english } from '../en/questions.ts';

export const questions = {
  afterFailures: (step, inARow) => `步骤「${step}」连续失败 ${inARow} 次：`,
  afterRounds: (step, rounds) => `步骤「${step}」达到 ${rounds} 轮的上限，仍未完成。`,
  whatNext: '接下来该怎么做？',
  confirmPlan: (count, plan) => `计划如下，共 ${count} 项：\n${plan}\n可以开始吗？（是 / 否，或说明要改什么）`,
} satisfies typeof english;
