import type { PauseReason, TaskContext } from '../../contracts/task.ts';

/** How a thought decided, without a word of how it reasoned. */
export type Decision = 'act' | 'ask' | 'done' | 'give_up';

/** How far a task is: items done of all, tool actions by outcome, steps used of the limit. */
export interface Standing {
  done: number;
  total: number;
  ok: number;
  failed: number;
  steps: number;
  limit: number;
}

/** The phrases of progress lines, in one language. */
export interface ProgressWords {
  plan(count: number): string;
  replan(count: number): string;
  listed(head: string, list: string): string;
  unchanged(head: string): string;
  goalAsPlan: string;
  note(text: string): string;
  item(position: number, total: number, step: string): string;
  decision: Record<Decision, string>;
  action(tool: string, input: string): string;
  result(ok: boolean, text: string): string;
  circle: string;
  planRejected(attempt: number): string;
  thoughtRejected(inARow: number): string;
  replanRejected(inARow: number): string;
  deadlock(count: number): string;
  verifying: string;
  verified(ok: boolean, text: string): string;
  question(text: string): string;
  answer(text: string): string;
  steer(text: string): string;
  planEdited(count: number): string;
  resumed(standing: Standing, next: string): string;
  nextIsPlan: string;
  nextIsReplan: string;
  superseded: string;
  unheard: string;
  answering: string;
  unusable: string;
  youEdited: string;
  youResumed: string;
  youCancelled: string;
  finished(standing: Standing): string;
  paused(why: string, standing: Standing): string;
  failed(standing: Standing): string;
  cancelled(standing: Standing): string;
  pause: Record<PauseReason, string>;
}

const standing = ({ done, total, ok, failed, steps, limit }: Standing): string =>
  `${done} of ${total} items, ${ok} ok, ${failed} failed, ${steps} of ${limit} steps`;

const standingZh = ({ done, total, ok, failed, steps, limit }: Standing): string =>
  `${done}/${total} 项，成功 ${ok} 次，失败 ${failed} 次，已用 ${steps}/${limit} 步`;

const items = (count: number): string => (count === 1 ? '1 item' : `${count} items`);

const en: ProgressWords = {
  plan: (count) => (count === 0 ? 'Plan made: no items, nothing to do first' : `Plan made: ${items(count)}`),
  replan: (count) => `Replanned: ${items(count)}`,
  listed: (head, list) => `${head}: ${list}`,
  unchanged: (head) => `${head}, unchanged`,
  goalAsPlan: 'No plan could be used, so the goal itself is the plan',
  note: (text) => `Note: ${text}`,
  item: (position, total, step) => `Item ${position}/${total}: ${step}`,
  decision: {
    act: 'Decision: use a tool',
    ask: 'Decision: ask you',
    done: 'Decision: done',
    give_up: 'Decision: give the item up and replan',
  },
  action: (tool, input) => `Action: ${tool} -> ${input}`,
  result: (ok, text) => `Result: ${ok ? 'ok' : 'failed'}: ${text}`,
  circle: 'The same action gave the same result again; that counts as a failure',
  planRejected: (attempt) => `The model's plan could not be used (attempt ${attempt})`,
  thoughtRejected: (inARow) => `The model's decision could not be used (failure ${inARow} in a row)`,
  replanRejected: (inARow) => `The model's replan could not be used (${inARow} in a row)`,
  deadlock: (count) => `Deadlock: ${items(count)} left and none can run, because of what they wait for`,
  verifying: 'Verifying what was written',
  verified: (ok, text) => (ok ? 'Verification: ok' : `Verification: failed: ${text}`),
  question: (text) => `Question: ${text}`,
  answer: (text) => `Your answer: ${text}`,
  steer: (text) => `Noted, the plan will be looked at again: ${text}`,
  planEdited: (count) => `Plan edited, ${items(count)} to do`,
  resumed: ({ done, total, steps, limit }, next) =>
    `Resumed: ${done} of ${total} items done, next: ${next}, ${steps} of ${limit} steps`,
  nextIsPlan: 'make a plan',
  nextIsReplan: 'look at the plan again',
  superseded: 'A late result came; it changes nothing',
  unheard: 'The answer was ready, but what you said since comes first',
  answering: 'The answer is ready',
  unusable: "The model's answer could not be used",
  youEdited: 'You edited the plan',
  youResumed: 'You resumed the task',
  youCancelled: 'You cancelled the task',
  finished: (at) => `Finished: ${standing(at)}`,
  paused: (why, at) => `Paused (${why}): ${standing(at)}`,
  failed: (at) => `Failed, all steps are used: ${standing(at)}`,
  cancelled: (at) => `Cancelled: ${standing(at)}`,
  pause: {
    step_limit: 'step limit reached',
    model_unavailable: 'the model gave no answer',
    contract_failure: 'replans could not be used',
    deadlock: 'no item can run',
    verification_failed: 'verification failed',
    replan_limit: 'replan limit reached',
    crash_loop: 'an action was interrupted again and again',
    machine_changed: 'the service was updated',
    budget_exhausted: 'the quota is used up',
  },
};

