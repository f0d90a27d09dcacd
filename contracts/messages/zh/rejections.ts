import type { rejections as english } from '../en/rejections.ts';

export const rejections = {
  truncated: '回答在 token 上限处被截断',
  refused: '模型拒绝回答',
  empty: '回答是空的',
  toolUse: '应给出约定的 JSON，回答却是工具调用',
  statusNotAllowed: (status, allowed) => `status：现在不允许“${status}”，只允许 ${allowed.join(' 或 ')}`,
  toolNotAllowed: (tool, allowed) =>
    `next_action.tool：这里不允许“${tool}”，${allowed.length === 0 ? '不能使用任何工具' : `只允许 ${allowed.join('、')}`}`,
  statusRequires: (status, field) => `status 为“${status}”时必须有 ${field}`,
  outcomeWithoutDone: 'outcome：只有 status 为“done”时才能有',
  optionsWithoutAsking: 'options：只有状态“ask_user”才有',
  repeatedQuestion: 'question：用户刚刚回答过这个问题',
  doneRequiresResponse: 'status 为“done”时必须有 response',
  allCompleted: 'plan：其中的步骤都已完成',
  duplicateId: (id) => `plan：编号“${id}”用了两次`,
  unknownDependency: (id, dependency) => `plan：步骤“${id}”依赖“${dependency}”，而本任务没有这个步骤`,
  cycle: 'plan：依赖关系构成循环',
} satisfies typeof english;
