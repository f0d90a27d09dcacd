import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli, temporaryFolder } from '../support/cli/cli-process.ts';

/** Ids of tasks are new at each run: a page writes them like this. */
const TASK_ID = /task_[0-9a-z]{26}/g;
const ANY_TASK_ID = 'task_…';

const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare = '']) => quoted ?? bare);

/**
 * Opens a folder where the commands of a page are carried out, each `npx tripact …` in a process of its own with the offline
 * model. Knows `npx tripact`, with settings before it, `mkdir`, `ls` and `cat`; gives what comes on the standard output. `files`: what is
 * in the folder before.
 */
export const openShell = (files: Record<string, string> = {}): ((line: string) => Promise<string>) => {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return async (line) => {
    const [, settings = '', command, rest = ''] = /^((?:[A-Z_]+=\S+ )*)(\S+) ?(.*)$/.exec(line) ?? [];
    const env = Object.fromEntries([...settings.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
    switch (command) {
      case 'npx': {
        const [program, ...typed] = words(rest);
        if (program !== 'tripact') throw new Error(`the page runs a program that this test does not know: ${line}`);
        return (await cli(typed, { cwd, env: { TRIPACT_MODEL: 'offline', ...env } })).stdout
          .replaceAll(TASK_ID, ANY_TASK_ID)
          .trim();
      }
      case 'mkdir':
      case 'ls':
        return execSync(line, { cwd, encoding: 'utf8' }).trim();
      case 'cat':
        return readFileSync(join(cwd, rest), 'utf8').replaceAll(TASK_ID, ANY_TASK_ID).trim();
      default:
        throw new Error(`the page has a command that this test does not know: ${line}`);
    }
  };
};
