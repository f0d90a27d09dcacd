import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
let loaded: typeof import('yaml') | undefined;

/** The YAML library, loaded with the first command or report: most services never have one. */
export const yaml = (): typeof import('yaml') => {
  loaded ??= require('yaml') as typeof import('yaml');
  return loaded;
};
