import { defineTexts } from '../text/language.ts';
import type { ChartArrow } from './chart.ts';

/**
 * Why a transition is taken, by the guard that its definition names, after its event where the same guard says something
 * else elsewhere. Each reads after “if”.
 */
const guardWords = defineTexts<Record<string, readonly [string, string]>>({
  'isPlanReady and confirmsFirstPlan': ['its plan needs your yes', '计划需要你同意'],
  isPlanInitialized: ['it has a plan', '已有计划'],
  'task.resumed isPlanInitialized': ['you go on', '你让它继续'],
  'not plansFirst and confirmsFirstPlan': ['its plan needs your yes', '计划需要你同意'],
  'not plansFirst': ['it begins without a plan', '不先制定计划'],
  'confirmsFirstPlan and hasPlan': ['the plan needs your yes', '计划需要你同意'],
  'arePlanRetriesSpent and confirmsFirstPlan': [
    'it gets no usable plan, and you confirm it',
    '多次得不到可用的计划，由你确认',
  ],
  arePlanRetriesSpent: ['it gets no usable plan', '多次得不到可用的计划'],
  isBudgetSpent: ['the budget is spent', '预算已用完'],
  'needsReplan and areReplansSpent': ['no replan is left', '重新规划的次数已用完'],
  needsReplan: ['the plan needs another look', '计划需要重新审视'],
  isPlanEmpty: ['the plan has no items', '计划中没有项'],
  canPickItem: ['the next item begins', '开始下一项'],
  'isDeadlocked and wasDeadlocked': ['items wait for each other again', '计划项再次互相等待'],
  isDeadlocked: ['items wait for each other', '计划项互相等待'],
  'areStepsSpent and isStepLimitFinal': ['no step is left for good', '步数已彻底用完'],
  areStepsSpent: ['the steps are used up', '步数已用完'],
  'isDone and isSteered': ['you steered it meanwhile', '你在此期间引导了它'],
  'isDone and needsVerifying': ['it has the answer, and wrote something', '已有回答，且写入了内容'],
  isDone: ['it has the answer', '已有回答'],
  'confirmsPlan and not isSteered': ['the plan needs your yes', '计划需要你同意'],
  areReplanRetriesSpent: ['it gets no usable answer, too often', '多次得不到可用的回答'],
  givesItemUp: ['it gives the item up', '放弃当前项'],
  'wantsAction and needsApproval': ['its action needs your yes', '操作需要你批准'],
  wantsAction: ['it calls a tool', '调用工具'],
  asksUser: ['it asks you', '向你提问'],
  concludesTask: ['it has the answer', '已有回答'],
  isRejectedAgain: ['it gets no usable answer, too often', '多次得不到可用的回答'],
  'isVerified and isSteered': ['you steered it meanwhile', '你在此期间引导了它'],
  isVerified: ['the check passes', '检查通过'],
  isVerifySpent: ['the check fails too often', '检查多次失败'],
  'isPlanShown and saysYes': ['you agree to the plan', '你同意计划'],
  'isPlanShown and saysNo': ['you refuse the plan', '你拒绝计划'],
  isPlanShown: ['you change the plan', '你修改计划'],
  'isApprovalPending and letsItRun': ['you approve', '你批准'],
  isApprovalPending: ['you refuse', '你拒绝'],
  'isToolAsking and isMisfit': ['the answer doesn’t fit the form', '回答不符合表单'],
  'isToolAsking and asksMore': ['the tool asks for more', '工具继续询问'],
  isToolAsking: ['you answer the tool', '你回答工具'],
  isActionHeld: ['you change the plan', '你修改计划'],
  isQuestionExpired: ['you go on, and it asks again', '你让它继续，它再次提问'],
});

/** The same for transitions without a guard, by their event. */
const eventWords = defineTexts<Record<string, readonly [string, string]>>({
  'plan.made': ['the plan is made', '计划已制定'],
  'plan.rejected': ['it gets no usable plan', '得不到可用的计划'],
  'thought.made': ['the item is done', '当前项完成'],
  'thought.rejected': ['it gets no usable answer', '得不到可用的回答'],
  'replan.made': ['the plan goes on', '计划继续'],
  'replan.rejected': ['it gets no usable answer', '得不到可用的回答'],
  'model.unavailable': ['the model can’t be reached', '无法连接模型'],
  'effect.abandoned': ['the service crashed on it again and again', '服务多次因它崩溃'],
  'quota.exhausted': ['your quota is used up', '配额已用完'],
  'observation.recorded': ['the tool answers', '工具返回结果'],
  'observations.recorded': ['the tools answer', '多个工具返回结果'],
  'tool.asked': ['the tool asks you', '工具向你询问'],
  'verification.finished': ['the check fails', '检查失败'],
  'answer.received': ['you answer', '你回答'],
  'decision.received': ['you refuse', '你拒绝'],
  'question.expired': ['nobody answers in time', '无人按时回答'],
  'plan.edited': ['you change the plan', '你修改计划'],
  'steer.received': ['you steer it', '你引导它'],
  'task.resumed': ['you go on', '你让它继续'],
  'task.cancelled': ['you stop it', '你停止它'],
  'result.superseded': ['a result comes too late', '结果来得太迟'],
  'machine.changed': ['an upgrade can’t go on with it', '升级后的版本无法继续'],
});

const atOnce = defineTexts({ words: ['in every other case', '其他情况'] });

/** The definition says why a transition is taken. One without event and guard is what is left where no other is taken. */
export const hasReason = ({ event, guard }: Pick<ChartArrow, 'event' | 'guard'>): boolean =>
  event !== null || guard !== null;

/** Why a transition is taken, in words; its event and guard as they are where there are no words. */
export const arrowWords = ({ event, guard }: Pick<ChartArrow, 'event' | 'guard'>): string => {
  if (guard !== null) {
    const words = guardWords.value;
    return words[`${event} ${guard}`] ?? words[guard] ?? [event, guard].filter(Boolean).join(' · ');
  }
  return event === null ? atOnce.value.words : (eventWords.value[event] ?? event);
};
