import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '../test/support/postgres/server.ts';
import { ask, cpuMs, endedChildrenMs, type Processes, type Served, whenReady, withProcesses } from './processes.ts';
import { CALLS, goalOf, quantile } from './whole-service/load.ts';
import type { ModelReport } from './whole-service/model-server.ts';

/**
 * Figures by name, from real processes on one machine: nodes, PostgreSQL with fsync, the model, and this one, which
 * sends the turns.
 */
type Figures = Record<string, number>;

/** Effects in a turn: its model calls, and a tool. */
const EFFECTS = CALLS + 1;

const OWNERS = 64;

/** Counted turns of each session. */
const TURNS = 6;

/** Longer than a node has to exist before it takes over homes, in milliseconds. */
const SETTLED_MS = 6_000;

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

const keyOf = (owner: number): string => `key-of-${owner}-0123456789abcdef`;

const KEYS = Array.from({ length: OWNERS }, (_, owner) => `o${owner}:${keyOf(owner)}`).join(',');

/** Sends a request until it is answered. After a 503 it is sent again with the same key, when `retry-after` says. */
const send = async (
  port: number,
  owner: number,
  method: string,
  path: string,
  body?: object,
  headers = {},
): Promise<unknown> => {
  const own = {
    authorization: `Bearer ${keyOf(owner)}`,
    'content-type': 'application/json',
    ...headers,
    ...(body !== undefined && { 'idempotency-key': randomUUID() }),
  };
  for (;;) {
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers: own });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const reply = await json(response);
    if (response.statusCode === 200 || response.statusCode === 202) return reply;
    if (response.statusCode !== 503) throw new Error(`${path} got ${response.statusCode}: ${JSON.stringify(reply)}`);
    await sleep(Number(response.headers['retry-after'] ?? 1) * 1_000);
  }
};

const turn = async (port: number, owner: number, session: number): Promise<number> => {
  const began = performance.now();
  const reply = await send(port, owner, 'POST', `/v1/sessions/bench-${session}/turns`, { input: goalOf(session) });
  const { status, output } = reply as { status: string; output: string };
  if (status !== 'answered') throw new Error(`the turn ended as ${status}: ${output}`);
  return performance.now() - began;
};

/** A service on one of the databases, with its own processes and PostgreSQL's. */
interface Service {
  nodes: Served[];
  /** Its database; null for SQLite. */
  postgres: PostgresServer | null;
  /** Processor time of the nodes and of PostgreSQL so far, in milliseconds. */
  cpu(): { nodes: number; postgres: number };
  stop(): Promise<void>;
}

/** Processor time of a process so far, or 0 if it has ended since it was listed. */
const cpuMsOrNone = (pid: number): number => {
  try {
    return cpuMs({ pid });
  } catch {
    return 0;
  }
};

/** Processor time of the running processes of a PostgreSQL server and of those that have ended, in milliseconds. */
const cpuOfPostgres = (pid: number): number => {
  const lines = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return lines.map(Number).reduce((sum, child) => sum + cpuMsOrNone(child), cpuMs({ pid }) + endedChildrenMs({ pid }));
};

/** Starts a service with `count` nodes on PostgreSQL; 0: a single one on SQLite. */
const startService = async (
  dir: string,
  count: number,
  { serve, stop }: Processes,
  settings: Record<string, string>,
): Promise<Service> => {
  const server = count === 0 ? null : await startPostgres();
  const nodes: Served[] = [];
  for (let number = 0; number < Math.max(count, 1); number += 1) {
    const folder = join(dir, `${count}-${number}`);
    mkdirSync(folder);
    const node = await serve(folder, (port) => ({
      ...settings,
      TRIPACT_API_KEYS: KEYS,
      TRIPACT_LOG_LEVEL: 'error',
      ...(server !== null && { TRIPACT_DATABASE_URL: server.address }),
      ...(count > 1 && { TRIPACT_NODE_URL: `http://127.0.0.1:${port}` }),
    }));
    await whenReady(node);
    nodes.push(node);
  }
  return {
    nodes,
    postgres: server,
    cpu: () => ({
      nodes: nodes.reduce((sum, { process }) => sum + cpuMs(process), 0),
      postgres: server === null ? 0 : cpuOfPostgres(server.pid),
    }),
    stop: async () => {
      await Promise.all(nodes.map(({ process }) => stop(process)));
      await server?.stop();
    },
  };
};

