import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';

const MAIN = fileURLToPath(new URL('../src/main.mjs', import.meta.url));

/** Settings of whoever runs this, such as a key, are not the demo's. */
const foreign = /^(TRIPACT|ANTHROPIC|OPENAI)_/;

/** The real service in a process of its own. */
export interface DemoService {
  url: string;
  /** Sends it a signal, and resolves when it has exited, to its exit code; null for one that was killed. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/** The database that the build of the machine `tripact-task@3` left, killed while its question was open. */
const OLDER_DATABASE = new URL('./demo-older.sql', import.meta.url);

const writeOlderDatabase = (dataDir: string): void => {
  mkdirSync(dataDir, { mode: 0o700 });
  const db = new Database(join(dataDir, 'tripact.db'));
  db.exec(readFileSync(OLDER_DATABASE, 'utf8'));
  db.close();
};

/** A folder of the demo's own, empty or as an older version left it, and the service on it as often as it is started. */
export const createDemoFolder = (isLeft: 'empty' | 'by-older-version' = 'empty') => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-demo-'));
  if (isLeft === 'by-older-version') writeOlderDatabase(join(folder, 'data'));
  let running: ChildProcess | null = null;
  // Also when the demo fails or is interrupted: nothing of it is left.
  process.once('exit', () => {
    running?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  process.once('SIGINT', () => process.exit(130));

  return {
    /** Starts `tripact serve` with the offline model on any free port, and resolves when it is ready. */
    start: async (settings: Record<string, string> = {}): Promise<DemoService> => {
      const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
      const child = spawn(process.execPath, [MAIN, 'serve'], {
        cwd: folder,
        env: {
          ...Object.fromEntries(own),
          TRIPACT_MODEL: 'offline',
          TRIPACT_PORT: '0',
          TRIPACT_DATA_DIR: join(folder, 'data'),
          TRIPACT_LOG_LEVEL: 'warn',
          ...settings,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      running = child;
      const exited = once(child, 'exit') as Promise<[number | null]>;
      for await (const line of createInterface({ input: child.stdout })) {
        const [url] = /http:\/\/[\w.:[\]]+/.exec(line) ?? [];
        if (url === undefined) continue;
        child.stdout.resume();
        return {
          url,
          end: async (signal) => {
            child.kill(signal);
            const [code] = await exited;
            running = null;
            return code;
          },
        };
      }
      throw new Error(`the service did not start; it ended with ${(await exited)[0]}`);
    },
  };
};
