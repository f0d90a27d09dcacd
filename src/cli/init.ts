import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from 'tripact/package.json' with { type: 'json' };
import { printable } from '../lib/printable.ts';
import { CommandFailure, exitCode } from './failure.ts';
import { processTerminal } from './terminal.ts';

/** The small project that is copied, within the package. */
const PROJECT = fileURLToPath(new URL('./examples/project', import.meta.resolve('tripact/package.json')));

/** The test runner of the project's test. */
const VITEST = '^5.1.1';

/** A name that npm takes, out of a folder's name. */
const packageName = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replace(/^-/, '') || 'agent';

const projectManifest = (folder: string): string => {
  const project = {
    name: packageName(folder),
    private: true,
    type: 'module',
    scripts: { start: 'tripact serve', test: 'vitest run' },
    dependencies: { tripact: `^${manifest.version}`, zod: `^${manifest.dependencies.zod}` },
    devDependencies: { vitest: VITEST },
  };
  return `${JSON.stringify(project, null, 2)}\n`;
};

/** The project's files by their paths in it. */
const projectFiles = (): [path: string, text: string][] =>
  readdirSync(PROJECT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => [relative(PROJECT, file), readFileSync(file, 'utf8')]);

/**
 * `tripact init [folder]`: writes a small project that works at once: an agent with one tool, a test of it, and a README. A
 * package.json and a .gitignore that are there stay as they are. Throws a `CommandFailure` before the first file where it would
 * write over another one, and where the folder can't be written. Gives the exit code.
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
    ['.gitignore', 'node_modules/\ndata/\n'] as const,
  ].filter(([path]) => !existsSync(join(root, path)));
  for (const [path, text] of created) {
    try {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text, { flag: 'wx' });
    } catch (error) {
      const { message } = error as Error;
      throw new CommandFailure(`${root} can not be written (${message}): choose another folder`, exitCode.failed);
    }
    notes.write(`wrote ${printable(join(folder, path))}\n`);
  }
  const steps = [
    ...(folder === '.' ? [] : [`cd ${printable(folder)}`]),
    // No registry has Tripact, and what one gives under its name is not it.
    isPackage
      ? 'npm install zod && npm install --save-dev vitest'
      : `npm install <folder>/tripact-${manifest.version}.tgz`,
    isPackage ? 'npx vitest run' : 'npm test',
    'npx tripact chat',
  ];
  notes.write(`\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`);
  return exitCode.answered;
};
