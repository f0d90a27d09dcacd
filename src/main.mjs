// Plain JavaScript: Node would load its type stripper for a TypeScript file here, which takes a tenth of the start. The
// compile cache has the other files with their types stripped.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Compiling is half of a cold start, so compiled modules are cached beside the packages: whoever can write there can change
// the code anyway. Without write access the start is slower, and nothing fails.
const manifest = import.meta.resolve('tripact/package.json');
enableCompileCache(fileURLToPath(new URL('./node_modules/.cache/tripact', manifest)));

const { runCommandLine } = await import('./cli/program.ts');
await runCommandLine(process.argv.slice(2));
