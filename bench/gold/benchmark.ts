import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Dialogue } from './play.ts';

/** The benchmark, and the version that is fetched. */
const REPOSITORY = 'https://github.com/ShishirPatil/gorilla.git';
const COMMIT = '6ea57973c7a6097fd7c5915698c54c17c5b1b6c8';
const FOLDER = 'berkeley-function-call-leaderboard';

/** The benchmark's folder: `BFCL_DIR`, or its commit, fetched once. */
const benchmark = (): string => {
  const to = join(import.meta.dirname, '.bfcl');
  const folder = process.env['BFCL_DIR'] ?? join(to, FOLDER);
  if (existsSync(folder)) return folder;
  const git = (...words: string[]): Buffer => execFileSync('git', ['-C', to, ...words]);
  mkdirSync(to, { recursive: true });
  git('init', '-q');
  git('config', 'remote.origin.url', REPOSITORY);
  git('sparse-checkout', 'set', `${FOLDER}/bfcl_eval`);
  git('fetch', '-q', '--depth', '1', '--filter=blob:none', 'origin', COMMIT);
  git('checkout', '-q', 'FETCH_HEAD');
  return folder;
};

/** The benchmark's dialogues, and the server of their tools, which is never killed. */
export interface Tools {
  address: string;
  /** Playable dialogues with at least one call. */
  dialogues: Dialogue[];
  /** The number of playable dialogues. */
  total: number;
  /** Why each of the others is not playable. */
  leftOut: string[];
  close(): void;
}

/** Starts the tools' server, fetching the benchmark if necessary. */
export const startTools = async (): Promise<Tools> => {
  const server = spawn('python3', [join(import.meta.dirname, 'tools.py'), benchmark()], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  const { port, dialogues, left_out } = JSON.parse(line) as { port: number; dialogues: Dialogue[]; left_out: string[] };
  return {
    address: `http://127.0.0.1:${port}`,
    dialogues: dialogues.filter(({ turns }) => turns.some(({ calls }) => calls.length > 0)),
    total: dialogues.length,
    leftOut: left_out,
    close: () => void server.kill(),
  };
};

/** A number of dialogues, spread over all of them. */
export const spread = <Each>(all: readonly Each[], count: number): Each[] =>
  all.filter(
    (_, index) => Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length),
  );
