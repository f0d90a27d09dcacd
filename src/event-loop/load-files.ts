import { readFile } from 'node:fs/promises';
import { createRequire, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { inOwnTurn } from './own-turn.ts';

/** Characters of source that are loaded in one turn of the event loop: some milliseconds of work. */
const CHARS_A_TURN = 64 * 1024;

/** A file of the same package that is loaded with the one that says so; what is indented is loaded later, if ever. */
const LOADED_WITH = /^(?:import|export|const|\}).*?(?: from |^import |require\()["'](\.[^"']*)["']/gm;

/**
 * Loads a package file by file, each after those that it is made of, and a few in each turn of the event loop: what most packages take to load is
 * many files. Rejects at what can't be read or loaded.
 */
export const loadFiles = async (name: string): Promise<void> => {
  const seen = new Set<string>();
  let waiting: string[] = [];
  let chars = 0;
  const loadWaiting = async (): Promise<void> => {
    const urls = waiting;
    [waiting, chars] = [[], 0];
    await inOwnTurn(async () => {
      for (const url of urls) await import(url);
    });
    await inOwnTurn(flushCompileCache);
  };
  const visit = async (url: string): Promise<void> => {
    if (seen.has(url)) return;
    seen.add(url);
    const text = await readFile(fileURLToPath(url), 'utf8');
    for (const [, path = ''] of text.matchAll(LOADED_WITH)) await visit(resolved(path, url));
    waiting.push(url);
    chars += text.length;
    if (chars > CHARS_A_TURN) await loadWaiting();
  };
  const resolved = (path: string, from: string): string =>
    from.endsWith('.mjs') ? new URL(path, from).href : `file://${createRequire(from).resolve(path)}`;
  await visit(import.meta.resolve(name));
  await loadWaiting();
};
