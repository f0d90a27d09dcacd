import type { namedPlans as english } from '../en/named-plans.ts';

export const namedPlans = {
  created: (plan) => `已创建。\n${plan}`,
  updated: (plan) => `已更新。\n${plan}`,
  activated: (plan) => `已设为当前。\n${plan}`,
  marked: (plan) => `已标记。\n${plan}`,
  deleted: (planId) => `已删除计划“${planId}”。`,
  refused: {
    unknown: (planId) => `没有计划“${planId}”。`,
    no_active: () => '没有当前计划，请写明计划 ID。',
    exists: (planId) => `计划“${planId}”已存在：请更新它，或换一个 ID。`,
    full: () => '本会话的计划太多，请先删除一个。',
    no_such_step: () => '该计划没有这个编号的步骤。',
  },
  heading: (title, planId, isActive) => `计划：${title}（ID：${planId}${isActive ? '，当前' : ''}）`,
  progress: (share) => `进度：${share}`,
  share: (completed, total, percent) => `已完成 ${completed}/${total} 步（${percent}%）`,
  notes: (text) => `备注：${text}`,
  list: (count) => `计划 (${count})`,
  emptyList: '没有计划。',
  wholeCommand: '命令',
  invalidField: (field, problem) => `${field} 不合要求：${problem}。`,
  invalidPlanId: '要有 1 到 64 个字母、数字、_、. 或 -，并且不能只有数字',
  invalidJson: '这不是有效的 JSON。',
  missingPlanId: '缺少计划 ID。',
  missingStepNumber: '缺少步骤编号。',
  stepNumber: '步骤编号',
} satisfies typeof english;
