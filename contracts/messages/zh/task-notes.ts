import type { taskNotes as english } from '../en/task-notes.ts';
import { utcMinute } from '../utc-minute.ts';

export const taskNotes = {
  unknownExecutor: (itemId, name) => `步骤 ${itemId}：没有执行者“${name}”，由 default 执行`,
  unknownTool: (itemId, tool) => `步骤 ${itemId}：没有工具“${tool}”`,
  planCut: (count, kept, max) => `计划有 ${count} 项，截短为 ${kept} 项；上限是 ${max} 项`,
  waitsFor: (step, ids) => `“${step}”在等待 ${ids.join('、')}`,
  deadlock: (waiting) => `死锁，没有步骤可以执行：${waiting.join('；')}`,
  failedAction: (tool, result) => `${tool}：${result}`,
  sameResult: (times) => `同一个动作 ${times} 次得到同样的结果`,
  interrupted: (times) => `开始了 ${times} 次，都没有结果`,
  machineChanged: (from, to) => `这段历史由 ${from} 写成，现在是 ${to}`,
  tokenQuota: (used, limit, resetsAt) =>
    `今天的 ${limit} 个 token 已用 ${used} 个；${utcMinute(resetsAt)} 起是新的一天`,
} satisfies typeof english;
