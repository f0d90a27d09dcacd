import type { PauseReason, TaskContext } from '../../contracts/task.ts';
import { oneLine } from './one-line.ts';

/** Longest detail of a pause in a reply, in characters: a model's error or a verifier's output says enough in these. */
const DETAIL_CHARS_MAX = 600;

/** The phrases of a reply that is built without a model, in one language. */
export interface ReplyWords {
  confirm(question: string): string;
  cancelled(goal: string): string;
  done: string;
  why: string;
  next: string;
  nothingDone: string;
  completed(step: string, result: string): string;
  more(count: number): string;
  underWay(step: string): string;
  lastSuccess(action: string, result: string): string;
  left(steps: string): string;
  pausedBecause(reason: PauseReason, context: TaskContext): string;
  failedBecause(context: TaskContext): string;
  toGoOn(reason: PauseReason, context: TaskContext): string;
  afterFailure: string;
}

const detailOf = (context: TaskContext, separator: string): string =>
  context.pause_detail === null ? '' : `${separator}${oneLine(context.pause_detail, DETAIL_CHARS_MAX)}`;

const stuckItems = (context: TaskContext): number =>
  context.plan_items.filter((item) => item.status === 'blocked').length;

/** Steps that "continue" adds: `max_steps`, or what is left up to `max_total_steps` (SPEC 4). */
const stepsMore = ({ limits, step_count }: TaskContext): number =>
  Math.min(step_count + limits.max_steps, limits.max_total_steps) - step_count;

const en: ReplyWords = {
  confirm: (question) => `Please confirm: ${question}`,
  cancelled: (goal) => `Cancelled: ${goal}`,
  done: 'What is done',
  why: 'Why it is not finished',
  next: 'What to do next',
  nothingDone: 'No item of the plan is completed yet.',
  completed: (step, result) => `${step}: ${result}`,
  more: (count) => `… and ${count} more`,
  underWay: (step) => `Under way: ${step}`,
  lastSuccess: (action, result) => `Last success: ${action}: ${result}`,
  left: (steps) => `Still to do: ${steps}`,
  pausedBecause: (reason, context) => {
    const detail = detailOf(context, ': ');
    switch (reason) {
      case 'step_limit':
        return `The task used ${context.step_count} of ${context.step_limit} steps.`;
      case 'model_unavailable':
        return `The model gave no answer${detail}`;
      case 'contract_failure':
        return `The model's replans could not be used, ${context.replan_failures} in a row${detail}`;
      case 'deadlock':
        return `The plan is deadlocked: no item left can run (${stuckItems(context)}), each waits for one that is not completed.`;
      case 'verification_failed':
        return `What was written failed its verification (${context.verify_failures} of ${context.limits.verify_limit})${detail}`;
      case 'replan_limit':
        return `The task used ${context.replans} of ${context.limits.max_replans} replans.`;
      case 'crash_loop':
        return `The same action was interrupted again and again${detail}`;
      case 'machine_changed':
        return `The service was updated while the task was open${detail}`;
      case 'budget_exhausted':
        return `The quota is used up${detail}`;
      default:
        return reason satisfies never;
    }
  },
  failedBecause: ({ step_count, limits }) =>
    `The task used ${step_count} steps; ${limits.max_total_steps} is the most that one task may ever use.`,
  toGoOn: (reason, context) => {
    switch (reason) {
      case 'step_limit':
        return `Send "continue" for up to ${stepsMore(context)} more steps.`;
      case 'model_unavailable':
        return 'When what is named above is put right or over, send "continue".';
      case 'contract_failure':
        return 'Send "continue" to try again, or open a new task that says the goal in other words.';
      case 'deadlock':
        return 'Change the plan with /plan, or send "continue" to replan the rest.';
      case 'verification_failed':
        return 'Send "continue" to have it corrected, or put it right yourself first.';
      case 'replan_limit':
        return `Send "continue" for up to ${context.limits.max_replans} more replans.`;
      case 'crash_loop':
        return 'Look into the log for what stops the action, then send "continue".';
      case 'machine_changed':
        return 'Send "continue" to replan the rest.';
      case 'budget_exhausted':
        return 'Send "continue" when there is quota again.';
      default:
        return reason satisfies never;
    }
  },
  afterFailure: 'This task has ended. Send what is still to do as a new message: it opens a new task.',
};

const zh: ReplyWords = {
  confirm: (question) => `请确认：${question}`,
  cancelled: (goal) => `已取消：${goal}`,
  done: '已完成',
  why: '为什么还没结束',
  next: '接下来怎么做',
  nothingDone: '计划中还没有完成的步骤。',
  completed: (step, result) => `${step}：${result}`,
  more: (count) => `……还有 ${count} 项`,
  underWay: (step) => `进行中：${step}`,
  lastSuccess: (action, result) => `最近一次成功：${action}：${result}`,
  left: (steps) => `还要做：${steps}`,
  pausedBecause: (reason, context) => {
    const detail = detailOf(context, '：');
    switch (reason) {
      case 'step_limit':
        return `任务已用 ${context.step_count} 步，上限 ${context.step_limit} 步。`;
      case 'model_unavailable':
        return `模型没有给出回答${detail}`;
      case 'contract_failure':
        return `模型的重新规划连续 ${context.replan_failures} 次无法使用${detail}`;
      case 'deadlock':
        return `计划陷入死锁：剩下的步骤（${stuckItems(context)} 项）都无法执行，每一项都在等待未完成的步骤。`;
      case 'verification_failed':
        return `写入的内容未通过验证（第 ${context.verify_failures} 次，上限 ${context.limits.verify_limit} 次）${detail}`;
      case 'replan_limit':
        return `任务已重新规划 ${context.replans} 次，上限 ${context.limits.max_replans} 次。`;
      case 'crash_loop':
        return `同一个动作一再中断${detail}`;
      case 'machine_changed':
        return `任务进行期间服务已更新${detail}`;
      case 'budget_exhausted':
        return `配额已用完${detail}`;
      default:
        return reason satisfies never;
    }
  },
  failedBecause: ({ step_count, limits }) =>
    `任务已用 ${step_count} 步；一个任务最多只能用 ${limits.max_total_steps} 步。`,
  toGoOn: (reason, context) => {
    switch (reason) {
      case 'step_limit':
        return `发送“继续”最多可再用 ${stepsMore(context)} 步。`;
      case 'model_unavailable':
        return '上面指出的问题解决后，发送“继续”。';
      case 'contract_failure':
        return '发送“继续”再试一次，或换一种说法开始新任务。';
      case 'deadlock':
        return '用 /plan 修改计划，或发送“继续”重新规划剩余部分。';
      case 'verification_failed':
        return '发送“继续”让它改正，或先自行修正。';
      case 'replan_limit':
        return `发送“继续”可再重新规划 ${context.limits.max_replans} 次。`;
      case 'crash_loop':
        return '先查看日志找出中断的原因，再发送“继续”。';
      case 'machine_changed':
        return '发送“继续”重新规划剩余部分。';
      case 'budget_exhausted':
        return '有配额后发送“继续”。';
      default:
        return reason satisfies never;
    }
  },
  afterFailure: '这个任务已结束。把还要做的事作为新消息发送，会开始一个新任务。',
};

/** The phrases of the replies that are built without a model, by the task's language. */
export const replyWords: Record<TaskContext['language'], ReplyWords> = { en, zh };
