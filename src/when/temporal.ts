import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Calendar and clock arithmetic, loaded when a time is first read or shown: a start needs none. */
export const temporal = (): typeof import('temporal-polyfill')['Temporal'] =>
  (require('temporal-polyfill') as typeof import('temporal-polyfill')).Temporal;
