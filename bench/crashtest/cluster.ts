import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/http/free-port.ts';
import { type Network, startNetwork } from '../../test/support/postgres/network.ts';
import { startPostgres } from '../../test/support/postgres/server.ts';
import { startScheduler } from '../../test/support/restate/scheduler.ts';
import type { Random } from './random.ts';
import { createServiceProcess, type ServiceProcess } from './service-process.ts';

/** Numbers reserved for the lives of one node. */
const LIVES_A_NODE = 10_000;

/** How long a node that could not start waits, in milliseconds. */
const START_AGAIN_MS = 500;

/** A load balancer picks a faulty node for one request in this many. */
const ILL_ONE_IN = 8;

/** A node of the cluster, with the networks to it and to its database. */
interface CrashNode {
  service: ServiceProcess;
  door: Network;
  database: Network;
  /** It has a fault. */
  isIll: boolean;
}

/** Faults by name: how each starts and ends. */
export const FAULTS = {
  kill: 'a node killed, and started again',
  stop: 'a node stopped in order, and started again',
  freeze: 'a node frozen for up to 9 s',
  'kill-database': 'PostgreSQL killed, and started again within 3 s',
  'kill-restate': 'Restate killed, and started again within 3 s, every other time without its data',
  'cut-nodes': 'a node whose connections from others are broken, for up to 4 s',
  'silence-nodes': 'a node whom others get no word of, for up to 4 s',
  'cut-database': 'a node whose connections to PostgreSQL are broken, for up to 8 s',
  'silence-database': 'a node that gets no word of PostgreSQL, for up to 8 s',
  'lose-answer': 'the connection breaks during a commit, so its node never learns the result',
} as const;
export type Fault = keyof typeof FAULTS;

/** Longest duration of a fault, in milliseconds. */
const LENGTHS: Record<Fault, number> = {
  kill: 1_000,
  stop: 0,
  freeze: 9_000,
  'kill-database': 3_000,
  'kill-restate': 3_000,
  'cut-nodes': 4_000,
  'silence-nodes': 4_000,
  'cut-database': 8_000,
  'silence-database': 8_000,
  'lose-answer': 0,
};

export interface ClusterParts {
  nodes: number;
  owners: readonly string[];
  stubUrl: string;
  /** Restate assigns the homes; otherwise leases do. */
  hasRestate: boolean;
  random: Random;
  onOwnEnd(how: string): unknown;
}

/** The key of an owner. */
export const keyOf = (owner: string): string => `key-of-${owner}-0123456789`;

/** Starts nodes on their own database. */
export const startCrashCluster = async ({
  nodes: count,
  owners,
  stubUrl,
  hasRestate,
  random,
  onOwnEnd,
}: ClusterParts) => {
  const postgres = await startPostgres();
  const databaseUrl = postgres.address;
  const folder = mkdtempSync(join(tmpdir(), 'tripact-crash-'));
  const nodes: CrashNode[] = [];
  let isDatabaseIll = false;
  let isRestateIll = false;
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
  const scheduler = hasRestate ? await startScheduler(ports) : null;
  for (const [i, port] of ports.entries()) {
    const door = await startNetwork(port);
    const database = await startNetwork(Number(new URL(databaseUrl).port));
    const itsDatabase = new URL(databaseUrl);
    itsDatabase.port = String(database.port);
    const service = createServiceProcess({
      dataDir: join(folder, `node-${i}`),
      stubUrl,
      // A start without its database ends by itself.
      onOwnEnd: (how, wasReady) => wasReady && onOwnEnd(how),
      settings: (life) => ({
        TRIPACT_PORT: String(port),
        TRIPACT_NODE_URL: `http://127.0.0.1:${door.port}`,
        TRIPACT_DATABASE_URL: itsDatabase.href,
        TRIPACT_API_KEYS: owners.map((owner) => `${owner}:${keyOf(owner)}`).join(','),
        TRIPACT_WEBHOOK_URL: undefined,
        ANTHROPIC_API_KEY: `life-${i * LIVES_A_NODE + life}`,
        CRASHTEST_LIFE: String(i * LIVES_A_NODE + life),
        ...scheduler?.settings[i],
      }),
    });
    nodes.push({ service, door, database, isIll: false });
    await service.start();
  }

  /** Restarts a node until its database is there. */
  const startAgain = async (service: ServiceProcess): Promise<void> => {
    while (!(await service.start())) await sleep(START_AGAIN_MS);
  };

  const doTo = async (
    fault: Exclude<Fault, 'kill-database' | 'kill-restate'>,
    { service, door, database }: CrashNode,
    ms: number,
  ) => {
    switch (fault) {
      case 'kill':
        service.kill();
        await service.ended();
        await sleep(ms);
        return startAgain(service);
      case 'stop':
        await service.terminate();
        return startAgain(service);
      case 'freeze':
        service.signal('SIGSTOP');
        await sleep(ms);
        return service.signal('SIGCONT');
      case 'cut-nodes':
      case 'silence-nodes':
      case 'cut-database':
      case 'silence-database': {
        const network = fault.endsWith('nodes') ? door : database;
        if (fault.startsWith('cut')) network.cut();
        else network.silence();
        await sleep(ms);
        return network.heal();
      }
      case 'lose-answer':
        return database.loseAnswer('INSERT 0');
      default:
        return fault satisfies never;
    }
  };

  const killDatabase = async (ms: number): Promise<void> => {
    isDatabaseIll = true;
    await postgres.kill();
    await sleep(ms);
    await postgres.start();
    isDatabaseIll = false;
  };

  const killRestate = async (ms: number): Promise<void> => {
    isRestateIll = true;
    await scheduler?.restate.kill();
    await sleep(ms);
    await scheduler?.restate.start(ms % 2 === 0);
    isRestateIll = false;
  };

  return {
    databaseUrl,
    folder,
    /** The address of a node, from a load balancer that does not yet know which ones are faulty. */
    url: (): Promise<string> => {
      const well = nodes.filter(({ isIll }) => !isIll);
      return random.pick(well.length === 0 || random.below(ILL_ONE_IN) === 0 ? nodes : well).service.url();
    },
    /** Begins a fault; `over` resolves at its end. Null if nothing is healthy enough for it. */
    begin: (fault: Fault): Promise<void> | null => {
      const ms = random.below(LENGTHS[fault] + 1);
      if (fault === 'kill-database') return isDatabaseIll ? null : killDatabase(ms);
      if (fault === 'kill-restate') return scheduler === null || isRestateIll ? null : killRestate(ms);
      const well = nodes.filter(({ isIll }) => !isIll);
      if (well.length === 0 || (isDatabaseIll && (fault === 'kill' || fault === 'stop'))) return null;
      const node = random.pick(well);
      node.isIll = true;
      return doTo(fault, node, ms).then(() => {
        node.isIll = false;
      });
    },
    end: async (): Promise<void> => {
      for (const { service } of nodes) service.kill();
      await Promise.all(nodes.map(({ service }) => service.ended()));
      await Promise.all(nodes.flatMap(({ door, database }) => [door.close(), database.close()]));
      await scheduler?.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
