import type { questions as english } from '../en/questions.ts';

export const questions = {
  afterFailures: (step, inARow, failures) => `步骤「${step}」连续失败 ${inARow} 次：\n${failures}\n接下来该怎么做？`,
  confirmPlan: (count, plan) => `计划如下，共 ${count} 项：\n${plan}\n可以开始吗？（是 / 否，或说明要改什么）`,
} satisfies typeof english;
