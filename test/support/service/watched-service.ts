import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CliOptions, type RunningCli, startServe, temporaryFolder } from '../cli/cli-process.ts';

const WATCH = fileURLToPath(new URL('./watch-event-loop.ts', import.meta.url));

/** A time that the service's event loop was blocked for 50 ms of CPU or more. */
export interface LoopBlock {
  /** When it ended, in epoch milliseconds. */
  at: number;
  wallMs: number;
  cpuMs: number;
}

/** The real service in a process of its own, whose event loop is watched from inside. */
export interface WatchedService extends RunningCli {
  readonly url: string;
  /** Every time that the loop was blocked since then, in epoch milliseconds. */
  blockedSince(at: number): LoopBlock[];
}

/** Starts `tripact serve` with its event loop watched. */
export const startWatchedService = async ({ cwd = temporaryFolder(), env, node = [] }: CliOptions = {}) => {
  const file = join(cwd, 'event-loop');
  const serve = await startServe({ cwd, node: [...node, '--import', WATCH], env: { ...env, EVENT_LOOP_FILE: file } });
  const service: WatchedService = {
    ...serve,
    blockedSince: (since) => {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
      return lines.map((line) => JSON.parse(line) as LoopBlock).filter(({ at }) => at > since);
    },
  };
  return service;
};
