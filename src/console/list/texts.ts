import { defineTexts } from '../text/language.ts';

export const texts = defineTexts({
  title: ['Sessions', '会话'],
  create: ['New session', '新建会话'],
  search: ['Search sessions', '搜索会话'],
  filter: ['Filter', '筛选'],
  anyState: ['Every state', '所有状态'],
  date: ['Date', '日期'],
  anyDate: ['Every day', '所有日期'],
  days7: ['Last 7 days', '最近 7 天'],
  days30: ['Last 30 days', '最近 30 天'],
  none: ['No sessions yet', '还没有会话'],
  noneHint: ['Start one, and write what should be done.', '新建一个，写下要做的事。'],
  noMatch: ['No session matches.', '没有匹配的会话。'],
  queued: ['+{0} queued', '排队 +{0}'],
  today: ['Today', '今天'],
  yesterday: ['Yesterday', '昨天'],
  week: ['Last 7 days', '过去 7 天'],
  rename: ['Rename “{0}”', '重命名“{0}”'],
  remove: ['Delete “{0}”', '删除“{0}”'],
  delete: ['Delete “{0}”?', '删除“{0}”？'],
  name: ['Name', '名称'],
  nameHint: ['Empty: its first input', '留空则恢复为第一条输入'],
  removeHint: [
    'Its history, plans and files are deleted too. Todos and schedule stay.',
    '它的历史、计划和文件会一并删除。待办和日程会保留。',
  ],
});
