/**
 * Builds the console (src/console/) with Vite. `npm run build` has it built into dist/; a service that starts in a checkout calls this file
 * as a program, which builds into a kept folder of the installed packages, once for the same sources, and prints that folder. With a folder as its
 * argument it builds there.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const KEPT = join(ROOT, 'node_modules/.cache/tripact-console');

/** Built folders that are kept: a service that was started before a change still reads the one of its time. */
const KEPT_MAX = 3;

/** Everything that a build depends on. */
const SOURCES = [
  'src/console/**/*',
  '{contracts,machines,src/history,src/projections}/**/*.ts',
  'src/lib/errors.ts',
  'package-lock.json',
  '.ci/build-console.ts',
];

/** The faces that it brings along. Their licence asks to be where they are. */
const FONTS = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono'];

/** Builds the console into an absolute path, which it empties first. Its texts are there as gzip and Brotli have them, and in no other form. */
export const buildConsole = async (outDir: string): Promise<void> => {
  // Each start of a service in a checkout asks for the kept folder, which needs no Vite.
  const { build } = await import('vite');
  await build({
    configFile: join(ROOT, 'src/console/vite.config.ts'),
    configLoader: 'native',
    logLevel: 'warn',
    build: { outDir },
  });
  for (const file of globSync('{index.html,assets/*.{js,css,svg}}', { cwd: outDir })) {
    const content = readFileSync(join(outDir, file));
    writeFileSync(join(outDir, `${file}.gz`), gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
    writeFileSync(join(outDir, `${file}.br`), brotliCompressSync(content));
    rmSync(join(outDir, file));
  }
  const licences = FONTS.map((font) => readFileSync(join(ROOT, 'node_modules', font, 'LICENSE'), 'utf8'));
  writeFileSync(join(outDir, 'font-licences.txt'), licences.join('\n'));
};

/** The same for the same sources and packages. */
const keyOfSources = (): string => {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: ROOT }).sort()) {
    const path = join(ROOT, file);
    if (statSync(path).isFile()) hash.update(`${file}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex').slice(0, 16);
};

const removeOld = (): void => {
  const byAge = readdirSync(KEPT)
    .map((name) => ({ path: join(KEPT, name), at: statSync(join(KEPT, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of byAge.slice(KEPT_MAX)) rmSync(path, { recursive: true, force: true });
};

/** Gives the kept folder of the present sources, and builds it where there is none. Two at once both build, and one's work is kept. */
const keptConsole = async (): Promise<string> => {
  const folder = join(KEPT, keyOfSources());
  if (existsSync(folder)) return folder;
  mkdirSync(KEPT, { recursive: true });
  const building = `${folder}.${process.pid}`;
  await buildConsole(building);
  try {
    renameSync(building, folder);
  } catch {
    rmSync(building, { recursive: true, force: true });
  }
  removeOld();
  return folder;
};

if (import.meta.main) {
  const [outDir] = process.argv.slice(2);
  if (outDir === undefined) console.log(await keptConsole());
  else await buildConsole(resolve(outDir));
}
