import { globSync, readFileSync } from 'node:fs';
import { basename, posix } from 'node:path';
import { describe, expect, it } from 'vitest';

/** A source file of the repository, by its path from the root. */
interface SourceFile {
  path: string;
  text: string;
}

/** All TypeScript that belongs to the project. */
const readSourceFiles = (): SourceFile[] =>
  globSync(['{contracts,machines,src,test,bench,examples}/**/*.{ts,tsx}', '*.ts'], {
    // The packages of the side-by-side benchmark have sources of their own.
    exclude: (path) => path.includes('node_modules'),
  })
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** The code without its comment lines, so that prose about a thing is not taken for the thing. */
const codeOf = ({ text }: SourceFile): string => text.replace(/^\s*(\/\/|\/\*|\*).*$/gm, '');

const specifier = /\b(?:import|export)\b[^'"`;()]*?\bfrom\s*'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g;

/** Imports of a file: files as paths from the root, packages as `package`, Node's modules as `node:…`. */
const importsOf = (file: SourceFile): string[] =>
  [...codeOf(file).matchAll(specifier)]
    .map(([, from, bare]) => from ?? bare ?? '')
    .map((name) => {
      if (name.startsWith('.')) return posix.join(posix.dirname(file.path), name);
      if (name.startsWith('node:')) return name;
      return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
    });

/**
 * The folders from the bottom to the top, each with all that it may import beside itself: folders, or of a folder its ports alone, file
 * by file. A file belongs to the longest name that fits it.
 */
const allowedImports: Record<string, readonly string[]> = {
  contracts: [],
  machines: ['contracts'],
  'src/lib': ['contracts'],
  'src/config': ['contracts', 'src/lib'],
  'src/when': ['contracts'],
  'src/projections': ['contracts', 'machines'],
  'src/history': ['contracts', 'machines', 'src/lib', 'src/projections'],
  'src/audit': ['contracts'],
  'src/access': ['contracts', 'src/lib', 'src/config'],
  'src/sign-in': ['contracts', 'src/lib'],
  'src/verify': ['contracts'],
  'src/telemetry': ['contracts', 'machines', 'src/lib'],
  'src/models': ['contracts', 'machines', 'src/lib', 'src/when'],
  'src/models/reply': ['contracts', 'machines', 'src/lib', 'src/models/port.ts'],
  'src/workspace': ['contracts', 'machines', 'src/lib', 'src/projections'],
  'src/tools': ['contracts', 'src/lib', 'src/when', 'src/sign-in/port.ts', 'src/models/port.ts', 'src/workspace'],
  'src/commands': ['contracts', 'machines', 'src/lib', 'src/projections', 'src/tools'],
  'src/session': [
    'contracts',
    'machines',
    'src/lib',
    'src/history',
    'src/projections',
    'src/models/port.ts',
    'src/models/reply',
    'src/tools/port.ts',
    'src/tools/registry.ts',
    'src/commands',
  ],
  'src/store': ['contracts', 'src/lib', 'src/access/port.ts', 'src/sign-in/port.ts', 'src/session'],
  'src/store/sql': [
    'contracts',
    'machines',
    'src/lib',
    'src/projections',
    'src/history/stored-history.ts',
    'src/audit',
    'src/access/port.ts',
    'src/sign-in/port.ts',
    'src/workspace/port.ts',
    'src/session',
    'src/store/call-body.ts',
    'src/store/port.ts',
  ],
  'src/store/sqlite': ['contracts', 'src/lib', 'src/store/port.ts', 'src/store/sql'],
  'src/store/postgres': ['src/lib', 'src/store/port.ts', 'src/store/sql'],
  'src/cluster': [
    'src/lib',
    'src/telemetry/port.ts',
    'src/store/port.ts',
    'src/store/sql/due.ts',
    'src/store/postgres',
  ],
  'src/runtime/calls': ['contracts', 'src/lib', 'src/models/port.ts', 'src/store/call-body.ts', 'src/store/port.ts'],
  'src/runtime/outbox': ['src/lib', 'src/telemetry/port.ts', 'src/session', 'src/store/port.ts'],
  'src/runtime/perform': [
    'contracts',
    'machines',
    'src/lib',
    'src/projections',
    'src/access/port.ts',
    'src/verify/port.ts',
    'src/models/port.ts',
    'src/models/reply',
    'src/workspace/port.ts',
    'src/tools/port.ts',
    'src/tools/registry.ts',
    'src/session',
  ],
  'src/runtime/telemetry': [
    'contracts',
    'src/lib',
    'src/telemetry/port.ts',
    'src/commands',
    'src/session',
    'src/runtime/perform',
  ],
  'src/runtime': [
    'contracts',
    'machines',
    'src/lib',
    'src/history',
    'src/projections',
    'src/access/port.ts',
    'src/telemetry/port.ts',
    'src/workspace/port.ts',
    'src/commands',
    'src/session',
    'src/store/call-body.ts',
    'src/store/port.ts',
    'src/cluster/port.ts',
    'src/runtime/outbox',
    'src/runtime/perform',
    'src/runtime/telemetry',
  ],
  'src/rerun': [
    'contracts',
    'machines',
    'src/lib',
    'src/projections',
    'src/history',
    'src/verify/port.ts',
    'src/models/port.ts',
    'src/models/scripted.ts',
    'src/models/prompt/prompt.ts',
    'src/models/prompt/prompt-text.ts',
    'src/models/reply',
    'src/tools/port.ts',
    'src/tools/registry.ts',
    'src/runtime/port.ts',
  ],
  'src/http/server': ['contracts', 'src/lib', 'src/access', 'src/telemetry/port.ts'],
  'src/http/streams': [
    'contracts',
    'src/lib',
    'src/history',
    'src/access/port.ts',
    'src/telemetry/port.ts',
    'src/runtime/port.ts',
    'src/http/server',
  ],
  'src/http/routes': [
    'contracts',
    'src/lib',
    'src/history',
    'src/access',
    'src/sign-in/port.ts',
    'src/telemetry/port.ts',
    'src/models/port.ts',
    'src/workspace',
    'src/tools',
    'src/store/port.ts',
    'src/runtime/port.ts',
    'src/rerun',
    'src/http/server',
    'src/http/streams',
  ],
  'src/http/protocols': [
    'contracts',
    'src/lib',
    'src/projections',
    'src/history',
    'src/access/port.ts',
    'src/telemetry/port.ts',
    'src/tools/registry.ts',
    'src/store/port.ts',
    'src/runtime/port.ts',
    'src/http/server',
    'src/http/streams',
  ],
  'src/http': [
    'contracts',
    'src/lib',
    'src/config',
    'src/telemetry/port.ts',
    'src/store/port.ts',
    'src/cluster',
    'src/http/server',
    'src/http/streams',
    'src/http/routes',
    'src/http/protocols',
  ],
  'src/app': [
    'contracts',
    'machines',
    'src/lib',
    'src/config',
    'src/projections',
    'src/audit',
    'src/access',
    'src/sign-in',
    'src/verify',
    'src/telemetry',
    'src/models',
    'src/models/reply',
    'src/workspace',
    'src/tools',
    'src/commands',
    'src/session',
    'src/store',
    'src/store/sql',
    'src/store/sqlite',
    'src/store/postgres',
    'src/cluster',
    'src/runtime',
    'src/runtime/calls',
    'src/runtime/outbox',
    'src/runtime/perform/show-files.ts',
    'src/rerun',
    'src/http/server',
    'src/http/protocols',
    'src/http/routes/console.ts',
    'src/http',
  ],
  'src/testing': [
    'contracts',
    'src/lib',
    'src/config',
    'src/history',
    'src/models/port.ts',
    'src/models/scripted.ts',
    'src/rerun',
    'src/app',
  ],
  'src/cli': [
    'contracts',
    'src/lib',
    'src/config',
    'src/history',
    'src/audit',
    'src/access',
    'src/models/port.ts',
    'src/commands',
    'src/rerun',
    'src/app',
  ],
  src: ['src/lib/line-logger.ts', 'src/tools/define-tool.ts', 'src/tools/port.ts', 'src/app'],
  'src/console/fold': ['contracts', 'machines', 'src/history', 'src/projections'],
  'src/console': ['contracts', 'src/history', 'src/console/fold'],
};

/** The package's public entry: the one file that only re-exports. */
const PUBLIC_ENTRY = 'src/tripact.ts';

/** Packages that only some folders may import. */
const owners: Record<string, readonly string[]> = {
  xstate: ['machines'],
  'better-sqlite3': ['src/store/sqlite'],
  '@anthropic-ai/sdk': ['src/models', 'src/tools'],
  '@modelcontextprotocol/client': ['src/tools', 'src/sign-in'],
  '@modelcontextprotocol/server': ['src/http/protocols'],
  '@a2a-js/sdk': ['src/http/protocols', 'src/tools'],
  ai: ['src/models', 'src/http/protocols'],
  '@ai-sdk/openai': ['src/models'],
  '@ai-sdk/openai-compatible': ['src/models'],
  undici: ['src/cluster', 'src/models', 'src/tools'],
  'chrono-node': ['src/when'],
  '@fastify/multipart': ['src/http/routes'],
  'file-type': ['src/workspace'],
  'image-size': ['src/workspace'],
  yaml: ['src/lib'],
  standardwebhooks: ['src/runtime/outbox'],
  'prom-client': ['src/telemetry'],
  '@opentelemetry/api': ['src/telemetry'],
  '@opentelemetry/core': ['src/telemetry'],
  '@opentelemetry/exporter-metrics-otlp-http': ['src/telemetry'],
  '@opentelemetry/exporter-trace-otlp-http': ['src/telemetry'],
  '@opentelemetry/resources': ['src/telemetry'],
  '@opentelemetry/sdk-metrics': ['src/telemetry'],
  '@opentelemetry/sdk-trace': ['src/telemetry'],
  fastify: [
    'src/cluster',
    'src/http/server',
    'src/http/streams',
    'src/http/routes',
    'src/http/protocols',
    'src/http',
    'src/app',
  ],
  '@fastify/static': ['src/http/routes'],
  '@fastify/swagger': ['src/http/routes'],
  '@fastify/swagger-ui': ['src/http/routes'],
  'fastify-type-provider-zod': ['src/http/server'],
  commander: ['src/cli'],
  jose: ['src/access'],
  preact: ['src/console'],
  '@preact/signals': ['src/console', 'src/console/fold'],
};

/** Packages that run in the browser, bundled, so that none of them is installed with the package. */
const BUNDLED = 'preact @preact/signals eventsource-parser marked virtual:chart';

/** Folders that may use no other package than these. */
const onlyPackages: Record<string, readonly string[]> = {
  contracts: ['zod'],
  machines: ['xstate', 'zod'],
  'src/models/reply': ['node:util', 'zod'],
  'src/console': BUNDLED.split(' '),
  'src/console/fold': ['@preact/signals', 'fast-sha256', 'zod'],
};

const impure =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bprocess\.\w|\bfetch\(|\bset(Timeout|Interval|Immediate)\b|\bperformance\.|\bcrypto\.|\bconsole\./;

const vague = /(^|[/-])(utils?|helpers?|common|misc|manager)([-./]|$)/;

const folderOf = (path: string): string | undefined =>
  Object.keys(allowedImports)
    .filter((folder) => path === folder || path.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];

const CONSOLE = 'src/console/';

/** The floors of the console from the bottom to the top; every other folder is a screen, and the shell draws the screens. */
const consoleFloors = ['state', 'text', 'api', 'design', 'fold', 'history', 'screens', 'app', 'main.tsx'];

/** The floor of a file of the console, by its number; of anything else -1. */
const floorOf = (path: string): number => {
  if (!path.startsWith(CONSOLE)) return -1;
  const [place = ''] = path.slice(CONSOLE.length).split('/');
  const named = consoleFloors.indexOf(place);
  return named === -1 ? consoleFloors.indexOf('screens') : named;
};

/** How the console is built, which no browser runs. */
const isBuildFile = ({ path }: SourceFile): boolean =>
  /^src\/console\/(vite\.config|machine\/chart-(layout|plugin))\.ts$/.test(path);

const isShipped = (file: SourceFile): boolean => folderOf(file.path) !== undefined && !isBuildFile(file);

/** The line of the table by which a file imports another one; undefined where there is none. A file's own name comes before its folder's. */
const permissionFor = (path: string, target: string): string | undefined => {
  const allowed = allowedImports[folderOf(path) ?? ''] ?? [];
  return [target, folderOf(target)].find((name) => name !== undefined && allowed.includes(name));
};

const mayImport = (path: string, target: string): boolean =>
  folderOf(path) === folderOf(target) || permissionFor(path, target) !== undefined;

const mayUse = (path: string, name: string): boolean => {
  const folder = folderOf(path) ?? '';
  return (onlyPackages[folder]?.includes(name) ?? true) && (owners[name]?.includes(folder) ?? true);
};

/** A type by name, of a file of the engine that no other folder may import. */
const namesInside = /\bimport\s+(?:type\b[^'";]*|\{[^'";]*\btype\s[^'";]*)\bfrom\s*'[^']*\/store\/sqlite\//;

/** Files of the composition root that a folder without adapters uses, and whose types may expose an adapter's internals. */
const exposedFiles = (all: SourceFile[]): SourceFile[] => {
  const used = new Set(all.filter(({ path }) => /^src\/(cli|testing|http)\//.test(path)).flatMap(importsOf));
  return all.filter(({ path }) => folderOf(path) === 'src/app' && used.has(path));
};

const PROTOCOLS = 'src/http/protocols/';

const withoutTypes = (file: SourceFile): SourceFile => ({
  ...file,
  text: file.text.replaceAll(/^import type [^;]*;/gm, ''),
});

const withoutLateImports = (file: SourceFile): SourceFile => ({
  ...file,
  text: file.text.replaceAll(/\bimport\(\s*'[^']*'\s*\)/g, ''),
});

/** The import rules that a file breaks, one sentence each. */
const violations = (file: SourceFile): string[] => {
  const found: string[] = [];
  const { path } = file;
  for (const name of importsOf(file)) {
    // A style sheet, or a file as its text, is no code.
    if (path.startsWith(CONSOLE) && /\.css$|\?raw$/.test(name)) continue;
    const allowed = /\.tsx?$/.test(name) ? mayImport(path, name) : mayUse(path, name);
    if (!allowed) found.push(`${path} must not import ${name}`);
  }
  const use = folderOf(path) === 'machines' ? impure.exec(codeOf(file)) : null;
  if (use !== null) found.push(`${path} is a machine and must not use ${use[0]}`);
  return found;
};

const isBarrel = (file: SourceFile): boolean => {
  const statements = codeOf(file)
    .split(/;\s*/)
    .filter((statement) => statement.trim() !== '');
  return statements.length > 0 && statements.every((statement) => /^\s*export\b[^=]*\bfrom\s*'/.test(statement));
};

const files = readSourceFiles();
const shipped = files.filter(isShipped);

describe('the folders', () => {
  it('import only from the folders they may import, and machines stay pure', () => {
    expect(shipped.flatMap(violations)).toEqual([]);
  });

  it('stand in the order of the table: what a folder imports is above it there, so no import points up and none goes round', () => {
    const order = Object.keys(allowedImports);
    const upwards = order.flatMap((from, place) =>
      allowedImports[from]!.filter((name) => order.indexOf(folderOf(`${name}/`) ?? '') >= place).map(
        (name) => `${from} must not stand below ${name}`,
      ),
    );
    expect(upwards).toEqual([]);
  });

  it('use every permission that the tables give them', () => {
    const used = new Set<string>();
    for (const file of shipped)
      for (const name of importsOf(file)) {
        const folder = folderOf(file.path);
        used.add(`${folder} imports ${permissionFor(file.path, name)}`).add(`${folder} uses ${name}`);
      }
    const given = Object.entries(allowedImports).flatMap(([from, names]) => names.map((to) => `${from} imports ${to}`));
    for (const [name, folders] of Object.entries(owners)) given.push(...folders.map((from) => `${from} uses ${name}`));
    for (const [from, names] of Object.entries(onlyPackages))
      given.push(...names.map((name) => `${from} uses ${name}`));
    expect(given.filter((permission) => !used.has(permission))).toEqual([]);
  });

  it('import only packages that are installed without the development ones, or that people add for the models that need them', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    // A package may name itself, for its manifest.
    const dependencies = { ...manifest.dependencies, ...manifest.peerDependencies, [manifest.name]: manifest.version };
    expect(Object.keys(manifest.peerDependenciesMeta)).toEqual(Object.keys(manifest.peerDependencies));
    // A type of a protocol's messages is gone in what is published: no public declaration reaches it.
    const installed = shipped.filter(({ path }) => !path.startsWith(CONSOLE));
    const imports = installed.flatMap((file) => importsOf(file.path.startsWith(PROTOCOLS) ? withoutTypes(file) : file));
    const packages = new Set(imports.filter((name) => !/\.(tsx?|json)$|^node:/.test(name)));
    expect([...packages].filter((name) => !Object.hasOwn(dependencies, name))).toEqual([]);
  });

  it('get ports alone of the composition root: no file that they use there names a type of an engine’s inside', () => {
    const files = exposedFiles(shipped);
    expect(files.map(({ path }) => path)).toContain('src/app/open-admin.ts');
    expect(files.filter((file) => namesInside.test(codeOf(file))).map(({ path }) => path)).toEqual([]);
  });

  it('of the console load no contract and no machine first', () => {
    const loadedAtOnce = new Map(shipped.map((file) => [file.path, importsOf(withoutTypes(withoutLateImports(file)))]));
    const isFirst = (path: string): boolean => path.startsWith(CONSOLE) && !path.startsWith(`${CONSOLE}fold/`);
    const first = [...loadedAtOnce.keys()].filter(isFirst);
    expect(first.length).toBeGreaterThan(0);
    // A set grows while it is walked, so this comes to all that is loaded for these.
    const loaded = new Set(first);
    for (const path of loaded) for (const name of loadedAtOnce.get(path) ?? []) loaded.add(name);
    const machines = [...loaded].filter((path) => /^(machines|src\/console\/fold)\//.test(path));
    const contracts = first.flatMap((path) => loadedAtOnce.get(path)!).filter((name) => name.startsWith('contracts/'));
    expect([...machines, ...contracts]).toEqual([]);
  });

  it('never import each other, two and two', () => {
    const arrows = new Set<string>();
    for (const file of shipped)
      for (const name of importsOf(file).filter((each) => /\.tsx?$/.test(each)))
        arrows.add(`${posix.dirname(file.path)} → ${posix.dirname(name)}`);
    const isBothWays = (arrow: string): boolean => {
      const [from, to] = arrow.split(' → ');
      return from! < to! && arrows.has(`${to} → ${from}`);
    };
    expect([...arrows].filter(isBothWays)).toEqual([]);
  });

  it('have no file that imports itself by way of others', () => {
    const imports = new Map(shipped.map((file) => [file.path, importsOf(file)]));
    const circles: string[] = [];
    const finished = new Set<string>();
    const follow = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '));
      if (way.includes(path) || finished.has(path)) return;
      for (const next of imports.get(path) ?? []) follow(next, [...way, path]);
      finished.add(path);
    };
    for (const path of imports.keys()) follow(path, []);
    expect(circles).toEqual([]);
  });

  it('of the console stand on floors: what is shared beneath the screens, and the shell above them', () => {
    const upwards = shipped.flatMap((file) =>
      importsOf(file)
        .filter((name) => floorOf(name) > floorOf(file.path) && file.path.startsWith(CONSOLE))
        .map((name) => `${file.path} must not import ${name}, which stands above it`),
    );
    expect(upwards).toEqual([]);
  });

  it('are all known to this test', () => {
    const unknown = files.filter(
      ({ path }) => /^(contracts|machines|src)\//.test(path) && folderOf(path) === undefined,
    );
    const below = shipped.filter(({ path }) => folderOf(path) === 'src' && path.split('/').length > 2);
    expect([...unknown, ...below].map(({ path }) => path)).toEqual([]);
  });
});

describe('every file', () => {
  it('has a kebab-case name that says what it contains', () => {
    const isKebab = (path: string) =>
      /^[a-z0-9]+(-[a-z0-9]+)*((\.long)?\.test|\.config|\.bench|\.d)?\.tsx?$/.test(basename(path));
    expect(files.map(({ path }) => path).filter((path) => vague.test(path) || !isKebab(path))).toEqual([]);
  });

  it('is no barrel', () => {
    expect(
      files
        .filter((file) => basename(file.path) === 'index.ts' || (file.path !== PUBLIC_ENTRY && isBarrel(file)))
        .map(({ path }) => path),
    ).toEqual([]);
  });
});

it('the rules notice an import and an impure call that is not allowed', () => {
  const noticed = (path: string, text: string): number => violations({ path, text }).length;
  expect(noticed('machines/a.ts', "import type { Tool } from '../src/tools/port.ts';")).toBe(1);
  expect(noticed('machines/a.ts', 'const now = Date.now();')).toBe(1);
  expect(noticed('src/runtime/a.ts', "import Database from 'better-sqlite3';")).toBe(1);
  expect(noticed('src/http/a.ts', "const { x } = await import('../models/anthropic/model.ts');")).toBe(1);
  expect(noticed('src/tools/todo/a.ts', "import type { Tool } from '../port.ts';")).toBe(0);
  expect(noticed('src/runtime/perform/a.ts', "import type { Tool } from '../../tools/port.ts';")).toBe(0);
  expect(noticed('src/runtime/a.ts', "import { defineTool } from '../tools/define-tool.ts';")).toBe(1);
  expect(noticed('src/when/a.ts', "import type { Tool } from '../tools/port.ts';")).toBe(1);
});
