import { readFileSync } from 'node:fs';

/** The fenced blocks of a page that are marked with one of these languages, in order. */
export const fencedBlocks = (page: string, ...languages: string[]): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm)].flatMap(
    ([, language = '', block = '']) => (languages.includes(language) ? [block] : []),
  );
