import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importsOf, readSourceFiles, type SourceFile } from './support/source/source-files.ts';

/** Where adapters are constructed; it may import any of them, and passes none of their types on. */
const isComposition = (path: string): boolean => path.startsWith('src/app/') || path === 'src/app/app.ts';

/** What an engine alone may know. */
const isInside = (path: string): boolean => path.startsWith('src/store/sqlite/');

/** Who must not import an engine's internals, also not through the composition root. */
const isOutside = (path: string): boolean => /^src\/(cli|testing|http)\//.test(path);

/** The files of the composition whose types name an engine's inside, among those and what they name; `path imports path` each. */
const leaks = (roots: string[], declarationOf: (path: string) => string): string[] => {
  const seen = new Set(roots);
  const found: string[] = [];
  for (const path of seen)
    for (const named of importsOf({ path, text: declarationOf(path).replaceAll('"', "'") })) {
      if (isInside(named)) found.push(`${path} imports ${named}`);
      if (isComposition(named)) seen.add(named);
    }
  return found;
};

const handedOut = (files: SourceFile[]): string[] => [
  ...new Set(
    files
      .filter(({ path }) => isOutside(path))
      .flatMap(importsOf)
      .filter(isComposition),
  ),
];

/** Longest that the compiler may take, in milliseconds: it reads the whole service. */
const COMPILE_MS = 180_000;

it('what the command line and the tests of agents get of the composition names no type of an engine’s inside', {
  timeout: COMPILE_MS,
}, () => {
  const roots = handedOut(readSourceFiles());
  expect(roots).toEqual(expect.arrayContaining(['src/app/app.ts', 'src/app/open-admin.ts']));
  const outDir = mkdtempSync(join(tmpdir(), 'tripact-declarations-'));
  try {
    const options = [
      '--ignoreConfig',
      '--declaration',
      '--emitDeclarationOnly',
      '--noCheck',
      '--strict',
      '--skipLibCheck',
    ];
    const modules = ['--allowImportingTsExtensions', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
    try {
      const out = ['--rootDir', '.', '--outDir', outDir];
      execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', ...options, ...modules, ...out, ...roots]);
    } catch {
      // Types that can't be named keep a file of the machines from being declared, and are an error; none of those is looked at.
    }
    expect(leaks(roots, (path) => readFileSync(join(outDir, path.replace(/\.ts$/, '.d.ts')), 'utf8'))).toEqual([]);
  } finally {
    rmSync(outDir, { recursive: true });
  }
});

it('a type of an engine’s inside is found where it is written out, where it is inferred, and behind another file', () => {
  const declarations: Record<string, string> = {
    'src/app/written.ts': "import type { Row } from '../store/sqlite/rows.ts';\nexport declare const a: () => Row;",
    'src/app/inferred.ts': 'export declare const a: () => import("../store/sqlite/rows.ts").Row;',
    'src/app/behind.ts': "import { a } from './written.ts';\nexport declare const b: typeof a;",
    'src/app/fine.ts': "import type { Admin } from '../engine/admin.ts';\nexport declare const a: () => Admin;",
  };
  const leaksOf = (name: string) => leaks([`src/app/${name}.ts`], (path) => declarations[path]!);
  expect(leaksOf('written')).toEqual(['src/app/written.ts imports src/store/sqlite/rows.ts']);
  expect(leaksOf('inferred')).toEqual(['src/app/inferred.ts imports src/store/sqlite/rows.ts']);
  expect(leaksOf('behind')).toEqual(['src/app/written.ts imports src/store/sqlite/rows.ts']);
  expect(leaksOf('fine')).toEqual([]);
});

it('a file of the composition that somebody imports when needed is looked at too', () => {
  const text = "const { open } = await import('../app/open-admin.ts');";
  expect(handedOut([{ path: 'src/cli/a.ts', text }])).toEqual(['src/app/open-admin.ts']);
});
