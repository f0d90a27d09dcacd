import { defineTexts } from '../text/language.ts';

/** Texts about a history that is folded. */
export const historyTexts = defineTexts(
  {
    folding: (done: number, all: number) => `Working through the history: ${done} of ${all} entries`,
    failed: 'The history could not be worked through',
    difference: (seq: number) => `Does not replay: at entry ${seq} the machine gives something else`,
    upTo: 'Shown is what comes before it.',
    expected: 'The machine gives',
    actual: 'The trace says',
    accepted: (state: string) => `an event that the state “${state}” accepts`,
    unknownFields: 'the same with fields that no effect has',
  },
  {
    folding: (done: number, all: number) => `正在重放历史：${all} 条记录中的第 ${done} 条`,
    failed: '无法重放历史',
    difference: (seq: number) => `无法重放：在第 ${seq} 条记录处，状态机得出不同结果`,
    upTo: '这里显示此前的内容。',
    expected: '状态机得出',
    actual: '轨迹记录为',
    accepted: (state: string) => `状态“${state}”可接受的事件`,
    unknownFields: '相同，但多出任何动作都没有的字段',
  },
);
