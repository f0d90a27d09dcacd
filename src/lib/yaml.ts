import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The reader of YAML, loaded when a text is first read as YAML: a start needs none, and nearly all answers are JSON. */
export const yaml = (): typeof import('yaml') => require('yaml');
