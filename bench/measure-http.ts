import { cpuMs, freePort, serve, stop, whenListening } from './server-process.ts';

/** Measurements of the real server from outside: figures by name, on standard output. */
type Measure = (dir: string) => Promise<Record<string, number>>;

/** Clients that send one turn after the other. */
const CLIENTS = 16;

/** Turns of each client that are counted, after some to warm up. */
const TURNS = 40;
const WARM_UP = 5;

const SETTINGS = { TRIPACT_MODEL: 'offline', TRIPACT_LOG_LEVEL: 'silent' };

const turn = async (port: number, session: string): Promise<void> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/sessions/${session}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'Add milk to my todos' }),
  });
  const { status } = (await response.json()) as { status: string };
  if (status !== 'answered') throw new Error(`the turn ended as ${status}`);
};

const firstTurn = (port: number): Promise<void> => whenListening(() => turn(port, 'first'));

/** From spawning the process on a folder that has been used before to a whole served turn. */
const cold: Measure = async (dir) => {
  const port = await freePort();
  const before = serve(dir, port, SETTINGS);
  await firstTurn(port);
  await stop(before);
  const start = performance.now();
  const server = serve(dir, port, SETTINGS);
  await firstTurn(port);
  const served = performance.now() - start;
  await stop(server);
  return { served_ms: served };
};

/** Turns of four steps each, by the offline model, everything durable. */
const http: Measure = async (dir) => {
  const port = await freePort();
  const server = serve(dir, port, SETTINGS);
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
  const cpu = cpuMs(server);
  const start = performance.now();
  await all(TURNS);
  const seconds = (performance.now() - start) / 1_000;
  const used = cpuMs(server) - cpu;
  await stop(server);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { turns_per_s: times.length / seconds, p50_ms: at(0.5), p99_ms: at(0.99), cpu_ms: used / times.length };
};

const [, , name = '', dir = ''] = process.argv;
const measure = { cold, http }[name];
if (measure === undefined) throw new Error(`no measure "${name}"`);
console.log(JSON.stringify(await measure(dir)));
