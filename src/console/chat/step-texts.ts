import { defineTexts } from '../text/language.ts';

/** Texts of the steps in a conversation. */
export const stepTexts = defineTexts({
  steps: [(count: number) => (count === 1 ? '1 step' : `${count} steps`), (count: number) => `${count} 个步骤`],
  someSteps: ['Steps', '步骤'],
  failed: ['{0} failed', '{0} 个失败'],
  earlier: [
    (count: number) => (count === 1 ? '1 earlier step' : `${count} earlier steps`),
    (count: number) => `之前的 ${count} 个步骤`,
  ],
  planning: ['Making a plan', '正在制定计划'],
  planned: [
    (count: number) => `Planned ${count === 1 ? '1 item' : `${count} items`}`,
    (count: number) => `计划了 ${count} 项`,
  ],
  thinking: ['Thinking', '思考中'],
  replanning: ['Reviewing the plan', '正在审视计划'],
  replanned: [
    (count: number) => `Changed the plan: ${count === 1 ? '1 item' : `${count} items`} to do`,
    (count: number) => `修改了计划：还有 ${count} 项`,
  ],
  checking: ['Checking the result', '正在检查结果'],
  checked: ['Checked the result', '已检查结果'],
  unusable: ['Got no usable answer', '没有得到可用的回答'],
  input: ['Input', '输入'],
  result: ['Result', '结果'],
  inspect: ['Inspect', '查看详情'],
  running: ['running', '运行中'],
  done: ['done', '完成'],
  stopped: ['stopped', '已停止'],
  notDone: ['failed', '失败'],
  working: ['Working', '进行中'],
});
