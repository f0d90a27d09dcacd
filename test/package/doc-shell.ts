import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCode } from '../../src/cli/failure.ts';
import { freePort } from '../support/http/free-port.ts';
import { runCommand } from '../support/package/command.ts';
import { type Running, startRunning, startServing } from '../support/package/serve.ts';
import { type DocCommand, readyWhen } from './doc-commands.ts';

/** The address in the pages, which another service of this machine may have. */
const WRITTEN_PORT = /(?<=(?:localhost|127\.0\.0\.1):)8787/g;

/** A shell that a reader types a page's commands into: what they change of the folder and of what runs stays for the next. */
export interface DocShell {
  /** Carries a command out; gives what is wrong with it, null where nothing is. */
  run(command: DocCommand): Promise<string | null>;
  /** Goes on as on another day: nothing runs, and nothing is stored. */
  beginPage(): Promise<void>;
  /** The same for a command that no page has; throws where it fails. Gives what it prints. */
  prepare(text: string): Promise<string>;
  /** Starts the service anew, with settings. */
  serve(env?: Record<string, string>): Promise<void>;
  /** Placeholders of a page for something that only its reader knows: `<task>`, say. */
  replace: Map<string, string>;
  close(): Promise<void>;
}

/** Opens a shell in a folder, in which `node` is the one at `path`. */
export const openDocShell = async (folder: string, path: string): Promise<DocShell> => {
  const place = join(folder, '.working-folder');
  mkdirSync(folder, { recursive: true });
  writeFileSync(place, folder);
  const port = await freePort();
  const env = {
    TRIPACT_PORT: `${port}`,
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
  const replace = new Map<string, string>();
  const cwd = (): string => readFileSync(place, 'utf8').trim();
  let service: { stop(): Promise<void> } | null = null;

  const concrete = (text: string): string =>
    [...replace]
      .reduce((command, [written, meant]) => command.replaceAll(written, meant), text)
      .replaceAll(WRITTEN_PORT, `${port}`);
  const stop = async (): Promise<void> => {
    await service?.stop();
    service = null;
  };
  const start = async (text: string, pattern: RegExp): Promise<Running> => {
    await stop();
    const running = await startRunning(text, pattern, { cwd: cwd(), path, env });
    service = running;
    return running;
  };
  const carryOut = async (text: string) =>
    runCommand(['bash', '-c', `${concrete(text)}\ncode=$?; pwd > ${place}; exit $code`], { cwd: cwd(), path, env });
  const prepare = async (text: string): Promise<string> => {
    const { code, stdout, stderr } = await carryOut(text);
    if (code !== 0 && code !== exitCode.asking) throw new Error(`${text} ended with ${code}\n${stdout}${stderr}`);
    return stdout;
  };

  return {
    replace,
    run: async (command) => {
      const fault = (why: string): string => `${command.page}: ${command.text}\n${why}`;
      const ready = readyWhen(command);
      try {
        if (ready !== null) {
          await start(concrete(command.text), ready);
          return null;
        }
        if (service === null && command.text.includes(':8787')) await start('npx tripact serve', /http:/);
      } catch (error) {
        return fault(String(error));
      }
      const { code, stdout, stderr } = await carryOut(command.text);
      if (code !== 0 && code !== exitCode.asking) return fault(`ended with ${code}\n${stdout}${stderr}`);
      // curl is content with any answer.
      return stdout.includes('"/problems/') ? fault(stdout) : null;
    },
    beginPage: async () => {
      await stop();
      await prepare('rm -rf data');
    },
    prepare,
    serve: async (settings = {}) => {
      await stop();
      service = await startServing('npx tripact serve', { cwd: cwd(), path, env: { ...env, ...settings } });
    },
    close: stop,
  };
};
