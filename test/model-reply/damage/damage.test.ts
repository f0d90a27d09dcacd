import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type BaseAnswer, baseAnswers } from './base-answers.ts';
import { losslessDamages } from './lossless.ts';
import { losses, truncated } from './lossy.ts';

/** Cuts of one text: at every character of a short one, else spread over it. */
const CUTS_MAX = 60;

interface Result {
  name: string;
  text: string;
  outcome: 'exact' | 'refused' | 'wrong';
}

const resultOf = (answer: BaseAnswer, name: string, text: string): Result => {
  const reading = answer.read(text);
  const outcome = !reading.ok ? 'refused' : isDeepStrictEqual(reading.answer, answer.expected) ? 'exact' : 'wrong';
  return { name: `${name}, ${answer.name}`, text, outcome };
};

const intact = baseAnswers.flatMap((answer) =>
  losslessDamages.flatMap(([name, damage]) => {
    const text = damage(answer.value);
    return text === null ? [] : [resultOf(answer, name, text)];
  }),
);
const lossy = baseAnswers.flatMap((answer) =>
  losses.flatMap(([name, loss]) => loss(answer.value).map((text) => resultOf(answer, name, text))),
);
const cut = baseAnswers.flatMap((answer) =>
  truncated(answer.value).flatMap(({ text, ends }) => {
    const step = Math.max(1, Math.floor(ends / CUTS_MAX));
    return Array.from({ length: Math.ceil(ends / step) }, (_, i) => resultOf(answer, 'cut', text.slice(0, i * step)));
  }),
);
const texts = (results: Result[], outcome: Result['outcome']): string[] =>
  results.filter((result) => result.outcome === outcome).map(({ name, text }) => `${name}: ${text}`);

describe('a damaged answer', () => {
  test('comes from about sixty answers in some sixty spellings, and as many with a loss', () => {
    expect(baseAnswers.length).toBeGreaterThanOrEqual(50);
    expect(losslessDamages.length).toBeGreaterThanOrEqual(60);
    expect(intact.length).toBeGreaterThan(3_000);
    expect(lossy.length).toBeGreaterThan(1_500);
    expect(cut.length).toBeGreaterThan(15_000);
  });

  test('that lost nothing is read exactly', () => {
    expect(texts(intact, 'wrong')).toEqual([]);
    expect(texts(intact, 'refused')).toEqual([]);
  });

  test('that lost something is never read as another answer', () => {
    expect(texts(lossy, 'wrong')).toEqual([]);
  });

  test('that was cut before its end is never taken, not even as itself', () => {
    expect(texts(cut, 'exact')).toEqual([]);
    expect(texts(cut, 'wrong')).toEqual([]);
  });
});
