import { defineTexts } from '../text/define-texts.ts';

/** Texts of the entries' own lines. */
export const entryTexts = defineTexts(
  {
    because: (text: string, reason: string) => `${text}: ${reason}`,
    goesOn: 'goes on',
    asks: (question: string) => `asks: ${question}`,
    itemDone: 'item done',
    itemBlocked: 'item blocked',
    noSteps: 'no items',
    left: (steps: string) => `to do: ${steps}`,
    abandoned: (begins: number) => `begun ${begins} times without an end`,
    approve: 'yes',
    approve_always: 'yes, always',
    edit: (input: string) => `yes, with this input: ${input}`,
    reject: 'no',
    edits: (count: number) => (count === 1 ? '1 change' : `${count} changes`),
    forkedFrom: (session: string, seq: number) => `from ${session} at entry ${seq}`,
  },
  {
    because: (text: string, reason: string) => `${text}：${reason}`,
    goesOn: '继续',
    asks: (question: string) => `提问：${question}`,
    itemDone: '步骤完成',
    itemBlocked: '步骤受阻',
    noSteps: '没有步骤',
    left: (steps: string) => `待办：${steps}`,
    abandoned: (begins: number) => `开始了 ${begins} 次都没有结束`,
    approve: '批准',
    approve_always: '始终批准',
    edit: (input: string) => `批准，改用此输入：${input}`,
    reject: '拒绝',
    edits: (count: number) => `${count} 处修改`,
    forkedFrom: (session: string, seq: number) => `来自 ${session} 的第 ${seq} 条记录`,
  },
);
