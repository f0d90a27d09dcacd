import type { TraceEntry } from '../../../contracts/trace.ts';
import { defineTexts } from './language.ts';

export type EventType = TraceEntry['event']['type'];

/** A name for each event of a trace; one that is missing does not compile. */
export const eventTitles = defineTexts<Record<EventType, string>>(
  {
    'task.opened': 'Goal',
    'plan.made': 'Plan',
    'plan.rejected': 'Plan rejected',
    'thought.made': 'Thought',
    'thought.rejected': 'Thought rejected',
    'replan.made': 'Replan',
    'replan.rejected': 'Replan rejected',
    'model.unavailable': 'No answer',
    'observation.recorded': 'Result',
    'verification.finished': 'Verified',
    'effect.abandoned': 'Given up',
    'quota.exhausted': 'Quota used up',
    'machine.changed': 'Machine changed',
    'answer.received': 'Your answer',
    'decision.received': 'Your decision',
    'steer.received': 'Steered',
    'plan.edited': 'Plan edited',
    'question.expired': 'Question expired',
    'task.resumed': 'Continued',
    'task.cancelled': 'Stopped',
    'result.superseded': 'Too late',
    'reminder.due': 'Reminder',
    'goal.due': 'Scheduled goal',
    'session.forked': 'Forked',
  },
  {
    'task.opened': '目标',
    'plan.made': '计划',
    'plan.rejected': '计划被拒',
    'thought.made': '思考',
    'thought.rejected': '思考被拒',
    'replan.made': '重新规划',
    'replan.rejected': '重新规划被拒',
    'model.unavailable': '没有回答',
    'observation.recorded': '结果',
    'verification.finished': '验证',
    'effect.abandoned': '已放弃',
    'quota.exhausted': '配额用完',
    'machine.changed': '状态机变化',
    'answer.received': '你的回答',
    'decision.received': '你的决定',
    'steer.received': '引导',
    'plan.edited': '修改计划',
    'question.expired': '问题过期',
    'task.resumed': '继续',
    'task.cancelled': '停止',
    'result.superseded': '已过时',
    'reminder.due': '提醒',
    'goal.due': '定时目标',
    'session.forked': '分叉',
  },
);

const ends = defineTexts({ answer: 'Answer', gaveUp: 'Gave up' }, { answer: '回答', gaveUp: '放弃' });

/** The name of an event; a replan that ends its task is the answer. */
export const eventTitle = (event: TraceEntry['event']): string => {
  if (event.type !== 'replan.made' || event.status !== 'done') return eventTitles.value[event.type];
  return event.outcome === 'failed' ? ends.value.gaveUp : ends.value.answer;
};
