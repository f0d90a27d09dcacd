import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { type MessagesServer, startMessagesServer } from '../anthropic/server.ts';
import { type RunningCli, startServe, temporaryFolder } from '../cli/cli-process.ts';
import { freePort } from '../http/free-port.ts';
import { schemaUrl } from './database-of.ts';
import { recordCommits } from './laws.ts';
import { type Network, startNetwork } from './network.ts';
import { type PostgresServer, startPostgres } from './server.ts';

/** One process of the service, on a port that it keeps over restarts. */
export interface Node {
  readonly url: string;
  /** Its networks: by which other nodes reach it, and by which it reaches the database. */
  readonly door: Network;
  readonly database: Network;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Starts it again, with settings in place of those that it had. */
  start(settings?: Record<string, string>): Promise<void>;
  /** Freezes it, or lets it go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Nodes on one database, and the model that all of them ask. */
export interface Cluster {
  server: PostgresServer;
  databaseUrl: string;
  model: MessagesServer;
  nodes: Node[];
  /** A request of an owner to a node. */
  ask(node: Node, owner: string, path: string, init?: RequestInit): Promise<Response>;
  /** Resolves once each node has been there for so long that it may take over from others. */
  settled(): Promise<void>;
  trace(node: Node, owner: string, session: string): Promise<TraceEntry[]>;
}

/** The key of an owner. */
const keyOf = (owner: string): string => `key-of-${owner}-0123456789`;

const startNetworkTo = async (port: number): Promise<Network> => {
  const network = await startNetwork(port);
  onTestFinished(() => network.close());
  return network;
};

const startNode = async (
  env: Record<string, string>,
  databaseUrl: string,
  config: string | undefined,
): Promise<Node> => {
  const cwd = temporaryFolder();
  if (config !== undefined) writeFileSync(join(cwd, 'tripact.config.ts'), config);
  const port = await freePort();
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
    ...{ url, door, database, start },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    signal: (name) => void serve.child.kill(name),
  };
};

/** Starts nodes for these owners on a database of their own. */
export const startCluster = async (
  count: number,
  owners: readonly string[],
  settings: Record<string, string> = {},
  config?: string,
): Promise<Cluster> => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const model = await startMessagesServer([]);
  onTestFinished(() => model.close());
  const databaseUrl = await schemaUrl(server.address, 'cluster');
  const env = {
    TRIPACT_MODEL: 'anthropic:m',
    ANTHROPIC_BASE_URL: model.url,
    ...settings,
    TRIPACT_API_KEYS: owners.map((owner) => `${owner}:${keyOf(owner)}`).join(','),
  };
  const nodes = await Promise.all(Array.from({ length: count }, () => startNode(env, databaseUrl, config)));
  await recordCommits(databaseUrl);
  const ask: Cluster['ask'] = (node, owner, path, init = {}) =>
    fetch(node.url + path, {
      ...init,
      headers: { authorization: `Bearer ${keyOf(owner)}`, 'content-type': 'application/json', ...init.headers },
    });
  return {
    server,
    databaseUrl,
    model,
    nodes,
    ask,
    settled: async () => {
      const client = new pg.Client(databaseUrl);
      await client.connect();
      const young =
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'tripact lease' AND backend_start > now() - interval '6 s'";
      while ((await client.query(young)).rows.length > 0) await pause(200);
      await client.end();
    },
    trace: async (node, owner, session) =>
      (await (await ask(node, owner, `/v1/sessions/${session}/trace`)).text())
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as TraceEntry),
  };
};
