import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.mjs', import.meta.url));

/** The folder with `tripact.config.ts` and the ledger's tools. */
const WORKING_FOLDER = import.meta.dirname;

/** Characters of the service's log that are kept to show how it ended. */
const LOG_CHARS_KEPT = 8_000;

/** The real server, `tripact serve`, as one process after another on the same data folder. */
export interface ServiceProcess {
  /** The number of the process, from 1. */
  life(): number;
  /** Its address; if there is none, that of the next process that is ready. */
  url(): Promise<string>;
  /** Starts the next process. Resolves to true when it is ready, to false if it ended before. */
  start(): Promise<boolean>;
  /**
   * Ends it like a crash (SIGKILL). The address stops answering at once; the process has exited when `ended` resolves.
   */
  kill(): void;
  /** Freezes it, or lets it continue. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Ends it in order (SIGTERM). An exit code other than 0 is an unexpected end. */
  terminate(): Promise<void>;
  /** Resolves when no process is left. */
  ended(): Promise<void>;
}

export interface ServiceOptions {
  dataDir: string;
  /** Where the model and the tools' ledger answer. */
  stubUrl: string;
  /** Further settings for the process with that number. */
  settings?(life: number): NodeJS.ProcessEnv;
  /** It ended unexpectedly, or with another code; `how` has its last output. */
  onOwnEnd(how: string, wasReady: boolean): unknown;
}

/** `start` starts the first process. */
export const createServiceProcess = ({ dataDir, stubUrl, settings, onOwnEnd }: ServiceOptions): ServiceProcess => {
  let life = 0;
  let child: ChildProcess | null = null;
  /** The signal that the process was sent; null: none. */
  let toEndBy: 'SIGKILL' | 'SIGTERM' | null = null;
  let isReady = false;
  let address = Promise.withResolvers<string>();
  let end: Promise<void> = Promise.resolve();

  const forgetAddress = (): void => {
    if (isReady) address = Promise.withResolvers();
    isReady = false;
  };

  const environment = (): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    TRIPACT_PORT: '0',
    TRIPACT_DATA_DIR: dataDir,
    TRIPACT_MODEL: 'anthropic:crashtest',
    TRIPACT_LOG_LEVEL: 'warn',
    // Few enough that long tasks pause.
    TRIPACT_MAX_STEPS: '20',
    ANTHROPIC_BASE_URL: stubUrl,
    ANTHROPIC_API_KEY: `life-${life}`,
    CRASHTEST_LEDGER_URL: stubUrl,
    TRIPACT_CALLBACK_HOSTS: '127.0.0.1',
    TRIPACT_WEBHOOK_URL: `${stubUrl}/hook`,
    CRASHTEST_LIFE: String(life),
    ...settings?.(life),
  });

  return {
    life: () => life,
    url: () => address.promise,
    start: async () => {
      life += 1;
      toEndBy = null;
      const started = spawn(process.execPath, [MAIN, 'serve'], {
        cwd: WORKING_FOLDER,
        env: environment(),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      let log = '';
      let greeting = '';
      started.stderr.setEncoding('utf8').on('data', (piece: string) => {
        log = (log + piece).slice(-LOG_CHARS_KEPT);
      });
      end = once(started, 'close').then(([code]) => {
        child = null;
        const wasReady = isReady;
        forgetAddress();
        const isAsked = toEndBy === 'SIGKILL' || (toEndBy === 'SIGTERM' && code === 0);
        if (!isAsked) onOwnEnd(`exit code ${code}, ended by ${toEndBy}\n${greeting}${log}`, wasReady);
      });
      const ready = new Promise<void>((resolve) => {
        started.stdout.setEncoding('utf8').on('data', (piece: string) => {
          greeting = (greeting + piece).slice(-LOG_CHARS_KEPT);
          const [, url] = /address +(http:\S+)/.exec(greeting) ?? [];
          if (isReady || toEndBy !== null || url === undefined) return;
          isReady = true;
          address.resolve(url);
          resolve();
        });
      });
      return Promise.race([ready.then(() => true), end.then(() => false)]);
    },
    kill: () => {
      toEndBy = 'SIGKILL';
      forgetAddress();
      child?.kill('SIGKILL');
    },
    signal: (name) => void child?.kill(name),
    terminate: () => {
      toEndBy = 'SIGTERM';
      forgetAddress();
      child?.kill('SIGTERM');
      return end;
    },
    ended: () => end,
  };
};
