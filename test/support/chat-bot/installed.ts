import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { succeed } from '../package/command.ts';
import { onceARun } from '../package/once-a-run.ts';

/** The folder of the bot, which has packages of its own. */
export const BOT = resolve('examples/chat-bot');

/** Installs the bot's packages, unless those of its lock file are installed. */
export const installBot = async (): Promise<void> => {
  await onceARun('chat-bot', async () => {
    const lock = readFileSync(join(BOT, 'package-lock.json'));
    const sum = createHash('sha256').update(lock).digest('hex');
    const mark = join(BOT, 'node_modules/.installed');
    if (existsSync(mark) && readFileSync(mark, 'utf8') === sum) return;
    const install = ['npm', 'ci', '--ignore-scripts', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];
    await succeed(install, { cwd: BOT, path: dirname(process.execPath) });
    writeFileSync(mark, sum);
  });
};
