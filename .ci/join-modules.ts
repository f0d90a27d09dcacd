import { globSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';

/** What imports a file that is read and not imported: its address must not depend on the file that its code was joined into. */
const OWN_ADDRESS = /\bimport\.meta\.url\b/g;

/**
 * Joins the modules of the compiled package into few files, for a start spends more on finding modules than on running them. `entries`, relative to
 * `dist`, stay where they are; what several of them use is in `src/parts/`. Packages are not joined in: who imports zod has the same zod.
 */
export const joinModules = async (dist: string, entries: readonly string[]): Promise<void> => {
  const isEntry = new Set(entries.map((entry) => join(dist, entry)));
  const bundle = await rolldown({
    cwd: dist,
    input: Object.fromEntries(entries.map((entry) => [entry, join(dist, entry)])),
    platform: 'node',
    external: (id) => !/^[./]/.test(id),
    experimental: { attachDebugInfo: 'none' },
    plugins: [
      {
        name: 'own-addresses',
        transform: (code, id) => {
          if (isEntry.has(id) || !OWN_ADDRESS.test(code)) return null;
          const original = `new URL('dist/${relative(dist, id)}', import.meta.resolve('tripact/package.json')).href`;
          return `const ownAddress = ${original};${code.replaceAll(OWN_ADDRESS, 'ownAddress')}`;
        },
      },
    ],
  });
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name]',
    chunkFileNames: 'src/parts/[name].js',
  });
  await bundle.close();
  const written = new Set(output.map(({ fileName }) => fileName));
  for (const file of globSync('{contracts,machines,src}/**/*.js', { cwd: dist }))
    if (!written.has(file)) rmSync(join(dist, file));
};
