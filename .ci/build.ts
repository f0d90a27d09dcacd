/**
 * `npm run build`: compiles contracts/, machines/ and src/ into dist/, for the published package. Node strips no types under
 * node_modules, so what is published is JavaScript, file by file and nothing bundled, with the declarations that its public entries need. The
 * checkout itself runs its TypeScript and needs no build.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../package.json' with { type: 'json' };
import { buildConsole } from './build-console.ts';
import { withNamedTypes } from './named-types.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const CONFIG = join(ROOT, '.ci/tsconfig.build.json');

/** Files that the compiled code reads and the compiler does not write. */
const COPIED = ['src/**/*.mjs', 'src/**/*.sql', 'src/**/openapi.json'];

/** A declaration's import of another one of ours. */
const OUR_IMPORT = /(?<=\bfrom '|\bimport\(["'])(\.{1,2}\/[^'"]+)\.ts(?=["'])/g;

/** The compiler indents by four spaces, a tenth of what it writes. */
const indentedByTabs = (declarations: string): string =>
  declarations.replaceAll(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));

/**
 * Writes the declarations that the public entries reach, pointing at JavaScript names. Some inner modules have types that no
 * declaration can name, as better-sqlite3's; the compiler complains of them, which matters only for what is reached.
 */
const writePublicDeclarations = (entries: readonly string[]): void => {
  const args = ['-p', CONFIG, '--declaration', '--emitDeclarationOnly', '--pretty', 'false'];
  const { stdout } = spawnSync('tsc', args, { cwd: ROOT, encoding: 'utf8' });
  const complaints = new Map(stdout.split('\n').map((line) => [/^[^(]+\.ts(?=\()/.exec(line)?.[0], line]));
  const reached = new Map<string, string>();
  const reach = (file: string): void => {
    if (reached.has(file)) return;
    const complaint = complaints.get(file.replace(/\.d\.ts$/, '.ts'));
    if (complaint !== undefined) throw new Error(complaint);
    const text = readFileSync(join(DIST, file), 'utf8');
    reached.set(file, text.replaceAll(OUR_IMPORT, '$1.js'));
    for (const [, specifier] of text.matchAll(OUR_IMPORT)) reach(join(dirname(file), `${specifier}.d.ts`));
  };
  for (const entry of entries) reach(join('.', entry.replace(/\.ts$/, '.d.ts')));
  for (const file of globSync('**/*.d.ts', { cwd: DIST })) if (!reached.has(file)) rmSync(join(DIST, file));
  for (const [file, text] of withNamedTypes(reached)) writeFileSync(join(DIST, file), indentedByTabs(text));
};

rmSync(DIST, { recursive: true, force: true });
// Docstrings are published once, with the declarations.
execFileSync('tsc', ['-p', CONFIG, '--removeComments'], { cwd: ROOT, stdio: 'inherit' });
writePublicDeclarations(Object.values(manifest.exports).filter((file) => file.endsWith('.ts')));
// The compiler also writes the imported package.json; the package's own is the one to read.
rmSync(join(DIST, 'package.json'), { force: true });
// Modules are published as they can be read; a formatter indents them, for it knows which spaces belong to a text.
execFileSync('biome', ['format', '--write', `--config-path=${join(ROOT, '.ci/biome.build.json')}`, 'dist'], {
  cwd: ROOT,
  stdio: ['ignore', 'ignore', 'inherit'],
});
/**
 * A copied file as it is published: JavaScript names what was compiled, SQL is without the lines that are comments and not indented, and JSON has
 * no spaces, two fifths of the API's description.
 */
const publishedText = (file: string, text: string): string => {
  if (file.endsWith('.json')) return JSON.stringify(JSON.parse(text));
  if (file.endsWith('.sql')) return text.replaceAll(/^ *(--.*\n)?/gm, '').trimStart();
  return text.replaceAll(/(?<=')(\.{1,2}\/[^']+)\.ts(?=')/g, '$1.js');
};

for (const file of globSync(COPIED, { cwd: ROOT })) {
  mkdirSync(dirname(join(DIST, file)), { recursive: true });
  writeFileSync(join(DIST, file), publishedText(file, readFileSync(join(ROOT, file), 'utf8')));
}
await buildConsole(join(DIST, 'console'));
console.log(
  `built ${globSync('{contracts,machines,src}/**/*.js', { cwd: DIST }).length} modules into ${relative(process.cwd(), DIST) || '.'}`,
);
