import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** A source file of the repository, by its path from the root. */
export interface SourceFile {
  path: string;
  text: string;
}

/** All TypeScript that belongs to the project. */
export const readSourceFiles = (): SourceFile[] =>
  globSync(['{contracts,machines,src,test,bench,examples}/**/*.{ts,tsx}', '*.ts'], {
    // The packages of the side-by-side benchmark have sources of their own.
    exclude: (path) => path.includes('node_modules'),
  })
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** The code without its comment lines, so that prose about a thing is not taken for the thing. */
export const codeOf = ({ text }: SourceFile): string => text.replace(/^\s*(\/\/|\/\*|\*).*$/gm, '');

const specifier = /\b(?:import|export)\b[^'"`;()]*?\bfrom\s*'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g;

/** What a file imports: files as paths from the root, packages as `package`, Node's modules as `node:…`. */
export const importsOf = (file: SourceFile): string[] =>
  [...codeOf(file).matchAll(specifier)]
    .map(([, from, bare]) => from ?? bare ?? '')
    .map((name) => {
      if (name.startsWith('.')) return posix.join(posix.dirname(file.path), name);
      if (name.startsWith('node:')) return name;
      return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
    });
