import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allPassages } from './library.ts';

const SOURCE = /\[([\w.-]+):(\d+)\]/g;

/** A verifier: the report in the session's folder has sources, and each is a line of the library. */
export const citesLibrary = async ({ workspace }: { workspace: string }): Promise<{ ok: boolean; output: string }> => {
  const report = await readFile(join(workspace, 'report.md'), 'utf8').catch(() => null);
  if (report === null) return { ok: false, output: 'There is no report.md' };
  const sources = [...report.matchAll(SOURCE)].map(([, file, line]) => `${file}:${line}`);
  if (sources.length === 0) return { ok: false, output: 'report.md names no source, such as [tea.md:3]' };
  const known = new Set((await allPassages()).map(({ file, line }) => `${file}:${line}`));
  const wrong = sources.filter((source) => !known.has(source));
  return { ok: wrong.length === 0, output: wrong.length === 0 ? 'ok' : `The library has no ${wrong.join(', ')}` };
};
