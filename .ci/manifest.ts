/**
 * `npm pack` and `npm publish` run this before and after packing: `publish` puts the manifest that is published in the place of the
 * checkout's, `restore` puts the checkout's back. The published one names the compiled files, and nothing that only the checkout needs.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../package.json', import.meta.url));
const SAVED = fileURLToPath(new URL('../package.json.checkout', import.meta.url));

/** The Node that the compiled package runs on; the checkout needs a newer one, for it runs TypeScript. */
const PUBLISHED_NODE = '>=22.18';

const compiled = (file: string, extension: string): string =>
  file.replace(/^\.\//, './dist/').replace(/\.ts$/, extension);

/** The manifest that is published, from the checkout's. */
const published = (
  checkout: Record<string, unknown> & { exports: Record<string, string>; bin: Record<string, string> },
) => {
  const { private: _, scripts, devDependencies, optionalDependencies, exports, bin, ...rest } = checkout;
  const entry = (file: string) =>
    file.endsWith('.ts') ? { types: compiled(file, '.d.ts'), default: compiled(file, '.js') } : file;
  return {
    ...rest,
    engines: { node: PUBLISHED_NODE },
    files: ['dist', 'docs/*.md', 'CHANGELOG.md'],
    exports: Object.fromEntries(Object.entries(exports).map(([name, file]) => [name, entry(file)])),
    bin: Object.fromEntries(Object.entries(bin).map(([name, file]) => [name, `dist/${file}`])),
  };
};

const write = (manifest: unknown): void => writeFileSync(FILE, `${JSON.stringify(manifest, null, 2)}\n`);

switch (process.argv[2]) {
  case 'publish': {
    // A pack that was killed left the published manifest in place: the saved one is the checkout's.
    const text = readFileSync(existsSync(SAVED) ? SAVED : FILE, 'utf8');
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
