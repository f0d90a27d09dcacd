import { defineTexts } from '../text/language.ts';

export const texts = defineTexts(
  {
    title: 'Waits for you',
    none: 'Nothing waits for you.',
    paused: 'Paused: it goes on when you say so.',
    count: (count: number) => `${count} waiting`,
    more: 'and more after these',
    yes: 'Yes',
    no: 'No',
    notify: 'Notify me',
  },
  {
    title: '等待你处理',
    none: '没有等待你的事项。',
    paused: '已暂停：你说继续，它才继续。',
    count: (count: number) => `${count} 项等待中`,
    more: '后面还有更多',
    yes: '允许',
    no: '拒绝',
    notify: '通知我',
  },
);
