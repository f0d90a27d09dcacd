/**
 * `npm pack` and `npm publish` run this before and after packing: `publish` puts the manifest that is published in the place of the
 * checkout's, `restore` puts the checkout's back. The published one names the compiled files, and nothing that only the checkout needs.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../package.json', import.meta.url));
const SAVED = fileURLToPath(new URL('../package.json.checkout', import.meta.url));

/** The Node that the compiled package runs on; the checkout needs a newer one, for it runs TypeScript. */
const PUBLISHED_NODE = '>=22.19';

/**
 * Dependencies of the checkout that whoever installs the package gets only when they ask for them: what needs one says so when it is
 * missing. They are a fifth of what would be installed.
 */
const OPTIONAL_PEERS = [
  '@a2a-js/sdk',
  '@fastify/swagger-ui',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace',
  '@restatedev/restate-sdk',
];

/**
 * All pages, and what they link to: a page that is left out is a dead link of another. The pictures of README and
 * docs/console.md stay behind: they would be a quarter of the package.
 */
const DOCS = [
  'CHANGELOG.md',
  'docs/**/*.md',
  'bench/cost/README.md',
  'bench/gold/README.md',
  'bench/models/README.md',
  'bench/rerun/README.md',
  'AGENTS.md',
  'skills',
  'examples/project',
  'examples/templates',
  'examples/testing',
  'examples/deploy',
  'examples/chat-bot/README.md',
  'examples/chat-bot/README.zh.md',
  'examples/chat-bot/slack-manifest.yml',
  'examples/tripact.config.ts',
];

const compiled = (file: string, extension: string): string =>
  file.replace(/^\.\//, './dist/').replace(/\.ts$/, extension);

/** The manifest that is published, from the checkout's. */
const published = ({
  private: _,
  allowScripts,
  scripts,
  devDependencies,
  optionalDependencies,
  dependencies,
  peerDependencies,
  peerDependenciesMeta,
  exports,
  bin,
  ...rest
}: typeof import('../package.json')) => {
  const needed = Object.entries(dependencies);
  const isOptional = ([name]: [string, string]): boolean => OPTIONAL_PEERS.includes(name);
  const entry = (file: string) =>
    file.endsWith('.ts') ? { types: compiled(file, '.d.ts'), default: compiled(file, '.js') } : file;
  return {
    ...rest,
    dependencies: Object.fromEntries(needed.filter((each) => !isOptional(each))),
    peerDependencies: {
      ...peerDependencies,
      ...Object.fromEntries(needed.filter(isOptional).map(([name, version]) => [name, `^${version}`])),
    },
    peerDependenciesMeta: {
      ...peerDependenciesMeta,
      ...Object.fromEntries(OPTIONAL_PEERS.map((name) => [name, { optional: true }])),
    },
    engines: { node: PUBLISHED_NODE },
    files: ['dist', ...DOCS],
    exports: Object.fromEntries(Object.entries(exports).map(([name, file]) => [name, entry(file)])),
    bin: Object.fromEntries(Object.entries(bin).map(([name, file]) => [name, `dist/${file}`])),
  };
};

const write = (manifest: unknown): void => writeFileSync(FILE, `${JSON.stringify(manifest, null, 2)}\n`);

switch (process.argv[2]) {
  case 'publish': {
    const present = readFileSync(FILE, 'utf8');
    // A pack that was killed left the published manifest in place; the checkout's, which is private, is the saved one then.
    const text = JSON.parse(present).private === true ? present : readFileSync(SAVED, 'utf8');
    writeFileSync(SAVED, text);
    write(published(JSON.parse(text)));
    break;
  }
  case 'restore':
    renameSync(SAVED, FILE);
    break;
  default:
    console.error('usage: node .ci/manifest.ts publish|restore');
    process.exitCode = 2;
}