const zh: ProgressWords = {
  plan: (count) => (count === 0 ? '计划已制定：没有需要先做的步骤' : `计划已制定：共 ${count} 项`),
  replan: (count) => `已重新规划：共 ${count} 项`,
  listed: (head, list) => `${head}：${list}`,
  unchanged: (head) => `${head}，不变`,
  goalAsPlan: '没有可用的计划，因此以目标本身为计划',
  note: (text) => `备注：${text}`,
  item: (position, total, step) => `步骤 ${position}/${total}：${step}`,
  decision: {
    act: '决定：使用工具',
    ask: '决定：向你提问',
    done: '决定：完成',
    give_up: '决定：放弃此步骤并重新规划',
  },
  action: (tool, input) => `动作：${tool} -> ${input}`,
  result: (ok, text) => `结果：${ok ? '成功' : '失败'}：${text}`,
  circle: '相同的动作又得到相同的结果，计为一次失败',
  planRejected: (attempt) => `模型的计划无法使用（第 ${attempt} 次）`,
  thoughtRejected: (inARow) => `模型的决定无法使用（连续失败 ${inARow} 次）`,
  replanRejected: (inARow) => `模型的重新规划无法使用（连续 ${inARow} 次）`,
  deadlock: (count) => `死锁：剩下的 ${count} 项因等待其他步骤而无法执行`,
  verifying: '正在验证写入的内容',
  verified: (ok, text) => (ok ? '验证：通过' : `验证：未通过：${text}`),
  question: (text) => `提问：${text}`,
  answer: (text) => `你的回答：${text}`,
  steer: (text) => `已记下，将重新考虑计划：${text}`,
  planEdited: (count) => `计划已修改，待办 ${count} 项`,
  resumed: ({ done, total, steps, limit }, next) =>
    `已恢复：完成 ${done}/${total} 项，下一步：${next}，已用 ${steps}/${limit} 步`,
  nextIsPlan: '制定计划',
  nextIsReplan: '重新考虑计划',
  superseded: '收到迟到的结果，不作任何改变',
  unheard: '答复已就绪，但先处理你刚才说的话',
  answering: '答复已就绪',
  unusable: '模型的回答无法使用',
  youEdited: '你修改了计划',
  youResumed: '你恢复了任务',
  youCancelled: '你取消了任务',
  finished: (at) => `完成：${standingZh(at)}`,
  paused: (why, at) => `已暂停（${why}）：${standingZh(at)}`,
  failed: (at) => `失败，步数已全部用完：${standingZh(at)}`,
  cancelled: (at) => `已取消：${standingZh(at)}`,
  pause: {
    step_limit: '达到步数上限',
    model_unavailable: '模型没有给出回答',
    contract_failure: '重新规划无法使用',
    deadlock: '没有可执行的步骤',
    verification_failed: '未通过验证',
    replan_limit: '达到重新规划的上限',
    crash_loop: '同一个动作一再中断',
    machine_changed: '服务已更新',
    budget_exhausted: '配额已用完',
  },
};

/** The phrases of progress lines, by the task's language. */
export const progressWords: Record<TaskContext['language'], ProgressWords> = { en, zh };
