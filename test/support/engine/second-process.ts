import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const PROGRAM = `
  import { openDatabase } from ${JSON.stringify(new URL('../../../src/store/sqlite/open.ts', import.meta.url).href)};
  const [dataDir, lockWaitMs] = process.argv.slice(1);
  console.log('begun');
  try {
    openDatabase({ dataDir, ...(lockWaitMs !== undefined && { lockWaitMs: Number(lockWaitMs) }) });
    console.log('opened');
    setInterval(() => {}, 60_000);
  } catch (error) {
    console.log(error.code + ': ' + error.message);
  }
`;

/** Another process that opens the store of a data folder, and keeps it locked until it is killed. */
export interface SecondProcess {
  readonly child: ChildProcess;
  /** Its next line: `begun`, then `opened` or the error's code and message. */
  says(): Promise<string>;
  /** Kills it as a power cut would. */
  kill(): Promise<void>;
}

/** Starts another process on a data folder. */
export const startSecondProcess = (dataDir: string, lockWaitMs?: number): SecondProcess => {
  const given = lockWaitMs === undefined ? [dataDir] : [dataDir, String(lockWaitMs)];
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM, ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    says: async () => String((await lines.next()).value),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};
