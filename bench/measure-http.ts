import { ask, cpuMs, type Processes, type Served, whenReady, withProcesses } from './processes.ts';
import { quantile } from './whole-service/load.ts';
import type { ModelReport } from './whole-service/model-server.ts';

/** A measurement of the real server from outside: figures by name, on standard output. */
type Measure = (dir: string, processes: Processes) => Promise<Record<string, number>>;

/** Clients, each of which sends one turn after the other. */
const CLIENTS = 16;

/** Counted turns of each client, after some to warm up. */
const TURNS = 40;
const WARM_UP = 5;

const SETTINGS = { TRIPACT_MODEL: 'offline', TRIPACT_LOG_LEVEL: 'silent' };

const turn = async ({ url }: Served, session: string): Promise<void> => {
  const response = await fetch(`${url}/v1/sessions/${session}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'Add milk to my todos' }),
  });
  const { status } = (await response.json()) as { status: string };
  if (status !== 'answered') throw new Error(`the turn ended as ${status}`);
};

/**
 * From spawning the process on a used folder: until it is ready, until the first model call of the first turn after
 * that arrives, and that turn's duration. The model speaks the wire protocol and answers at once.
 */
const cold: Measure = async (dir, { serve, startModel, stop }) => {
  const { model, settings } = await startModel({ ms: 0 });
  const before = await serve(dir, settings);
  await whenReady(before);
  await turn(before, 'first');
  await stop(before.process);
  await ask<ModelReport>(model);
  const start = performance.now();
  const server = await serve(dir, settings);
  await whenReady(server);
  const ready = performance.now();
  await turn(server, 'first');
  const served = performance.now();
  const { firstAt } = await ask<ModelReport>(model);
  return {
    ready_ms: ready - start,
    first_model_call_ms: Number(firstAt) - performance.timeOrigin - start,
    first_turn_ms: served - ready,
    served_ms: served - start,
  };
};

/** Turns of four steps each, by the offline model, all durable. */
const http: Measure = async (dir, { serve }) => {
  const server = await serve(dir, SETTINGS);
  await whenReady(server);
  await turn(server, 'first');
  const times: number[] = [];
  const client = async (name: number, count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const start = performance.now();
      await turn(server, `client-${name}`);
      times.push(performance.now() - start);
    }
  };
  const all = (count: number) => Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i, count)));
  await all(WARM_UP);
  times.length = 0;
  const cpu = cpuMs(server.process);
  const start = performance.now();
  await all(TURNS);
  const seconds = (performance.now() - start) / 1_000;
  const used = cpuMs(server.process) - cpu;
  const sorted = times.toSorted((a, b) => a - b);
  return {
    turns_per_s: times.length / seconds,
    p50_ms: quantile(sorted, 0.5),
    p99_ms: quantile(sorted, 0.99),
    cpu_ms: used / times.length,
  };
};

const [, , name = '', dir = ''] = process.argv;
const measure = { cold, http }[name];
if (measure === undefined) throw new Error(`no measure "${name}"`);
console.log(JSON.stringify(await withProcesses((processes) => measure(dir, processes))));
