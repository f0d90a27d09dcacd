import type { missionFile as english } from '../en/mission-file.ts';

export const missionFile = {
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
} satisfies typeof english;
