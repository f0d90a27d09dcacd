import { readdir, readFile } from 'node:fs/promises';

const LIBRARY = new URL('library/', import.meta.url);

/** Most passages that a search gives. */
const PASSAGES_MAX = 10;

/** A line of a file in the library. */
interface Passage {
  file: string;
  /** Counts from 1. */
  line: number;
  text: string;
}

/** All lines of the library that have words. */
export const allPassages = async (): Promise<Passage[]> => {
  const files = (await readdir(LIBRARY)).filter((file) => /\.(md|txt)$/.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, LIBRARY), 'utf8')));
  return texts.flatMap((text, at) =>
    text
      .split('\n')
      .map((line, n) => ({ file: files[at] ?? '', line: n + 1, text: line.trim() }))
      .filter(({ text: words }) => words !== ''),
  );
};

/** The passages that have all of the words, in the order of the library. */
export const findPassages = async (words: string): Promise<Passage[]> => {
  const sought = words.toLowerCase().split(/\s+/);
  const passages = await allPassages();
  return passages
    .filter(({ text }) => sought.every((word) => text.toLowerCase().includes(word)))
    .slice(0, PASSAGES_MAX);
};
