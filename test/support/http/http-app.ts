import { rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { ServiceLimits } from '../../../contracts/service-limits.ts';
import { createAccessControl } from '../../../src/access/access-control.ts';
import type { AccessKeys } from '../../../src/access/port.ts';
import { buildApp } from '../../../src/app/app.ts';
import { type ApiKey, loadConfig } from '../../../src/app/config/config.ts';
import type { ProtocolName } from '../../../src/app/config/settings.ts';
import type { Engine } from '../../../src/engine/port.ts';
import { buildHttp } from '../../../src/http/build-http.ts';
import type { HttpLimits } from '../../../src/http/limits.ts';
import type { FindConsole } from '../../../src/http/routes/console.ts';
import { createLog } from '../../../src/lib/log.ts';
import { createScriptedModel, type Script, type ScriptedModel } from '../../../src/models/scripted.ts';
import { openStorage } from '../../../src/store/open-storage.ts';
import type { OwnerData } from '../../../src/store/questions.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import type { MetricsSource } from '../../../src/telemetry/port.ts';
import { createOwnerLists } from '../../../src/tools/owner-lists.ts';
import { createSessionFiles } from '../../../src/workspace/session-files.ts';
import { makeStoreDir } from '../engine/empty-store.ts';
import { databaseOf, databaseSetting } from '../postgres/database-of.ts';

/** How a test configures the HTTP app. */
export interface HttpSetup {
  apiKeys?: ApiKey[];
  allowedHosts?: string[];
  corsOrigins?: string[];
  /** Protocols of front ends; none by default. */
  protocols?: readonly ProtocolName[];
  /** Where the console is; it is not served by default. */
  findConsole?: FindConsole;
  limits?: Partial<HttpLimits>;
  serviceLimits?: Partial<ServiceLimits>;
  /** Where it listens; default loopback. */
  host?: string;
}

/** A listening HTTP app with its engine and log. */
export interface RunningHttp {
  port: number;
  engine: Engine;
  http: FastifyInstance;
  /** The stored keys; none at first. */
  keys: AccessKeys;
  /** The log so far, a parsed line each. */
  logged(): Record<string, unknown>[];
}

/** Two users' keys, and an operator's. */
export const KEYS: ApiKey[] = [
  { owner: 'ada', role: 'user', key: 'key-of-ada-0123456789' },
  { owner: 'bob', role: 'user', key: 'key-of-bob-0123456789' },
  { owner: 'ops', role: 'operator', key: 'key-of-ops-0123456789' },
];

const listen = async (
  engine: Engine,
  metrics: MetricsSource,
  setup: HttpSetup,
  onClosed: () => Promise<void>,
  owned?: OwnerData,
): Promise<RunningHttp> => {
  const {
    apiKeys = [],
    allowedHosts = [],
    corsOrigins = [],
    protocols = [],
    findConsole = null,
    limits = {},
    serviceLimits = {},
    host = '127.0.0.1',
  } = setup;
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(...line.trimEnd().split('\n')) };
  const log = createLog({ level: 'debug', pretty: false, destination });
  const dataDir = makeStoreDir();
  const storage = await openStorage({ dataDir, databaseUrl: await databaseOf(dataDir), maxBytes: 2 ** 30, log });
  const { access: accessStore } = storage;
  const ownerData = owned ?? storage.ownerData;
  const { keys } = accessStore;
  const http = await buildHttp({
    engine,
    ownerLists: createOwnerLists(ownerData),
    callbackProblem: async () => null,
    files: createSessionFiles(
      'no such folder',
      async () => null,
      async (_session, _signal, work) => work(() => ''),
    ),
    tools: { list: () => [], executorsOf: () => [] },
    mcp: { servers: () => [], tried: Promise.resolve() },
    metrics,
    ownerData,
    ownerDataChanged: () => {},
    hostTimezone: 'UTC',
    now: () => Date.now(),
    access: createAccessControl({ apiKeys, store: accessStore, tokens: null, now: () => Date.now() }),
    accessStore,
    allowedHosts,
    corsOrigins,
    protocols,
    findConsole,
    traceOf: () => undefined,
    signingKey: () => Buffer.alloc(32, 1),
    version: '0.0.0-test',
    model: 'scripted',
    log,
    // The event loop is that of the tests, too: its delay says nothing of the service's load.
    limits: { loopDelayMsMax: Number.POSITIVE_INFINITY, ...limits },
    serviceLimits,
  });
  await http.listen({ port: 0, host });
  onTestFinished(async () => {
    await http.close();
    await storage.close(false);
    rmSync(dataDir, { recursive: true });
    await onClosed();
  });
  const { port } = http.server.address() as AddressInfo;
  return { port, engine, http, keys, logged: () => lines.map((line) => JSON.parse(line)) };
};

/** Starts the HTTP app on the given engine and closes it with the test. */
export const startHttpOn = (engine: Engine, setup: HttpSetup = {}): Promise<RunningHttp> =>
  listen(
    engine,
    createMetrics({ activity: engine.activity, isReady: engine.isReady, version: '0.0.0-test' }),
    setup,
    async () => {},
  );

/** Starts the HTTP app on the real engine in an empty data folder, with a scripted model. */
export const startHttp = async (
  script: Script = [],
  setup: HttpSetup = {},
): Promise<RunningHttp & { model: ScriptedModel }> => {
  const dataDir = makeStoreDir();
  const model = createScriptedModel(script);
  const config = loadConfig({
    TRIPACT_DATA_DIR: dataDir,
    TRIPACT_MODEL: 'offline',
    ...(await databaseSetting(dataDir)),
  });
  const app = await buildApp({
    config,
    log: createLog({ level: 'silent', pretty: false }),
    version: '0.0.0-test',
    model,
  });
  const close = async (): Promise<void> => {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const running = await listen(app.engine, app.metrics, setup, close, app.ownerData);
  return { ...running, model };
};
