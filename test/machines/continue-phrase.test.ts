import { describe, expect, it } from 'vitest';
import { isContinuePhrase } from '../../machines/phrases.ts';

const PHRASES = [
  ...['continue', 'resume', 'go on', 'go ahead', 'carry on', 'keep going', 'proceed', 'CONTINUE!', ' go  on '],
  ...['Please, continue.', 'OK, go on!', 'yes, go ahead', 'just continue', 'continue now', 'then continue'],
  ...['ok then, carry on', 'continue with it', 'please resume the task now', 'Keep going...', 'pls continue'],
  ...['continue where you left off', '(continue)', '"continue"', 'ok ok continue', 'ok 继续', '请 继续'],
  ...['继续', '接着', '恢复', '往下', '继续！！', '继续吧', '请继续吧', '麻烦继续一下', '好的，继续', '那就继续吧'],
  ...['接着做吧', '往下执行', '继续执行任务', '请恢复任务', '继续刚才的任务', '好的那就继续吧', '继续啊'],
  ...[
    'continue, thanks',
    'continue from there',
    'resume task',
    'resume the previous task',
    "let's continue",
    'continue 👍',
  ],
  ...[
    '继续，谢谢',
    '嗯，继续',
    '继续做完',
    '继续下去',
    '继续之前的任务',
    '继续🙏',
    '继续做下去吧',
    '好继续',
    '接著做',
    '继续刚才的工作',
  ],
  ...['繼續', '請繼續', '请你继续', '继续完成任务', '从上次中断的地方继续'],
];

const OTHERS = [
  ...["Don't continue", 'Don’t go on', 'never resume', 'continue with the milk', 'resume.pdf', 'my resume'],
  ...['write my resume', 'continued', 'discontinue', 'go on a trip', 'go ahead and book it', 'go ahead of me'],
  ...['carry on luggage', 'keep going to the gym', 'proceed to checkout', 'should I continue?', 'continue tomorrow'],
  ...['continue the task tomorrow', 'not now', 'ok', 'yes', 'please', 'the task', 'it', 'stop', 'go', 'on', 'ongoing'],
  ...[
    'continue 2',
    'continue task_0abc',
    'go on/off',
    '',
    '.',
    '   ',
    'continue 👎',
    'continue?',
    'Continue??',
    'work resume',
  ],
  ...[
    '继续教育',
    '不继续',
    '别继续',
    '不要继续',
    '继续吗',
    '继续？',
    '恢复计划',
    '不，继续',
    '继续 2',
    '继续学习',
    '接着说',
    '接着去买菜',
    '恢复出厂设置',
  ],
  ...['往下看', '明天继续', '继续明天的任务', '任务', '执行', '好的', '那就', '请', '做吧', '取消', '我要继续'],
];

describe('A continue phrase', () => {
  it.each(PHRASES)('is %j', (text) => {
    expect(isContinuePhrase(text)).toBe(true);
  });

  it.each(OTHERS)('is not %j', (text) => {
    expect(isContinuePhrase(text)).toBe(false);
  });

  it('is not recognized in a long text, however often it occurs', () => {
    expect(isContinuePhrase('continue '.repeat(1_000))).toBe(false);
  });
});
