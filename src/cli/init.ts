import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from 'tripact/package.json' with { type: 'json' };
import { printable } from '../lib/printable.ts';
import { CommandFailure, exitCode } from './failure.ts';
import { processTerminal } from './terminal.ts';

const inPackage = (path: string): string => fileURLToPath(new URL(path, import.meta.resolve('tripact/package.json')));

const SCRIPTS = { start: 'tripact serve', test: 'vitest run' };

/**
 * The projects that `init` writes: each a folder of the package, the packages that it needs beside Tripact and zod, its
 * scripts, and what shows the agent without a key.
 */
const PROJECTS = {
  project: {
    folder: './examples/project',
    needs: [],
    scripts: SCRIPTS,
    shows: 'npx tripact run --script answers.json "What does tea cost?"',
  },
  'support-desk': {
    folder: './examples/templates/support-desk',
    needs: ['@modelcontextprotocol/client', '@modelcontextprotocol/server'],
    scripts: SCRIPTS,
    shows: 'npx tripact run --script answers.json "My order 17 arrived broken"',
  },
  'chat-bot': {
    folder: './examples/templates/chat-bot',
    needs: [],
    scripts: { ...SCRIPTS, start: 'node start.ts' },
    shows: 'npm start',
  },
  research: {
    folder: './examples/templates/research',
    needs: [],
    scripts: SCRIPTS,
    shows: 'npx tripact run --script answers.json "Who exports the most tea?"',
  },
} as const;
type Project = (typeof PROJECTS)[keyof typeof PROJECTS];

/** Files for coding agents, which every project gets, by their paths in it. */
const FOR_AGENTS = {
  'AGENTS.md': './examples/project/AGENTS.md',
  '.agents/skills/tripact/SKILL.md': './skills/tripact/SKILL.md',
};

/** The settings of its tests, which every project gets unless the folder has some. */
const VITEST_CONFIG = 'vitest.config.ts';

/** Packages for the project's tests and types. */
const FOR_TESTS = { vitest: '^5.1.1', typescript: '^7.0.2', '@types/node': '^24.0.0' };

const packageName = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replace(/^-/, '') || 'agent';

const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The versions of packages that Tripact itself was tested with, some of which the published one names as peers. */
const VERSIONS: Record<string, string> = { ...manifest.peerDependencies, ...manifest.dependencies };

const versionOf = (name: string): [string, string] => [name, (VERSIONS[name] ?? '*').replace(/^(?=\d)/, '^')];

interface Manifest {
  type?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

const ARCHIVE = `tripact-${manifest.version}.tgz`;

/**
 * The archive that Tripact was installed from, or the one in the checkout that runs, made or not. Null: it came in
 * another way.
 */
const archive = (): string | null => {
  const own = inPackage('./');
  if (existsSync(join(own, 'package-lock.json'))) return join(own, ARCHIVE);
  const project = dirname(dirname(resolve(own)));
  const spec = existsSync(join(project, 'package.json')) ? manifestIn(project).dependencies?.['tripact'] : undefined;
  return spec?.startsWith('file:') ? resolve(project, spec.slice('file:'.length)) : null;
};

/** The packages of a project in this folder. No registry has Tripact: a package with that name there is a different one. */
const dependenciesOf = (root: string, { needs }: Project): Record<string, string> => {
  const file = archive();
  return {
    ...(file !== null && { tripact: `file:${relative(root, file).replaceAll(sep, '/')}` }),
    ...Object.fromEntries([...needs, 'zod'].map(versionOf)),
  };
};

const projectManifest = (root: string, project: Project): string =>
  jsonText({
    name: packageName(root),
    private: true,
    type: 'module',
    scripts: project.scripts,
    dependencies: dependenciesOf(root, project),
    devDependencies: FOR_TESTS,
  });

/** Only checks types: Node and Vitest run the files directly. */
const TSCONFIG = jsonText({
  compilerOptions: {
    target: 'esnext',
    module: 'preserve',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
  },
});

/** Whether a folder configures Vitest itself, in a file of whatever kind. */
const hasVitestConfig = (root: string): boolean =>
  existsSync(root) && readdirSync(root).some((name) => /^vite(st)?\.config\./.test(name));

const NO_TEST = /no test specified/;

/** Whether a folder has files that its package's `type` says how to read. */
const hasSources = (root: string): boolean =>
  globSync('**/*.{js,ts,jsx,tsx}', { cwd: root, exclude: (name) => name === 'node_modules' }).length > 0;

const AS_MODULES = '"type": "module"';

const differs = (one: object, other: object = {}): boolean => Object.keys(one).length > Object.keys(other).length;

/**
 * Adds what is missing to a package.json: scripts, packages, and, if the folder has no sources of its own, that it is one
 * of ES modules, as the files of the project are. Gives a line for what it changed, and one for what it left to the user.
 */
const fitManifest = (root: string, project: Project, isEmpty: boolean): string[] => {
  const given = manifestIn(root);
  const ownScripts = Object.entries(given.scripts ?? {}).filter(([, script]) => !NO_TEST.test(script));
  const scripts = { ...project.scripts, ...Object.fromEntries(ownScripts) };
  const dependencies = { ...dependenciesOf(root, project), ...given.dependencies };
  const devDependencies = { ...FOR_TESTS, ...given.devDependencies };
  const isModule = given.type === 'module';
  const added = [
    ...(differs(scripts, Object.fromEntries(ownScripts)) ? ['scripts'] : []),
    ...(differs(dependencies, given.dependencies) || differs(devDependencies, given.devDependencies)
      ? ['packages']
      : []),
    ...(isModule || !isEmpty ? [] : [AS_MODULES]),
  ];
  const type = isEmpty ? 'module' : given.type;
  writeFileSync(
    join(root, 'package.json'),
    jsonText({ ...given, ...(type !== undefined && { type }), scripts, dependencies, devDependencies }),
  );
  return [
    ...(added.length === 0 ? [] : [`added ${added.join(', ')} to package.json`]),
    ...(isModule || isEmpty
      ? []
      : [`left package.json without ${AS_MODULES}, which these files need if Node runs them`]),
  ];
};

/** The commands that come next, each to be typed as it is. */
const nextSteps = (folder: string, { shows }: Project): string[] => {
  const file = archive();
  const inFolder = folder === '.' ? [] : [`cd ${printable(folder)}`];
  // In a checkout it may have to be made first.
  const packed = file === null || existsSync(file) ? [] : [`(cd ${printable(dirname(file))} && npm pack)`];
  const install = file === null ? `npm install <folder>/${ARCHIVE}` : 'npm install';
  return [...inFolder, ...packed, install, 'npm test', shows];
};

const projectFiles = ({ folder }: Project): [path: string, text: string][] => {
  const root = inPackage(folder);
  const own = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .filter((path) => path !== VITEST_CONFIG && !Object.hasOwn(FOR_AGENTS, path))
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
  const isEmpty = !hasSources(root);
  const created = [
    ...files,
    ['package.json', projectManifest(root, project)] as const,
    ['tsconfig.json', TSCONFIG] as const,
    ...(hasVitestConfig(root)
      ? []
      : [[VITEST_CONFIG, readFileSync(inPackage(`./examples/project/${VITEST_CONFIG}`), 'utf8')] as const]),
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
  for (const line of isPackage ? fitManifest(root, project, isEmpty) : []) notes.write(`${line}\n`);
  const steps = nextSteps(folder, project);
  notes.write(`\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`);
  return exitCode.answered;
};
