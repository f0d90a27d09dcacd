import type { TaskContext, TaskState } from '../../contracts/task.ts';

/** The phrases of MISSION.md, in one language. */
export interface MissionWords {
  title(state: string, steps: string): string;
  goal: string;
  plan: string;
  noPlan: string;
  decisions: string;
  earlier(count: number): string;
  questions: string;
  none: string;
  steps(used: number, limit: number): string;
  state: Record<TaskState, string>;
}

const en: MissionWords = {
  title: (state, steps) => `Mission: ${state}, ${steps}`,
  goal: 'Goal',
  plan: 'Plan',
  noPlan: 'No plan yet.',
  decisions: 'Log of decisions',
  earlier: (count) => `${count} earlier ones are in the trace`,
  questions: 'Open questions',
  none: 'None.',
  steps: (used, limit) => `${used} of ${limit} steps`,
  state: {
    planning: 'planning',
    replanning: 'replanning',
    thinking: 'deciding',
    acting: 'acting',
    verifying: 'verifying',
    awaiting_user: 'waiting for your answer',
    paused: 'paused',
    done: 'done',
    failed: 'failed',
    cancelled: 'cancelled',
  },
};

const zh: MissionWords = {
  title: (state, steps) => `任务：${state}，${steps}`,
  goal: '目标',
  plan: '计划',
  noPlan: '还没有计划。',
  decisions: '决定记录',
  earlier: (count) => `更早的 ${count} 条见轨迹`,
  questions: '未决问题',
  none: '无。',
  steps: (used, limit) => `已用 ${used}/${limit} 步`,
  state: {
    planning: '规划中',
    replanning: '重新规划中',
    thinking: '决定中',
    acting: '执行中',
    verifying: '验证中',
    awaiting_user: '等待你的回答',
    paused: '已暂停',
    done: '已完成',
    failed: '失败',
    cancelled: '已取消',
  },
};

/** The phrases of MISSION.md, by the task's language. */
export const missionWords: Record<TaskContext['language'], MissionWords> = { en, zh };
