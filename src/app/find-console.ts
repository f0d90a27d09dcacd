import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ConsoleBuild, FindConsole } from '../http/routes/console.ts';
import type { Log } from '../lib/log.ts';

/** Where the published package and the image have the built console. */
const BUILT = fileURLToPath(new URL('../../console', import.meta.url));

/** The program that builds it in a checkout, and prints the folder. */
const BUILDER = fileURLToPath(new URL('../../.ci/build-console.ts', import.meta.url));

/** How long a build may take, in milliseconds: it needs some seconds on a slow machine. */
const BUILD_MS_MAX = 120_000;

/**
 * Finds the built console: beside the code in the package and in the image; in a checkout it is built by a process of its own when it is first
 * asked for, and which `stopped` ends. A start loads nothing of it.
 */
export const createFindConsole = (log: Log, stopped: AbortSignal): FindConsole => {
  let found: ConsoleBuild | undefined;
  const beginBuild = (): ConsoleBuild => {
    if (!existsSync(BUILDER)) return { state: 'failed', reason: 'its files are not installed.' };
    log.info('building the console, once for this version of its sources');
    execFile(process.execPath, [BUILDER], { timeout: BUILD_MS_MAX, signal: stopped }, (error, stdout, stderr) => {
      if (stopped.aborted) return;
      if (error === null) {
        found = { state: 'ready', folder: stdout.trim() };
        log.info('the console is built');
        return;
      }
      found = { state: 'failed', reason: 'it could not be built. The log says why; "npm ci" installs what builds it.' };
      log.error({ stderr: stderr.trim() }, 'the console could not be built');
    });
    return { state: 'building' };
  };
  return () => {
    found ??= existsSync(BUILT) ? { state: 'ready', folder: BUILT } : beginBuild();
    return found;
  };
};
