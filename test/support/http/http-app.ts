import { rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { ServiceLimits } from '../../../contracts/service-limits.ts';
import { createAccessControl } from '../../../src/access/access-control.ts';
import type { AccessKeys } from '../../../src/access/port.ts';
import { buildApp } from '../../../src/app/app.ts';
import { openStorage } from '../../../src/app/open-storage.ts';
import type { Homes } from '../../../src/cluster/port.ts';
import { type ApiKey, loadConfig } from '../../../src/config/config.ts';
import type { ProtocolName } from '../../../src/config/settings.ts';
import { buildHttp } from '../../../src/http/build-http.ts';
import type { FindConsole } from '../../../src/http/routes/console.ts';
import type { HttpLimits } from '../../../src/http/server/limits.ts';
import { createLog } from '../../../src/lib/log.ts';
import { createScriptedModel, type Script, type ScriptedModel } from '../../../src/models/scripted.ts';
import { createReruns } from '../../../src/rerun/reruns.ts';
import type { Engine } from '../../../src/runtime/port.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { createSessionFiles } from '../../../src/workspace/session-files.ts';
import { makeStoreDir } from '../engine/empty-store.ts';
import { databaseOf, databaseSetting } from '../postgres/database-of.ts';

/** How a test configures the service. */
interface HttpSetup {
  apiKeys?: ApiKey[];
  allowedHosts?: string[];
  /** Protocols of front ends; default: none. */
  protocols?: readonly ProtocolName[];
}

/** How a test configures only the HTTP app. */
interface StubSetup {
  corsOrigins?: string[];
  /** Where the console is; default: it is not served. */
  findConsole?: FindConsole;
  /** The prefix that a proxy serves it below; default: none. */
  prefix?: string;
  /** The homes of owners; default: all here. */
  homes?: Homes;
  limits?: Partial<HttpLimits>;
  serviceLimits?: Partial<ServiceLimits>;
  /** The price list's currency; default: there are no prices. */
  currency?: string | null;
  /** Where it listens; default loopback. */
  host?: string;
}

/** A listening HTTP app. */
interface RunningHttp {
  port: number;
  /** The log so far, one parsed line each. */
  logged(): Record<string, unknown>[];
}

/** One on a stub engine. */
interface HttpOnStub extends RunningHttp {
  http: FastifyInstance;
  /** The stored keys; initially none. */
  keys: AccessKeys;
}

/** Two users' keys, and an operator's. */
export const KEYS: ApiKey[] = [
  { owner: 'ada', role: 'user', key: 'key-of-ada-0123456789' },
  { owner: 'bob', role: 'user', key: 'key-of-bob-0123456789' },
  { owner: 'ops', role: 'operator', key: 'key-of-ops-0123456789' },
];

const noRerun = new Error('no rerun');

/** A log in memory. */
const openLog = () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(...line.trimEnd().split('\n')) };
  const log = createLog({ level: 'debug', pretty: false, destination });
  return { log, logged: (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line)) };
};

/** The event loop is also that of the tests, so its delay does not reflect the service's load. */
const unhurried = { loopDelayMsMax: Number.POSITIVE_INFINITY };

const listen = async (http: FastifyInstance, host = '127.0.0.1'): Promise<number> => {
  await http.listen({ port: 0, host });
  return (http.server.address() as AddressInfo).port;
};

/** Starts the HTTP app on the given engine and closes it with the test. */
export const startHttpOn = async (engine: Engine, setup: HttpSetup & StubSetup = {}): Promise<HttpOnStub> => {
  const { apiKeys = [], allowedHosts = [], corsOrigins = [], protocols = [], findConsole = null } = setup;
  const { homes = null } = setup;
  const { log, logged } = openLog();
  const dataDir = makeStoreDir();
  const storage = await openStorage({ dataDir, databaseUrl: await databaseOf(dataDir), maxBytes: 2 ** 30, log });
  const { access: accessStore, audit, ownerData, isStored, conversations: remembered } = storage;
  const http = await buildHttp({
    engine,
    readiness: engine,
    callbackProblem: async () => null,
    fileLinks: null,
    files: createSessionFiles(
      'no such folder',
      async () => null,
      async (_session, _signal, work) => work(() => ''),
    ),
    tools: { list: () => [], executorsOf: () => [] },
    agents: () => [],
    reruns: createReruns({ run: () => Promise.reject(noRerun), atOnce: 1, now: () => Date.now() }),
    callReruns: { prompt: () => Promise.reject(noRerun), run: () => Promise.reject(noRerun) },
    skills: {},
    mcp: { servers: () => [], tried: Promise.resolve() },
    otherAgents: { agents: () => [] },
    metrics: createMetrics({ activity: engine.activity, isReady: engine.isReady, version: '0.0.0-test' }),
    ownerData,
    isStored,
    remembered,
    ownerDataChanged: () => {},
    hostTimezone: 'UTC',
    now: () => Date.now(),
    access: createAccessControl({ apiKeys, store: accessStore, tokens: null, now: () => Date.now() }),
    accessStore,
    signIns: null,
    tokenIssuer: null,
    currency: setup.currency ?? null,
    audit,
    allowedHosts,
    corsOrigins,
    protocols,
    findConsole,
    prefix: setup.prefix ?? '',
    homes,
    traceOf: () => undefined,
    signingKey: () => Buffer.alloc(32, 1),
    version: '0.0.0-test',
    model: { name: 'scripted', voice: () => 'native' },
    log,
    limits: { ...unhurried, ...setup.limits },
    serviceLimits: setup.serviceLimits ?? {},
  });
  onTestFinished(async () => {
    await http.close();
    await storage.close(false);
    rmSync(dataDir, { recursive: true });
  });
  return { port: await listen(http, setup.host), http, keys: accessStore.keys, logged };
};

/** Starts the service in an empty data folder, with a scripted model and no console, and closes it with the test. */
export const startHttp = async (
  script: Script = [],
  { apiKeys = [], allowedHosts = [], protocols = [] }: HttpSetup = {},
): Promise<RunningHttp & { engine: Engine; model: ScriptedModel }> => {
  const dataDir = makeStoreDir();
  const model = createScriptedModel(script);
  const settings = loadConfig({
    TRIPACT_DATA_DIR: dataDir,
    TRIPACT_MODEL: 'offline',
    TRIPACT_TIMEZONE: 'UTC',
    TRIPACT_CONSOLE: 'false',
    TRIPACT_CALLBACK_HOSTS: 'receiver.example',
    ...(await databaseSetting(dataDir)),
  });
  const config = { ...settings, apiKeys, allowedHosts, protocols: [...protocols] };
  const { log, logged } = openLog();
  const app = await buildApp({ config, log, version: '0.0.0-test', model, httpLimits: unhurried });
  onTestFinished(async () => {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { port: await listen(app.http), engine: app.engine, model, logged };
};
