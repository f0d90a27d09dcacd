import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { parseNdjson } from '../../../src/history/parse-ndjson.ts';
import { type MessagesServer, startMessagesServer } from '../anthropic/server.ts';
import { type RunningCli, startServe, temporaryFolder } from '../cli/cli-process.ts';
import { freePort } from '../http/free-port.ts';
import { startScheduler } from '../restate/scheduler.ts';
import type { RestateServer } from '../restate/server.ts';
import { freshDatabase } from './database-of.ts';
import { recordCommits } from './laws.ts';
import { type Network, startNetwork } from './network.ts';

/** One process of the service, on a port that it keeps across restarts. */
export interface Node {
  readonly url: string;
  /** Its networks: the one by which other nodes reach it, and the one to the database. */
  readonly door: Network;
  readonly database: Network;
  /** The folder of its configuration file; its data folder is `data` in it. */
  readonly folder: string;
  /** Ends it like a crash. */
  kill(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Restarts it, with changed settings. */
  start(settings?: Record<string, string>): Promise<void>;
  /** Freezes it, or lets it continue. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Nodes on one database, and the model that all of them use. */
export interface Cluster {
  /** Null with leases. */
  restate: RestateServer | null;
  databaseUrl: string;
  model: MessagesServer;
  nodes: Node[];
  /** Sends a request of an owner to a node. */
  ask(node: Node, owner: string, path: string, init?: RequestInit): Promise<Response>;
  /** The node that is an owner's home, and another one. */
  homeAndOther(owner: string): Promise<[Node, Node]>;
  /** Owners whose home moved. */
  moved(): Promise<string[]>;
  /** Resolves once each node has existed for long enough to take over from others. */
  settled(): Promise<void>;
  trace(node: Node, owner: string, session: string): Promise<TraceEntry[]>;
}

/** The key of an owner. */
const keyOf = (owner: string): string => `key-of-${owner}-0123456789`;

/** The network to a port of loopback, for a test. */
export const startNetworkTo = async (port: number): Promise<Network> => {
  const network = await startNetwork(port);
  onTestFinished(() => network.close());
  return network;
};

const startNode = async (
  env: Record<string, string>,
  databaseUrl: string,
  config: string | undefined,
  port: number,
): Promise<Node> => {
  const cwd = temporaryFolder();
  if (config !== undefined) writeFileSync(join(cwd, 'tripact.config.ts'), config);
  const url = `http://127.0.0.1:${port}`;
  const door = await startNetworkTo(port);
  const database = await startNetworkTo(Number(new URL(databaseUrl).port));
  const own = {
    ...env,
    TRIPACT_PORT: String(port),
    TRIPACT_NODE_URL: `http://127.0.0.1:${door.port}`,
    TRIPACT_DATABASE_URL: databaseUrl.replace(/:\d+\//, `:${database.port}/`),
  };
  let serve: RunningCli;
  const start = async (settings: Record<string, string> = {}): Promise<void> => {
    serve = await startServe({ cwd, env: { ...own, ...settings } });
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    serve.child.kill(signal);
    await serve.ended;
  };
  await start();
  return {
    url,
    folder: cwd,
    door,
    database,
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    signal: (name) => void serve.child.kill(name),
  };
};

/**
 * Starts nodes for these owners on their own database, on a server that is shared or given by the test; with
 * `TRIPACT_SCHEDULER=restate` also a Restate server, unless the test gives one.
 */
export const startCluster = async (
  count: number,
  owners: readonly string[],
  settings: Record<string, string> = {},
  config?: string,
  server?: string,
  restates?: readonly RestateServer[],
): Promise<Cluster> => {
  const model = await startMessagesServer([]);
  onTestFinished(() => model.close());
  const databaseUrl = await freshDatabase(server);
  const env = {
    TRIPACT_MODEL: 'anthropic:m',
    ANTHROPIC_BASE_URL: model.url,
    ...settings,
    TRIPACT_API_KEYS: owners.map((owner) => `${owner}:${keyOf(owner)}`).join(','),
  };
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
  const scheduler = settings['TRIPACT_SCHEDULER'] === 'restate' ? await startScheduler(ports, restates) : null;
  onTestFinished(() => scheduler?.end());
  const nodes = await Promise.all(
    ports.map((port, i) => startNode({ ...env, ...scheduler?.settings[i] }, databaseUrl, config, port)),
  );
  await recordCommits(databaseUrl);
  const ask: Cluster['ask'] = async (node, owner, path, init = {}) => {
    const response = await fetch(node.url + path, {
      ...init,
      headers: { authorization: `Bearer ${keyOf(owner)}`, 'content-type': 'application/json', ...init.headers },
    });
    // On a busy machine, freshly started nodes may refuse load; a client then retries.
    if (response.status !== 503 || !(await response.clone().text()).includes('/problems/overloaded')) return response;
    await pause(Number(response.headers.get('retry-after')) * 1_000);
    return ask(node, owner, path, init);
  };
  const inDatabase = async <Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    return work(client).finally(() => client.end());
  };
  return {
    restate: scheduler?.restate ?? null,
    databaseUrl,
    model,
    nodes,
    ask,
    homeAndOther: (owner) =>
      inDatabase(async (client) => {
        const sql = 'SELECT url FROM nodes JOIN homes ON node = id WHERE owner = $1';
        const { url } = (await client.query<{ url: string }>(sql, [owner])).rows[0]!;
        const isHome = (node: Node): boolean => node.door.port === Number(new URL(url).port);
        return [nodes.find(isHome)!, nodes.find((node) => !isHome(node))!];
      }),
    moved: () =>
      inDatabase(async (client) => {
        const sql = "SELECT owner FROM homes WHERE fence <> 1 AND owner <> ''";
        return (await client.query<{ owner: string }>(sql)).rows.map(({ owner }) => owner);
      }),
    settled: () =>
      inDatabase(async (client) => {
        const young =
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tripact lease' AND backend_start > now() - interval '6 s'";
        while ((await client.query(young)).rows.length > 0) await pause(200);
      }),
    trace: async (node, owner, session) => {
      const text = await (await ask(node, owner, `/v1/sessions/${session}/trace`)).text();
      return Array.fromAsync(parseNdjson([text]), (line) => line as TraceEntry);
    },
  };
};
