import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../http/free-port.ts';

/** A Restate server of the tests on free ports of loopback. */
export interface RestateServer {
  readonly ingress: string;
  readonly admin: string;
  /** The public key for the signatures of its requests. */
  readonly identityKey: string;
  /** Ends it like a crash. */
  kill(): Promise<void>;
  /** Restarts it on the same ports; `isNew`: without its data. */
  start(isNew?: boolean): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

const BASE_58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Signs the requests of all servers of a test, which may be one cluster. */
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

/** Writes a server's signing key into a file, and returns its public half in Restate's format. */
const writeKey = (file: string): string => {
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const bytes = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  let written = '';
  for (let rest = BigInt(`0x${bytes.toString('hex')}`); rest > 0n; rest /= 58n)
    written = BASE_58[Number(rest % 58n)] + written;
  return `publickeyv1_${written.padStart(written.length + bytes.findIndex((byte) => byte !== 0), '1')}`;
};

/** Starts a server without any service. It considers a node dead that is silent for 2 s. */
export const startRestate = async (settings: Record<string, string> = {}): Promise<RestateServer> => {
  const program = createRequire(import.meta.url).resolve(
    `@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'tripact-restate-'));
  const data = join(folder, 'data');
  const identityKey = writeKey(join(folder, 'key.pem'));
  const [ingress, admin, own] = await Promise.all([freePort(), freePort(), freePort()]);
  const env = {
    ...process.env,
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_LOG_FILTER: 'error',
    RESTATE_NODE_NAME: 'test',
    RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: join(folder, 'key.pem'),
    RESTATE_DEFAULT_NUM_PARTITIONS: '2',
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '64 MiB',
    RESTATE_BIND_ADDRESS: `127.0.0.1:${own}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_INTERVAL: '1s',
    RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_TIMEOUT: '1s',
    RESTATE_WORKER__INVOKER__CONNECT_TIMEOUT: '2s',
    ...settings,
  };
  const isUp = (url: string) =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  let server: ChildProcess;
  const start = async (isNew = false): Promise<void> => {
    if (isNew) rmSync(data, { recursive: true, force: true });
    server = spawn(program, ['--base-dir', data], { env, stdio: 'ignore' });
    while (
      !(await isUp(`http://127.0.0.1:${ingress}/restate/health`)) ||
      !(await isUp(`http://127.0.0.1:${admin}/health`))
    ) {
      if (server.exitCode !== null) throw new Error(`Restate did not start: ${server.exitCode}`);
      await pause(50);
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'close');
    server.kill(signal);
    await ended;
  };
  await start();
  return {
    ingress: `http://127.0.0.1:${ingress}`,
    admin: `http://127.0.0.1:${admin}`,
    identityKey,
    kill: () => end('SIGKILL'),
    start,
    stop: async () => {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Starts a cluster of three servers with every piece of data on two: any of them may fail. */
export const startRestates = async (): Promise<RestateServer[]> => {
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const shared = {
    RESTATE_DEFAULT_REPLICATION: '2',
    RESTATE_METADATA_CLIENT__ADDRESSES: JSON.stringify(ports.map((port) => `http://127.0.0.1:${port}`)),
  };
  const own = (port: number, i: number) => ({
    RESTATE_NODE_NAME: `test-${i}`,
    RESTATE_BIND_ADDRESS: `127.0.0.1:${port}`,
    RESTATE_AUTO_PROVISION: String(i === 0),
  });
  return Promise.all(ports.map((port, i) => startRestate({ ...shared, ...own(port, i) })));
};