/** The node that a load balancer picks for an owner, by a hash of its key. */
const nodeOf = ({ nodes }: Service, owner: number): number => nodes[owner % nodes.length]!.port;

const SERVICES = [
  { name: 'sqlite', count: 0 },
  { name: 'postgres', count: 1 },
  { name: 'nodes2', count: 2 },
  { name: 'nodes4', count: 4 },
];

/**
 * An effect's time and processor time with 64 sessions, of one owner and of 64 owners, and a model that answers at
 * once.
 */
const nodes = async (dir: string, processes: Processes): Promise<Figures> => {
  const { settings } = await processes.startModel({ ms: 0 });
  const figures: Figures = {};
  for (const { name, count } of SERVICES) {
    const service = await startService(dir, count, processes, settings);
    for (const owners of [1, OWNERS]) {
      const all = (turns: number): Promise<unknown> =>
        Promise.all(
          Array.from({ length: OWNERS }, async (_, session) => {
            for (let i = 0; i < turns; i += 1)
              await turn(nodeOf(service, session % owners), session % owners, session + 1_000 * owners);
          }),
        );
      await all(2);
      const before = service.cpu();
      const began = performance.now();
      await all(TURNS);
      const ms = performance.now() - began;
      const after = service.cpu();
      const effects = OWNERS * TURNS * EFFECTS;
      const of = `${name}_${owners}_owners`;
      figures[`${of}_effects_per_s`] = (effects * 1_000) / ms;
      figures[`${of}_node_cpu_us`] = ((after.nodes - before.nodes) * 1_000) / effects;
      if (count > 0) figures[`${of}_postgres_cpu_us`] = ((after.postgres - before.postgres) * 1_000) / effects;
    }
    await service.stop();
  }
  return figures;
};

/** The time that busy sessions add to a turn whose four model calls take 15 s in total. */
const busy = async (dir: string, processes: Processes): Promise<Figures> => {
  const figures: Figures = {};
  for (const { name, count } of SERVICES)
    for (const sessions of [600, 3_000]) {
      const { model, settings } = await processes.startModel({ ms: 3_750, spread: 0.2 });
      const folder = join(dir, String(sessions));
      mkdirSync(folder, { recursive: true });
      const service = await startService(folder, count, processes, settings);
      for (const owner of Array.from({ length: OWNERS }, (_, index) => index))
        await send(nodeOf(service, owner), owner, 'GET', '/v1/sessions');
      await ask<ModelReport>(model);
      const durations = await Promise.all(
        Array.from({ length: sessions }, async (_, session) => {
          // They arrive within a second.
          await sleep((session / sessions) * 1_000);
          return turn(nodeOf(service, session % OWNERS), session % OWNERS, session);
        }),
      );
      const { ownTime } = await ask<ModelReport>(model);
      const added = durations.map((ms, session) => ms - (ownTime[session] ?? Number.NaN)).sort((a, b) => a - b);
      figures[`${name}_${sessions}_added_p50_ms`] = quantile(added, 0.5);
      figures[`${name}_${sessions}_added_p99_ms`] = quantile(added, 0.99);
      await service.stop();
      await processes.stop(model);
    }
  return figures;
};

