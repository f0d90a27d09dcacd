import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdirSync, openSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePort, isListening, type Server, untilUp } from './server.ts';

/** Where PostgreSQL's programs are: Debian keeps `initdb` off the PATH. */
const programs = (): string => {
  const places = [...globSync('/usr/lib/postgresql/*/bin'), ...(process.env['PATH'] ?? '').split(delimiter)];
  const place = places.find((dir) => existsSync(join(dir, 'initdb')));
  if (place === undefined) throw new Error('PostgreSQL is not installed (apt-get install postgresql)');
  return place;
};

/** PostgreSQL refuses to run as root; root hands the folder to `nobody`. */
const lowlyUser = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string): number => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

/** Starts a PostgreSQL of its own. `full`: synchronous_commit=on, `normal`: off; fsync stays on in both. */
export const start = async (dir: string, variant: string): Promise<Server> => {
  const bin = programs();
  const user = lowlyUser();
  const cwd = join(dir, 'pg');
  mkdirSync(cwd);
  if (user.uid !== undefined) chownSync(cwd, user.uid, user.gid!);
  const data = join(cwd, 'data');
  const init = ['-D', data, '-U', 'bench', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  const { status } = spawnSync(join(bin, 'initdb'), init, { ...user, cwd, stdio: 'ignore' });
  if (status !== 0) throw new Error('initdb failed; as root, the user "nobody" must be able to reach BENCH_DIR');
  const port = await freePort();
  const out = openSync(join(dir, 'postgres.log'), 'a');
  const commit = `synchronous_commit=${variant === 'normal' ? 'off' : 'on'}`;
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', '', '-c', commit],
    { ...user, cwd, stdio: ['ignore', out, out] },
  );
  const exited = once(server, 'exit');
  const stop = async (): Promise<void> => {
    server.kill('SIGINT');
    await exited;
  };
  try {
    await untilUp('PostgreSQL', () => isListening(port));
    execFileSync(join(bin, 'createdb'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'bench', 'bench']);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    env: { BENCH_PG_URL: `postgresql://bench@127.0.0.1:${port}/bench`, BENCH_SERVER_PID: String(server.pid) },
    stop,
  };
};
