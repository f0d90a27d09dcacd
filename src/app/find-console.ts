import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { FindConsole } from '../http/routes/console.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { madeOnce } from '../lib/once.ts';

const BUILT = fileURLToPath(new URL('../../console', import.meta.url));

const BUILDER = fileURLToPath(new URL('../../.ci/build-console.ts', import.meta.url));

/** Longest build, in milliseconds: it takes some seconds on a slow machine. */
const BUILD_MS_MAX = 120_000;

const unavailable = (why: string): ServiceError =>
  new ServiceError('PACKAGE_MISSING', `The console is not available: ${why}`);

/**
 * Finds the built console. In a checkout, a process builds it when it is first asked for, as `tripact serve` does at its
 * start, unless `stopped`. Rejects with `PACKAGE_MISSING`.
 */
export const createFindConsole = (log: Log, stopped: AbortSignal): FindConsole =>
  madeOnce(async () => {
    if (existsSync(BUILT)) return BUILT;
    if (!existsSync(BUILDER)) throw unavailable('its files are not installed.');
    const options = { timeout: BUILD_MS_MAX, signal: stopped };
    const { stdout } = await promisify(execFile)(process.execPath, [BUILDER], options).catch((error: unknown) => {
      if (!stopped.aborted) log.error({ err: error }, 'the console could not be built');
      throw unavailable('it could not be built. The log says why; "npm ci" installs what builds it.');
    });
    log.info('the console is built');
    return stdout.trim();
  });
