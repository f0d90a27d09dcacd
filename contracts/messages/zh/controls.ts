import type { controls as english } from '../en/controls.ts';
import { missionFile } from './mission-file.ts';

export const controls = {
  nothingToCancel: '没有可以取消的任务。',
  nothingToResume: '没有已暂停的任务可以继续。',
  busyWithAnother: '本会话有另一个任务正在执行或等待回答。请先完成它或 /cancel，再 /resume。',
  stillRunning: '任务已在执行中。',
  planIsInUse: '任务正在执行；只有在等待或暂停时才能修改计划。',
  noPlanToEdit: '本会话没有等待中或已暂停的任务，无计划可改。',
  noPlanYet: '任务还没有计划；/continue 会制定计划。',
  planIsFull: '计划已满；请先去掉一个步骤。',
  stepTooLong: (max) => `每个步骤最多 ${max} 个字符，这一个太长了。`,
  noSuchItem: '计划中没有这个编号的步骤。用 /plan 查看。',
  noSuchTask: (id) => `本会话没有任务「${id}」。`,
  notPaused: (id, state) =>
    `任务 ${id} 没有暂停，它的状态是：${state === 'running' ? '执行中' : missionFile.state[state]}。`,
  waitsForAnswer: (question) => `任务正在等待你的回答：${question}`,
  planEdited: (plan) => `计划现在是：\n${plan}`,
} satisfies typeof english;
