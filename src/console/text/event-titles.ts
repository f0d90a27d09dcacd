import type { TraceEntry } from '../../../contracts/trace.ts';
import { defineTexts } from './language.ts';

export type EventType = TraceEntry['event']['type'];

/** A name for each event of a trace; a missing one does not compile. */
export const eventTitles = defineTexts<Record<EventType, readonly [string, string]>>({
  'task.opened': ['Goal', '目标'],
  'plan.made': ['Plan', '计划'],
  'plan.rejected': ['Plan rejected', '计划被拒'],
  'thought.made': ['Thought', '思考'],
  'thought.rejected': ['Thought rejected', '思考被拒'],
  'replan.made': ['Replan', '重新规划'],
  'replan.rejected': ['Replan rejected', '重新规划被拒'],
  'model.unavailable': ['No answer', '没有回答'],
  'observation.recorded': ['Result', '结果'],
  'observations.recorded': ['Results', '多个结果'],
  'tool.asked': ['Tool asks', '工具询问'],
  'verification.finished': ['Verified', '验证'],
  'effect.abandoned': ['Given up', '已放弃'],
  'quota.exhausted': ['Quota used up', '配额用完'],
  'machine.changed': ['Machine changed', '状态机变化'],
  'answer.received': ['Your answer', '你的回答'],
  'decision.received': ['Your decision', '你的决定'],
  'steer.received': ['Steered', '引导'],
  'plan.edited': ['Plan edited', '修改计划'],
  'question.expired': ['Question expired', '问题过期'],
  'task.resumed': ['Continued', '继续'],
  'task.cancelled': ['Stopped', '停止'],
  'result.superseded': ['Too late', '已过时'],
  'reminder.due': ['Reminder', '提醒'],
  'goal.due': ['Scheduled goal', '定时目标'],
  'session.forked': ['Forked', '分叉'],
});

const ends = defineTexts({ answer: ['Answer', '回答'], gaveUp: ['Gave up', '放弃'] });

/** The name of an event. A replan that ends its task is the answer. */
export const eventTitle = (event: TraceEntry['event']): string => {
  if (event.type !== 'replan.made' || event.status !== 'done') return eventTitles.value[event.type];
  return event.outcome === 'failed' ? ends.value.gaveUp : ends.value.answer;
};
