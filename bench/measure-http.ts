import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Measurements of the real server from outside: figures by name, on standard output. */
type Measure = (dir: string) => Promise<Record<string, number>>;

const MAIN = join(import.meta.dirname, '..', 'src', 'main.mjs');

/** Clients that send one turn after the other. */
const CLIENTS = 16;

/** Turns of each client that are counted, after some to warm up. */
const TURNS = 40;
const WARM_UP = 5;

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const serve = (dir: string, port: number): ChildProcess =>
  spawn(process.execPath, [MAIN, 'serve'], {
    env: {
      PATH: process.env['PATH'],
      TRIPACT_DATA_DIR: dir,
      TRIPACT_PORT: String(port),
      TRIPACT_MODEL: 'offline',
      TRIPACT_LOG_LEVEL: 'silent',
    },
    stdio: 'ignore',
  });

const stop = async (server: ChildProcess): Promise<void> => {
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
};

const turn = async (port: number, session: string): Promise<void> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/sessions/${session}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'Add milk to my todos' }),
  });
  const { status } = (await response.json()) as { status: string };
  if (status !== 'answered') throw new Error(`the turn ended as ${status}`);
};

/** Tries until the server answers; a refused connection is tried again at once. */
const firstTurn = async (port: number): Promise<void> => {
  for (;;)
    try {
      return await turn(port, 'first');
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
};

/** From spawning the process on a folder that has been used before to a whole served turn. */
const cold: Measure = async (dir) => {
  const port = await freePort();
  const before = serve(dir, port);
  await firstTurn(port);
  await stop(before);
  const start = performance.now();
  const server = serve(dir, port);
  await firstTurn(port);
  const served = performance.now() - start;
  await stop(server);
  return { served_ms: served };
};

/** Turns of four steps each, by the offline model, everything durable. */
const http: Measure = async (dir) => {
  const port = await freePort();
  const server = serve(dir, port);
  await firstTurn(port);
  const times: number[] = [];
  const client = async (name: number, count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const start = performance.now();
      await turn(port, `client-${name}`);
      times.push(performance.now() - start);
    }
  };
  const all = (count: number) => Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i, count)));
  await all(WARM_UP);
  times.length = 0;
  const start = performance.now();
  await all(TURNS);
  const seconds = (performance.now() - start) / 1_000;
  await stop(server);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { turns_per_s: times.length / seconds, p50_ms: at(0.5), p99_ms: at(0.99) };
};

const [, , name = '', dir = ''] = process.argv;
const measure = { cold, http }[name];
if (measure === undefined) throw new Error(`no measure "${name}"`);
console.log(JSON.stringify(await measure(dir)));
