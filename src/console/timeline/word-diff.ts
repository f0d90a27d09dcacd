import { type DiffRun, diffOf } from './prompt-diff.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The words of a text, with the spaces and marks between them. */
const wordsOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);

/** The difference between two texts, word by word, in any language. */
export const wordDiff = (before: string, after: string): DiffRun[] => diffOf(wordsOf(before), wordsOf(after));
