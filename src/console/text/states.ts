import { defineTexts } from './language.ts';

/** Names of the states of tasks, turns and plan items. */
export const states = defineTexts({
  planning: ['planning', '规划中'],
  replanning: ['replanning', '重新规划'],
  thinking: ['thinking', '思考中'],
  acting: ['acting', '执行中'],
  verifying: ['verifying', '验证中'],
  awaiting_user: ['waits for you', '等待你处理'],
  paused: ['paused', '已暂停'],
  done: ['done', '完成'],
  failed: ['failed', '失败'],
  cancelled: ['stopped', '已停止'],
  idle: ['idle', '空闲'],
  queued: ['queued', '排队中'],
  running: ['running', '运行中'],
  answered: ['answered', '已回答'],
  asking: ['asks you', '等你回答'],
  ran: ['ran', '已执行'],
  not_started: ['not started', '未开始'],
  in_progress: ['in progress', '进行中'],
  completed: ['completed', '已完成'],
  blocked: ['blocked', '受阻'],
  dropped: ['dropped', '已放弃'],
});

export type StateName = keyof (typeof states)['value'];
