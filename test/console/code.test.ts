import type { VNode } from 'preact';
import { describe, expect, it } from 'vitest';
import { coloured } from '../../src/console/design/code.tsx';

/** The coloured parts as `kind part`; what has no colour is left out. */
const partsOf = (code: string, language: string): string[] => {
  const nodes = [coloured(code, language)].flat() as (string | VNode<{ 'data-part': string; children: string }>)[];
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : `${node.props['data-part']} ${node.props.children}`));
};

/** All of the code, coloured or not. */
const textOf = (code: string, language: string): string =>
  ([coloured(code, language)].flat() as (string | VNode<{ children: string }>)[])
    .map((node) => (typeof node === 'string' ? node : node.props.children))
    .join('');

describe('code in an answer', () => {
  it.each([
    ['ts', 'const days = 14; // "short"', ['word const', 'number 14', 'note // "short"']],
    ['python', "if kind == 'tea': # short", ['word if', "text 'tea'", 'note # short']],
    ['SQL', 'SELECT 1 -- all', ['word SELECT', 'number 1', 'note -- all']],
    ['rust', "fn first<'a>(text: &'a str) -> 1", ['word fn', 'number 1']],
    ['json', '{"a\\"b": null', ['text "a\\"b"', 'word null']],
  ])('has colours in %s', (language, code, parts) => {
    expect(partsOf(code, language)).toEqual(parts);
  });

  it('has none where its language is not known', () => {
    expect(coloured('const days = 14', '')).toBe('const days = 14');
    expect(coloured('const days = 14', 'klingon')).toBe('const days = 14');
  });

  it.each(['/*'.repeat(10_000), "\\'".repeat(10_000), `"${'\\"'.repeat(10_000)}`, '`'.repeat(9_999)])(
    'is all there, also where nothing in it ends',
    (code) => {
      expect(textOf(code, 'ts')).toBe(code);
    },
  );
});
