import { describe, expect, it } from 'vitest';
import { agreesToPlan, isLastingYes, isNo, isSameQuestion, isYes } from '../../machines/phrases.ts';

const each = (texts: string): string[] => texts.split('|');

/** Answers to "Shall I go on?" and "May I run this tool?", a hundred in each language. */
const ENGLISH = {
  yes: [
    ...each('yes|Y|OK!|okay|Looks good.|sounds good|sounds great|yes please|Yes, please!|ok, go ahead|start'),
    ...each("start now|begin|go|go ahead|proceed|do it|just do it|run it|Please start.|lgtm|let's go"),
    ...each('Let’s do it!|lets start|you can start|you may proceed|please do|go for it|sure thing|yep'),
    ...each("yeah, go|absolutely|of course|great, thanks|that's fine|that works for me|no problem"),
    ...each('no objections|I agree|approved|confirmed|fine by me|all right then|👍|👍🏿|👌|✅|yes 🙏|(yes)'),
  ],
  no: [
    ...each("no|N|Stop!|Don't.|Don’t|dont|no, thanks|No thank you.|nope|never mind|cancel it|please stop"),
    ...each("please cancel|don't do it|do not run it|I refuse|absolutely not|of course not|👎|❌"),
  ],
  neither: [
    ...each('yes?|yes??|ok?|looks good?|sure?|do it?|no?|stop?|is it ok|yes or no|yes, no|yes but later'),
    ...each('no milk|not sure|not now|maybe|hmm ok|ok wait|fine but slowly|go back|start over|run it again'),
    ...each("don't stop|do not cancel|no, go ahead|no good|please confirm|Confirm, please|please approve"),
    ...each("thanks|please|now|yes 1|+1|👍👎|yes 🙄|ok 😂|I go|I'm good|good point|understood|okay-ish|yes...|ok…|"),
  ],
};

const CHINESE = {
  yes: [
    ...each('开始|可以开始|嗯|嗯嗯|执行吧|好的|可以。|好|好好好|好的~|好啊|好吧|行|行啊|对|对对对|是|是的'),
    ...each('好的，开始吧|那就开始吧|好那就开始吧|行，开始|可以，开始吧|嗯，可以|嗯好的|没问题|没问题，谢谢'),
    ...each('没意见|马上开始|直接执行吧|请执行|执行这个计划|按计划执行|就这样吧|就这么办|做吧|同意|我同意'),
    ...each('确认|批准|当然可以|開始吧|執行吧|沒問題|對|好的謝謝|ok的|OK，开始吧|看起来不错|好的👍|🆗'),
  ],
  no: [
    ...each('不|不要|不行|不用|不用了，谢谢|不用了谢谢|不可以|不同意|否|取消。|取消吧|请取消|算了|算了吧|别'),
    ...each('别执行|不要运行|停|停止|请停止|拒绝|別|不要執行|不了|还是算了吧'),
  ],
  neither: [
    ...each('是？|可以？|对？|好吗|好吗？|可以吗|行不行|好不好|是不是|可不可以|不？|好不|可以不|是吧|对吧'),
    ...each('可以吧|好了|行了|对了|可以了|开始了|知道了|你好|您好|好是好|是可以|做好|好做|好麻烦|马上好'),
    ...each('行行好|不错|请确认|请批准|不过可以|好的，但是先打电话|可以，但是先备份|先不|等一下|不是|不好意思'),
    ...each('不客气|不用谢|没问题？|别停|不要停|不要取消|不，继续|谢谢|请|那就|做计划|开始第二步|好的 1|👍👎'),
    ...each('一直是|哦|嗯…|嗯...|好。。。'),
  ],
};

describe.each(Object.entries({ ENGLISH, CHINESE }))('Yes and no in %s', (_, { yes, no, neither }) => {
  it('are a hundred answers or more', () => {
    expect(new Set([...yes, ...no, ...neither]).size).toBeGreaterThanOrEqual(100);
  });

  it.each(yes)('"%s" is yes, and not no', (text) => {
    expect([agreesToPlan(text), isYes(text), isNo(text), isLastingYes(text)]).toEqual([true, true, false, false]);
  });

  it.each(no)('"%s" is no, and not yes', (text) => {
    expect([agreesToPlan(text), isNo(text), isLastingYes(text)]).toEqual([false, true, false]);
  });

  it.each(neither)('"%s" is neither', (text) => {
    expect([agreesToPlan(text), isYes(text), isNo(text), isLastingYes(text)]).toEqual([false, false, false, false]);
  });
});

describe('To say "continue"', () => {
  it.each(['continue', '继续', '繼續', '继续吧', 'continue, thanks', 'go on', '继续完成任务'])(
    '"%s" agrees to a plan, and approves no action',
    (text) => {
      expect([agreesToPlan(text), isYes(text)]).toEqual([true, false]);
    },
  );

  it.each(['yes, continue', '是的，继续', '好的，继续'])('"%s" adds a yes', (text) => {
    expect([agreesToPlan(text), isYes(text)]).toEqual([true, true]);
  });

  it.each(['continue?', '继续？', '继续吗', "don't continue", '不继续'])('"%s" agrees to nothing', (text) => {
    expect([agreesToPlan(text), isYes(text)]).toEqual([false, false]);
  });
});

describe('Two questions', () => {
  it.each([
    ['Which day?', 'which day'],
    ['Which day?', ' Which  day !'],
    ['哪一天？', '哪一天'],
  ])('%j and %j are the same', (one, other) => {
    expect(isSameQuestion(one, other)).toBe(true);
  });

  it.each([
    ['Which day?', 'Which days?'],
    ['哪一天？', '哪几天？'],
    ['Is 2 + 2 right?', 'Is 2 - 2 right?'],
    ['Pay $5?', 'Pay €5?'],
  ])('%j and %j are not', (one, other) => {
    expect(isSameQuestion(one, other)).toBe(false);
  });
});
