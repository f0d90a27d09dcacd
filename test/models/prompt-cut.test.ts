import { describe, expect, it } from 'vitest';
import { checkCount, PromptCut } from '../../src/models/asking/prompt-cut.ts';

const sent = (content: string) => ({ system: '', messages: [{ role: 'user' as const, content }] });

describe('a count of tokens', () => {
  it.each([
    ['English', 'The quick brown fox jumps over the lazy dog. '.repeat(100), 1_000],
    ['JSON', JSON.stringify(Array.from({ length: 200 }, (_, i) => ({ id: i, name: `n${i}` }))), 3_000],
    ['Chinese', '今天下午三点和安娜开会，讨论聚会的安排。'.repeat(100), 1_200],
    ['rules and spaces', `${'-'.repeat(5_000)}\n${' '.repeat(5_000)}`, 100],
  ])('that any tokenizer may reach is no cut: %s', (_, text, counted) => {
    expect(() => checkCount(sent(text), counted)).not.toThrow();
  });

  it.each([
    ['English', 'The quick brown fox jumps over the lazy dog. '.repeat(500), 2_050],
    ['Chinese', '今天下午三点和安娜开会，讨论聚会的安排。'.repeat(500), 2_050],
  ])('far below the words of a prompt is one: %s', (_, text, counted) => {
    expect(() => checkCount(sent(text), counted)).toThrow(PromptCut);
  });

  it('that a server does not give says nothing', () => {
    expect(() => checkCount(sent('word '.repeat(10_000)), 0)).not.toThrow();
  });
});
