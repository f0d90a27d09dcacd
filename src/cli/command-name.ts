import { basename } from 'node:path';

/** The files that this command line is run by. */
const OUR_FILES = /^(tripact|main)(\.mjs)?$/;

/** How this command line was called, for lines that say what to type next: what npx runs is found by npx alone. */
export const commandName = (): string => {
  const isOurs = OUR_FILES.test(basename(process.argv[1] ?? ''));
  return isOurs && process.env['npm_command'] === 'exec' ? 'npx tripact' : 'tripact';
};
