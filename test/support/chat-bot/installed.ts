import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { vi } from 'vitest';
import { succeed } from '../package/command.ts';

/** The folder of the bot, which has packages of its own. */
export const BOT = resolve('examples/chat-bot');

/** Longest that an installation takes, in milliseconds. */
const INSTALL_MS_MAX = 300_000;

/** Installs the bot's packages, unless those of its lock file are there; test files that run at once do it once. */
export const installBot = async (): Promise<void> => {
  const sum = createHash('sha256')
    .update(readFileSync(join(BOT, 'package-lock.json')))
    .digest('hex');
  const mark = join(BOT, 'node_modules/.installed');
  const isDone = (): boolean => {
    try {
      return readFileSync(mark, 'utf8') === sum;
    } catch {
      return false;
    }
  };
  const busy = join(BOT, '.installing');
  const isOurs = (): boolean => {
    try {
      mkdirSync(busy);
      return true;
    } catch {
      return false;
    }
  };
  if (isDone()) return;
  if (!isOurs()) {
    await vi.waitUntil(isDone, { timeout: INSTALL_MS_MAX, interval: 200 });
    return;
  }
  try {
    const install = ['npm', 'ci', '--ignore-scripts', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];
    await succeed(install, { cwd: BOT, path: dirname(process.execPath) });
    writeFileSync(mark, sum);
  } finally {
    rmSync(busy, { recursive: true });
  }
};
