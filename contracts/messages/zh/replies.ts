import { totalTokens } from '../../usage.ts';
import { type replies as english, stepsAdded } from '../en/replies.ts';

const withDetail = (text: string, detail: string | null): string => (detail === null ? text : `${text}：${detail}`);

export const replies = {
  confirm: (question) => `请确认：${question}`,
  cancelled: (goal) => `已取消：${goal}`,
  done: '已完成',
  why: '为什么还没结束',
  next: '接下来怎么做',
  nothingDone: '计划中还没有完成的步骤。',
  onlyAnswerMissing: '计划的所有步骤都已完成，只差最后的答复。',
  ended: (step, result) => `${step}：${result}`,
  more: (count) => `……还有 ${count} 项`,
  underWay: (step) => `进行中：${step}`,
  lastSuccess: (action, result) => `最近一次成功：${action}：${result}`,
  left: (steps) => `还要做：${steps}`,
  paused: {
    step_limit: ({ step_count, step_limit }) => `任务已用 ${step_count} 步，上限 ${step_limit} 步。`,
    model_unavailable: (_, detail) => withDetail('模型没有给出回答', detail),
    contract_failure: ({ replan_failures }, detail) =>
      withDetail(`模型的重新规划连续 ${replan_failures} 次无法使用`, detail),
    deadlock: ({ plan_items }) =>
      `计划陷入死锁：剩下的步骤（${plan_items.filter(({ status }) => status === 'blocked').length} 项）都无法执行，每一项都在等待未完成的步骤。`,
    verification_failed: ({ verify_failures, limits }, detail) =>
      withDetail(`写入的内容未通过验证（第 ${verify_failures} 次，上限 ${limits.verify_limit} 次）`, detail),
    replan_limit: ({ replans, limits }) => `任务已重新规划 ${replans} 次，上限 ${limits.max_replans} 次。`,
    crash_loop: (_, detail) => withDetail('同一个动作一再中断', detail),
    machine_changed: (_, detail) => withDetail('任务进行期间服务已更新', detail),
    budget_exhausted: ({ usage, token_limit }, detail) =>
      detail === null && token_limit !== null
        ? `任务已用 ${totalTokens(usage)} 个 token，上限 ${token_limit} 个。`
        : withDetail('配额已用完', detail),
  },
  failed: ({ step_count, limits }) => `任务已用 ${step_count} 步；一个任务最多只能用 ${limits.max_total_steps} 步。`,
  toContinue: {
    step_limit: (task) => `发送“继续”最多可再用 ${stepsAdded(task)} 步。`,
    model_unavailable: () => '上面指出的问题解决后，发送“继续”。',
    contract_failure: () => '发送“继续”再试一次，或换一种说法开始新任务。',
    deadlock: () => '用 /plan 修改计划，或发送“继续”重新规划剩余部分。',
    verification_failed: () => '发送“继续”让它改正，或先自行修正。',
    replan_limit: ({ limits }) => `发送“继续”可再重新规划 ${limits.max_replans} 次。`,
    crash_loop: () => '先查看日志找出中断的原因，再发送“继续”。',
    machine_changed: () => '发送“继续”重新规划剩余部分。',
    budget_exhausted: ({ limits, pause_detail }) =>
      pause_detail === null && limits.max_task_tokens !== null
        ? `发送“继续”可再用 ${limits.max_task_tokens} 个 token。`
        : '有配额后发送“继续”。',
  },
  turnsOfDay: (turns, resetsAt) => `每天最多可以发送 ${turns} 次；新的一天从 ${resetsAt} 开始`,
  afterFailure: '这个任务已结束。把还要做的事作为新消息发送，会开始一个新任务。',
} satisfies typeof english;
