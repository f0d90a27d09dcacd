import { defineTexts } from '../text/define-texts.ts';

export const texts = defineTexts(
  {
    title: 'Sessions',
    create: 'New session',
    search: 'Search sessions',
    state: 'State',
    all: 'All states',
    running: 'Running',
    waiting: 'Asks you',
    paused: 'Paused',
    idle: 'Idle',
    none: 'No sessions yet',
    noneHint: 'Begin one, and write what should be done.',
    noMatch: 'No session matches.',
    queued: (count: number) => `+${count} queued`,
  },
  {
    title: '会话',
    create: '新建会话',
    search: '搜索会话',
    state: '状态',
    all: '所有状态',
    running: '运行中',
    waiting: '等你回答',
    paused: '已暂停',
    idle: '空闲',
    none: '还没有会话',
    noneHint: '新建一个，写下要做的事。',
    noMatch: '没有匹配的会话。',
    queued: (count: number) => `排队 +${count}`,
  },
);
