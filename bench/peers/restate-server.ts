import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, isListening, type Server, untilUp } from './server.ts';

/** How long the server gets to end by itself, in milliseconds. */
const STOP_MS = 5_000;

/** The server's program, which an npm package ships for some platforms. */
const program = (): string => {
  const [path] = globSync('node_modules/@restatedev/restate-server-*/bin/restate-server', { cwd: import.meta.dirname });
  if (path === undefined) throw new Error('its package has no server binary for this platform');
  return join(import.meta.dirname, path);
};

/** Starts a Restate server. `full`: its log's WAL is fsynced (the default), `normal`: rocksdb-disable-wal-fsync. */
export const start = async (dir: string, variant: string): Promise<Server> => {
  const data = join(dir, 'data');
  mkdirSync(data, { recursive: true });
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const [node, admin, ingress, service] = ports;
  const out = openSync(join(dir, 'restate.log'), 'a');
  const server = spawn(program(), ['--no-logo', '--listen-mode', 'tcp', '--base-dir', data, '--node-name', 'bench'], {
    cwd: dir,
    stdio: ['ignore', out, out],
    env: {
      ...process.env,
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_LOG_SERVER__ROCKSDB_DISABLE_WAL_FSYNC: String(variant === 'normal'),
      RESTATE_LOG_FILTER: 'warn',
    },
  });
  const exited = once(server, 'exit');
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    const timer = setTimeout(() => server.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(timer);
  };
  try {
    await untilUp('Restate', async () => {
      if (server.exitCode !== null) throw new Error(`Restate ended with ${server.exitCode}`);
      if (!(await isListening(admin)) || !(await isListening(ingress))) return false;
      return (await fetch(`http://127.0.0.1:${admin}/health`).catch(() => null))?.ok ?? false;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    env: {
      BENCH_RESTATE_ADMIN: `http://127.0.0.1:${admin}`,
      BENCH_RESTATE_INGRESS: `http://127.0.0.1:${ingress}`,
      BENCH_RESTATE_SERVICE: String(service),
      BENCH_RESTATE_DATA: data,
      BENCH_SERVER_PID: String(server.pid),
    },
    stop,
  };
};
