import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from 'tripact/package.json' with { type: 'json' };
import { printable } from '../lib/printable.ts';
import { CommandFailure, exitCode } from './failure.ts';
import { processTerminal } from './terminal.ts';

const inPackage = (path: string): string => fileURLToPath(new URL(path, import.meta.resolve('tripact/package.json')));

/** The projects that `init` writes: each a folder of the package, and the packages that it needs beside Tripact and zod. */
const PROJECTS = {
  project: { folder: './examples/project', needs: [] },
  'support-desk': {
    folder: './examples/templates/support-desk',
    needs: ['@modelcontextprotocol/client', '@modelcontextprotocol/server'],
  },
  'chat-bot': { folder: './examples/templates/chat-bot', needs: [] },
  research: { folder: './examples/templates/research', needs: [] },
} as const;
type Project = (typeof PROJECTS)[keyof typeof PROJECTS];

/** Files for coding agents, which every project gets, by their paths in it. */
const FOR_AGENTS = {
  'AGENTS.md': './examples/project/AGENTS.md',
  '.agents/skills/tripact/SKILL.md': './skills/tripact/SKILL.md',
};

const VITEST = '^5.1.1';

const packageName = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replace(/^-/, '') || 'agent';

const SCRIPTS = { start: 'tripact serve', test: 'vitest run' };

const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The versions of packages that Tripact itself was tested with, some of which the published one names as peers. */
const VERSIONS: Record<string, string> = { ...manifest.peerDependencies, ...manifest.dependencies };

const versionOf = (name: string): [string, string] => [name, (VERSIONS[name] ?? '*').replace(/^(?=\d)/, '^')];

const projectManifest = (folder: string, { needs }: Project): string =>
  jsonText({
    name: packageName(folder),
    private: true,
    type: 'module',
    scripts: SCRIPTS,
    dependencies: Object.fromEntries([['tripact', `^${manifest.version}`], ...[...needs, 'zod'].map(versionOf)]),
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

const projectFiles = ({ folder }: Project): [path: string, text: string][] => {
  const root = inPackage(folder);
  const own = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .filter((path) => !Object.hasOwn(FOR_AGENTS, path))
    .map((path) => [path, join(root, path)]);
  const all = [...own, ...Object.entries(FOR_AGENTS).map(([path, file]) => [path, inPackage(file)])];
  return all.map(([path = '', file = '']) => [path, readFileSync(file, 'utf8')]);
};

/**
 * `tripact init [folder]`: writes a small working project, or the one of a template. Throws a `CommandFailure` rather
 * than overwrite a file. Returns the exit code.
 */
export const init = (folder: string, { template = 'project' }: { template?: keyof typeof PROJECTS }): number => {
  const { notes } = processTerminal();
  const root = resolve(folder);
  const project = PROJECTS[template];
  const files = projectFiles(project);
  const taken = files.map(([path]) => path).filter((path) => existsSync(join(root, path)));
  if (taken.length > 0)
    throw new CommandFailure(`${root} already has ${taken.join(', ')}: choose another folder`, exitCode.usage);
  const isPackage = existsSync(join(root, 'package.json'));
  const created = [
    ...files,
    ['package.json', projectManifest(root, project)] as const,
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
      ? `npm install ${[...project.needs, 'zod'].join(' ')} && npm install --save-dev vitest`
      : `npm install <folder>/tripact-${manifest.version}.tgz`,
    'npm test',
    'npx tripact chat',
  ];
  notes.write(`\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`);
  return exitCode.answered;
};
