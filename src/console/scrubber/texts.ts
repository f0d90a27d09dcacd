import { defineTexts } from '../text/define-texts.ts';

/** Texts of the scrubber. */
export const scrubberTexts = defineTexts(
  {
    history: 'History of the task',
    play: 'Play the history',
    stop: 'Stop playing',
    previous: 'To the mark before',
    next: 'To the mark behind',
    live: 'Live',
    goLive: 'Back to the newest entry',
    place: (seq: number, count: number, all: number) => `${count} of ${all} · entry ${seq}`,
    question: 'question',
    replan: 'replan',
    failure: 'failure',
    pause: 'pause',
    end: 'end',
  },
  {
    history: '任务的历史',
    play: '播放历史',
    stop: '停止播放',
    previous: '到上一个标记',
    next: '到下一个标记',
    live: '实时',
    goLive: '回到最新记录',
    place: (seq: number, count: number, all: number) => `第 ${count} / ${all} 条 · 记录 ${seq}`,
    question: '提问',
    replan: '重新规划',
    failure: '失败',
    pause: '暂停',
    end: '结束',
  },
);
