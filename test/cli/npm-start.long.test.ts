import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { bareEnv, temporaryFolder } from '../support/cli/cli-process.ts';

/** Starts the service by npm in the checkout, in a process group of its own, and resolves when it is ready. */
const startByNpm = async (dataDir: string) => {
  const env = {
    ...bareEnv,
    TRIPACT_PORT: '0',
    TRIPACT_MODEL: 'offline',
    TRIPACT_LOG_LEVEL: 'error',
    TRIPACT_DATA_DIR: dataDir,
  };
  const npm = spawn('npm', ['start'], { env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    try {
      process.kill(-npm.pid!, 'SIGKILL');
    } catch {
      // All of the group have ended, as they should.
    }
  });
  const ended = once(npm, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    npm.stdout.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
      const [, address] = /address +(http:\S+)[\s\S]*curl/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    ended.then(() => reject(new Error(`npm ended: ${said}`)), reject);
  });
  return { npm, url, ended };
};

it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  'a service that npm started ends when npm does, by %s',
  async (signal) => {
    const { npm, url, ended } = await startByNpm(temporaryFolder());
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    npm.kill(signal);
    await ended;
    const answers = () =>
      fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      );
    await expect.poll(answers).toBe(false);
  },
);
