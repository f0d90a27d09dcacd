import { describe, expect, it } from 'vitest';
import { isNo, isSameQuestion, isYes } from '../../machines/phrases.ts';

describe('Yes and no to a plan', () => {
  it.each(['yes', 'Y', 'OK!', 'Looks good.', '好的', '可以。', '👍', '👍🏿'])('"%s" is yes, and not no', (text) => {
    expect([isYes(text), isNo(text)]).toEqual([true, false]);
  });

  it.each(['no', 'N', 'Stop!', "Don't.", 'Don’t', '不', '取消。', '算了'])('"%s" is no, and not yes', (text) => {
    expect([isYes(text), isNo(text)]).toEqual([false, true]);
  });

  it.each(['yes but later', 'no milk', '好的，但是先打电话', 'not sure', '不过可以', ''])('"%s" is neither', (text) => {
    expect([isYes(text), isNo(text)]).toEqual([false, false]);
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
