// Plain JavaScript: what would strip types from a first file takes as long to load as a tenth of the start, and the files after it
// come stripped from the cache.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Compiled modules are kept with the packages, where nobody can write who could not change the code itself: half of a cold
// start is compiling. A folder that can't be written is no failure; it is then as slow as without.
const manifest = import.meta.resolve('tripact/package.json');
enableCompileCache(fileURLToPath(new URL('./node_modules/.cache/tripact', manifest)));

const { runCommandLine } = await import('./cli/program.ts');
await runCommandLine(process.argv.slice(2));
