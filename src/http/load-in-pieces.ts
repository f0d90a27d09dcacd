import { readFile } from 'node:fs/promises';
import { createRequire, findPackageJSON } from 'node:module';
import { inOwnTurn } from '../event-loop/own-turn.ts';

/**
 * Loads a CommonJS package that `from` depends on, after all that it depends on itself, each package in a turn of the event loop of its own.
 * Never rejects: what can't be loaded is reported where it is used.
 */
export const loadInPieces = async (name: string, from: string, seen = new Set<string>()): Promise<void> => {
  try {
    const manifest = findPackageJSON(name, from);
    if (manifest === undefined || seen.has(manifest)) return;
    seen.add(manifest);
    const { dependencies = {} } = JSON.parse(await readFile(manifest, 'utf8')) as { dependencies?: object };
    for (const dependency of Object.keys(dependencies)) await loadInPieces(dependency, manifest, seen);
    await inOwnTurn(() => createRequire(from)(name));
  } catch {}
};
