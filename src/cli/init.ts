import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from 'tripact/package.json' with { type: 'json' };
import { printable } from '../lib/printable.ts';
import { CommandFailure, exitCode } from './failure.ts';
import { processTerminal } from './terminal.ts';

const PROJECT = fileURLToPath(new URL('./examples/project', import.meta.resolve('tripact/package.json')));

const VITEST = '^5.1.1';

const packageName = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replace(/^-/, '') || 'agent';

const SCRIPTS = { start: 'tripact serve', test: 'vitest run' };

const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

const projectManifest = (folder: string): string =>
  jsonText({
    name: packageName(folder),
    private: true,
    type: 'module',
    scripts: SCRIPTS,
    dependencies: { tripact: `^${manifest.version}`, zod: `^${manifest.dependencies.zod}` },
    devDependencies: { vitest: VITEST },
  });

/** Only checks types: Node and Vitest run the files directly, in CommonJS and ES module packages alike. */
const TSCONFIG = jsonText({
  compilerOptions: {
    target: 'esnext',
    module: 'preserve',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  },
});

const NO_TEST = /no test specified/;

/** Adds missing scripts to a package.json; true if any was missing. */
const addScripts = (file: string): boolean => {
  const project = JSON.parse(readFileSync(file, 'utf8')) as { scripts?: Record<string, string> };
  const given = Object.entries(project.scripts ?? {}).filter(([, script]) => !NO_TEST.test(script));
  const scripts = { ...SCRIPTS, ...Object.fromEntries(given) };
  if (given.length === Object.keys(scripts).length) return false;
  writeFileSync(file, jsonText({ ...project, scripts }));
  return true;
};

const projectFiles = (): [path: string, text: string][] =>
  readdirSync(PROJECT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => [relative(PROJECT, file), readFileSync(file, 'utf8')]);

/**
 * `tripact init [folder]`: writes a small working project. Throws a `CommandFailure` rather than overwrite a file.
 * Returns the exit code.
 */
export const init = (folder: string): number => {
  const { notes } = processTerminal();
  const root = resolve(folder);
  const files = projectFiles();
  const taken = files.map(([path]) => path).filter((path) => existsSync(join(root, path)));
  if (taken.length > 0)
    throw new CommandFailure(`${root} already has ${taken.join(', ')}: choose another folder`, exitCode.usage);
  const isPackage = existsSync(join(root, 'package.json'));
  const created = [
    ...files,
    ['package.json', projectManifest(root)] as const,
    ['tsconfig.json', TSCONFIG] as const,
    ['.gitignore', 'node_modules/\ndata/\n'] as const,
  ].filter(([path]) => !existsSync(join(root, path)));
  for (const [path, text] of created) {
    try {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text, { flag: 'wx' });
    } catch (error) {
      const { message } = error as Error;
      throw new CommandFailure(`${root} cannot be written (${message}): choose another folder`, exitCode.failed);
    }
    notes.write(`wrote ${printable(join(folder, path))}\n`);
  }
  if (isPackage && addScripts(join(root, 'package.json')))
    notes.write(`added scripts to ${printable(join(folder, 'package.json'))}\n`);
  const steps = [
    ...(folder === '.' ? [] : [`cd ${printable(folder)}`]),
    // No registry has Tripact; a package with that name there is a different one.
    isPackage
      ? 'npm install zod && npm install --save-dev vitest'
      : `npm install <folder>/tripact-${manifest.version}.tgz`,
    'npm test',
    'npx tripact chat',
  ];
  notes.write(`\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`);
  return exitCode.answered;
};
