import { defineTexts } from '../text/language.ts';

/** Texts of the lists of what was recorded. */
export const tracesTexts = defineTexts({
  title: ['Traces', '轨迹'],
  tasks: ['Recorded tasks', '录制的任务'],
  reruns: ['Reruns', '重跑'],
  task: ['Task', '任务'],
  entries: ['Entries', '记录数'],
  entriesUnit: [(count: number) => (count === 1 ? 'entry' : 'entries'), () => '条记录'],
  cost: ['Cost', '费用'],
  feedback: ['Feedback', '反馈'],
  used: ['Last used', '最近使用'],
  search: ['Search tasks', '搜索任务'],
  state: ['State', '状态'],
  anyState: ['Any state', '任意状态'],
  none: ['No task was recorded yet', '还没有录制的任务'],
  noneHint: [
    'Every task is recorded step by step as it runs. Give one on the first page, or look at the demo task.',
    '每个任务运行时都会逐步录制。可在首页交办一个任务，或先看看示例任务。',
  ],
  noMatch: ['No task matches', '没有匹配的任务'],
  choose: ['Choose “{0}”', '选择“{0}”'],
  chosen: ['{0} chosen', '已选 {0} 个'],
  compare: ['Compare', '对比'],
  compareHint: ['Choose two to compare them', '选择两个即可对比'],
  rerun: ['Run again…', '重跑…'],
  noLonger: ['Choose none', '取消选择'],
  ratedUp: ['{0} rated up', '{0} 个好评'],
  ratedDown: ['{0} rated down', '{0} 个差评'],
});
