import { describe, expect, it } from 'vitest';
import { anthropicMarks, openAiMarks } from '../../src/models/asking/cache-marks.ts';

/** So many pieces that stay, and the end, which does not. */
const pieces = (count: number) => [
  ...Array.from({ length: count }, (_, i) => ({ text: String(i), isStable: true as const })),
  { text: 'end' },
];

const sorted = (marks: ReadonlySet<number>) => [...marks].sort((one, other) => one - other);

describe('marks of Anthropic', () => {
  it('are behind all that stays, and at each 20 blocks before, three at most beside that of the system prompt', () => {
    expect(sorted(anthropicMarks(pieces(1)))).toEqual([0]);
    expect(sorted(anthropicMarks(pieces(20)))).toEqual([19]);
    expect(sorted(anthropicMarks(pieces(21)))).toEqual([0, 20]);
    expect(sorted(anthropicMarks(pieces(100)))).toEqual([59, 79, 99]);
  });

  it('find what the call before wrote, also after a message with as many calls as one may have', () => {
    for (let before = 1; before < 80; before += 1)
      for (const added of [1, 19, 20, 32, 59]) {
        const written = before - 1;
        const looked = sorted(anthropicMarks(pieces(before + added))).flatMap((mark) =>
          Array.from({ length: 20 }, (_, i) => mark - i),
        );
        expect(looked).toContain(written);
      }
  });

  it('are absent if nothing stays', () => {
    expect(anthropicMarks([{ text: 'end' }]).size).toBe(0);
  });
});

describe('marks of OpenAI', () => {
  it('are behind each of the latest 50 pieces that stay, for it reads at marks alone', () => {
    expect(sorted(openAiMarks(pieces(3)))).toEqual([0, 1, 2]);
    expect(sorted(openAiMarks(pieces(60)))).toEqual(Array.from({ length: 50 }, (_, i) => i + 10));
    expect(openAiMarks([{ text: 'end' }]).size).toBe(0);
  });
});