/** Requests that a node answers itself, and those that it forwards: a read, and a turn without a model. */
const forwarded = async (dir: string, processes: Processes): Promise<Figures> => {
  const { settings } = await processes.startModel({ ms: 0 });
  const service = await startService(dir, 2, processes, settings);
  const [home, other] = service.nodes.map(({ port }) => port) as [number, number];
  const figures: Figures = {};
  await turn(home, 0, 1);
  const kinds: Record<string, (port: number) => Promise<unknown>> = {
    read: (port) => send(port, 0, 'GET', '/v1/sessions/bench-1'),
    command: (port) => send(port, 0, 'POST', '/v1/sessions/bench-1/turns', { input: '/status' }),
  };
  for (const [kind, once] of Object.entries(kinds)) {
    const times: Record<string, number[]> = { direct: [], forwarded: [] };
    for (let i = 0; i < 600; i += 1)
      for (const [name, port] of [
        ['direct', home],
        ['forwarded', other],
      ] as const) {
        const began = performance.now();
        await once(port);
        if (i >= 100) times[name]!.push(performance.now() - began);
      }
    for (const [name, values] of Object.entries(times)) {
      const sorted = values.sort((a, b) => a - b);
      figures[`${kind}_${name}_p50_ms`] = quantile(sorted, 0.5);
      figures[`${kind}_${name}_p99_ms`] = quantile(sorted, 0.99);
    }
  }
  await service.stop();
  return figures;
};

/** From `kill -9` of an owner's home to the first model call elsewhere, and to the last of all its running tasks. */
const takeover = async (dir: string, processes: Processes): Promise<Figures> => {
  const figures: Figures = {};
  for (const tasks of [1, 100, 1_000]) {
    const { model, settings } = await processes.startModel({ ms: 60_000 });
    const folder = join(dir, String(tasks));
    mkdirSync(folder);
    const service = await startService(folder, 2, processes, settings);
    const home = service.nodes[0]!;
    const sessions = Array.from({ length: tasks }, (_, session) => session);
    await Promise.all(
      sessions.map((session) =>
        send(
          home.port,
          0,
          'POST',
          `/v1/sessions/bench-${session}/turns`,
          { input: goalOf(session) },
          { prefer: 'respond-async' },
        ),
      ),
    );
    const calls = async (): Promise<ModelReport> => ask<ModelReport>(model, 'count');
    while ((await calls()).received < tasks) await sleep(20);
    await sleep(SETTLED_MS);
    await ask<ModelReport>(model);
    const killedAt = performance.timeOrigin + performance.now();
    home.process.kill('SIGKILL');
    while ((await calls()).received < tasks) await sleep(5);
    const lastAt = performance.timeOrigin + performance.now();
    const { firstAt } = await ask<ModelReport>(model);
    figures[`first_of_${tasks}_ms`] = Number(firstAt) - killedAt;
    figures[`last_of_${tasks}_ms`] = lastAt - killedAt;
    await Promise.all(service.nodes.map(({ process }) => process.kill('SIGKILL')));
    await service.stop();
  }
  return figures;
};

/**
 * From the moment that PostgreSQL accepts connections again after it was killed, until both nodes are ready and each
 * answers a turn.
 */
const back = async (dir: string, processes: Processes): Promise<Figures> => {
  const { settings } = await processes.startModel({ ms: 0 });
  const { nodes: served, postgres, stop } = await startService(dir, 2, processes, settings);
  const figures: Figures = {};
  const turns = (): Promise<unknown> => Promise.all(served.map(({ port }, owner) => turn(port, owner, owner)));
  for (const seconds of [2, 20, 60]) {
    await turns();
    await postgres?.kill();
    await sleep(seconds * 1_000);
    await postgres?.start();
    const began = performance.now();
    await Promise.all(served.map(whenReady));
    figures[`ready_after_${seconds}_s_ms`] = performance.now() - began;
    await turns();
    figures[`answered_after_${seconds}_s_ms`] = performance.now() - began;
  }
  await stop();
  return figures;
};

const [, , name = '', dir = ''] = process.argv;
const measure = { nodes, busy, forwarded, takeover, back }[name];
if (measure === undefined) throw new Error(`no measure "${name}"`);
console.log(JSON.stringify(await withProcesses((processes) => measure(dir, processes))));
agent.destroy();
