import { describe, expect, it } from 'vitest';
import { isContinuePhrase } from '../../machines/phrases.ts';

const PHRASES = [
  ...[
    'continue',
    'resume',
    'go on',
    'go ahead',
    'carry on',
    'keep going',
    'proceed',
    'Continue.',
    'CONTINUE!',
    ' go  on ',
  ],
  ...[
    'please continue',
    'continue please',
    'Please, continue.',
    'ok continue',
    'OK, go on!',
    'yes, go ahead',
    'just continue',
  ],
  ...[
    'continue now',
    'now continue',
    'then continue',
    'go on then',
    'ok then, carry on',
    'continue it',
    'continue with it',
  ],
  ...[
    'continue the task',
    'resume the task',
    'please resume the task now',
    'carry on with it, please',
    'yes please go on',
  ],
  ...[
    'Keep going...',
    'proceed, please!',
    'ok ok continue',
    'continue where you left off',
    'pls continue',
    '(continue)',
    '"continue"',
    'just go ahead with it',
    'Okay, proceed',
  ],
  ...[
    ...['繼續', '請繼續', '请你继续', '继续完成任务', '从上次中断的地方继续'],
    '继续',
    '接着',
    '恢复',
    '往下',
    '继续。',
    '继续！！',
    '继续吧',
    '请继续',
    '请继续吧',
    '麻烦继续',
    '麻烦继续一下',
    '好的，继续',
  ],
  ...[
    '好，继续',
    '那继续',
    '那就继续',
    '那就继续吧',
    '接着做',
    '接着做吧',
    '往下做',
    '往下执行',
    '继续执行',
    '继续执行任务',
    '继续任务',
  ],
  ...[
    '继续做',
    '恢复任务',
    '请恢复任务',
    '恢复上次的任务',
    '继续上次的任务',
    '继续刚才的任务',
    '好的那就继续吧',
    '请 继续',
    'ok 继续',
    '继续啊',
  ],
];

const OTHERS = [
  ...[
    "Don't continue",
    'Don’t go on',
    'do not continue',
    'never resume',
    'continue with the milk',
    'continue with the report',
  ],
  ...[
    'resume.pdf',
    'my resume',
    'write my resume',
    'update the resume',
    'continued',
    'continues',
    'continuing',
    'discontinue',
  ],
  ...[
    'go on a trip',
    'go on holiday',
    'go ahead and book it',
    'go ahead of me',
    'carry on luggage',
    'keep going to the gym',
  ],
  ...[
    'proceeds',
    'proceed to checkout',
    'the procedure',
    'should I continue?',
    'can we continue tomorrow',
    'continue tomorrow',
  ],
  ...[
    'continue the task tomorrow',
    'not now',
    'ok',
    'yes',
    'please',
    'now',
    'the task',
    'it',
    'stop',
    'cancel',
    'go',
    'on',
    'ongoing',
  ],
  ...['continue 2', 'continue #3', 'continue task_0abc', 'go on/off', '', '.', '   ', 'continue 👍'],
  ...[
    '继续教育',
    '继续教育课程',
    '不继续',
    '别继续',
    '不要继续',
    '继续吗',
    '继续学习',
    '接着说',
    '接着去买菜',
    '恢复出厂设置',
    '恢复健康',
  ],
  ...[
    '往下看',
    '往下走',
    '以后继续',
    '明天继续',
    '继续明天的任务',
    '任务',
    '执行',
    '好的',
    '好',
    '那就',
    '请',
    '做吧',
    '取消',
    '我要继续',
  ],
];

describe('A continue phrase', () => {
  it(`stands in a table of ${PHRASES.length + OTHERS.length}, about half of which are near misses`, () => {
    expect(PHRASES.length).toBeGreaterThanOrEqual(60);
    expect(OTHERS.length).toBeGreaterThanOrEqual(60);
  });

  it.each(PHRASES)('is %j', (text) => {
    expect(isContinuePhrase(text)).toBe(true);
  });

  it.each(OTHERS)('is not %j', (text) => {
    expect(isContinuePhrase(text)).toBe(false);
  });

  it('is none where the text is long, however often it says so', () => {
    expect(isContinuePhrase('continue '.repeat(1_000))).toBe(false);
  });
});
