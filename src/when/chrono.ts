import { createRequire } from 'node:module';

type Chrono = typeof import('chrono-node');

const require = createRequire(import.meta.url);
let loaded: { en: Chrono['en']; zh: Chrono['zh']['hans'] } | undefined;

/** The date parsers of both languages, loaded when words are first read as a time: they are the largest import of a start. */
export const chrono = (): NonNullable<typeof loaded> => {
  loaded ??= { en: require('chrono-node/en'), zh: require('chrono-node/zh/hans') };
  return loaded;
};
