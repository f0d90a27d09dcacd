import { readFileSync } from 'node:fs';

/** What the fenced blocks of a page contain that are marked with one of these languages, in order. */
export const fencedBlocks = (page: string, ...languages: string[]): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm)].flatMap(
    ([, language = '', block = '']) => (languages.includes(language) ? [block] : []),
  );
