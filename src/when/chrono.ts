import { createRequire } from 'node:module';

type Chrono = typeof import('chrono-node');

const require = createRequire(import.meta.url);

/** The date parsers of both languages, each loaded when words of it are first read as a time: together they are the largest import of a start. */
export const chrono = {
  get en(): Chrono['en'] {
    return require('chrono-node/en');
  },
  get zh(): Chrono['zh']['hans'] {
    return require('chrono-node/zh/hans');
  },
};
