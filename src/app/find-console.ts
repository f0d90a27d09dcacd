import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { FindConsole } from '../http/routes/console.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { madeOnce } from '../lib/once.ts';

/** Where the published package and the image have the built console. */
const BUILT = fileURLToPath(new URL('../../console', import.meta.url));

/** The program that builds it in a checkout, and prints the folder. */
const BUILDER = fileURLToPath(new URL('../../.ci/build-console.ts', import.meta.url));

/** How long a build may take, in milliseconds: it needs some seconds on a slow machine. */
const BUILD_MS_MAX = 120_000;

const unavailable = (why: string): ServiceError =>
  new ServiceError('PACKAGE_MISSING', `The console is not available: ${why}`);

/**
 * Finds the built console: beside the code in the package and in the image; in a checkout it is built by a process of its own when it is first
 * asked for, and which `stopped` ends. A start loads nothing of it. Rejects with `PACKAGE_MISSING` where there is none.
 */
export const createFindConsole = (log: Log, stopped: AbortSignal): FindConsole =>
  madeOnce(async () => {
    if (existsSync(BUILT)) return BUILT;
    if (!existsSync(BUILDER)) throw unavailable('its files are not installed.');
    log.info('building the console, once for this version of its sources');
    const options = { timeout: BUILD_MS_MAX, signal: stopped };
    const { stdout } = await promisify(execFile)(process.execPath, [BUILDER], options).catch((error: unknown) => {
      if (!stopped.aborted) log.error({ err: error }, 'the console could not be built');
      throw unavailable('it could not be built. The log says why; "npm ci" installs what builds it.');
    });
    log.info('the console is built');
    return stdout.trim();
  });
