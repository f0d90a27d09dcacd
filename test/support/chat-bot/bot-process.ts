import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BOT } from './installed.ts';

/** The bot as its users run it, in its own process. */
export interface BotProcess {
  /** Starts it, and resolves once it reports that it runs; returns the address of its webhooks, if any. */
  start(): Promise<string | null>;
  /** Rows of the bot's database, by a query. */
  noted(sql: string): unknown[];
  /** Kills it like `kill -9`. */
  kill(): void;
  /** The output so far. */
  printed(): string;
  close(): Promise<void>;
}

/** Longest start of the bot, in milliseconds. */
const START_MS_MAX = 60_000;

/** A bot with this environment and its own data folder. */
export const botProcess = (env: () => Record<string, string>): BotProcess => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-bot-'));
  let child: ChildProcess | null = null;
  let text = '';

  const start = (): Promise<string | null> => {
    const from = text.length;
    const { PATH = '' } = process.env;
    const started = spawn(process.execPath, ['bot.ts'], {
      cwd: BOT,
      env: { PATH, BOT_DATA_DIR: folder, BOT_PORT: '0', ...env() },
    });
    child = started;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the bot does not start: ${text}`)), START_MS_MAX);
      const read = (chunk: Buffer): void => {
        text += chunk;
        const running = /The bot runs: (.*)\n/.exec(text.slice(from));
        if (running === null) return;
        clearTimeout(timer);
        resolve(/webhooks at (\S+)/.exec(running[1] ?? '')?.[1] ?? null);
      };
      started.stdout.on('data', read);
      started.stderr.on('data', read);
      started.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`the bot ended with ${code}: ${text.slice(from)}`));
      });
    });
  };

  return {
    start,
    kill: () => void child?.kill('SIGKILL'),
    noted: (sql) => {
      const db = new DatabaseSync(join(folder, 'chat-bot.db'), { readOnly: true });
      try {
        return db.prepare(sql).all();
      } finally {
        db.close();
      }
    },
    printed: () => text,
    close: async () => {
      if (child !== null && child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
