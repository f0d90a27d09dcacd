import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Logger, pino } from 'pino';
import { onTestFinished } from 'vitest';
import { serviceLimitsWith } from '../../../contracts/service-limits.ts';
import { TaskLimits } from '../../../contracts/task.ts';
import type { Prices } from '../../../contracts/usage.ts';
import { openStorage, type StorageOptions } from '../../../src/app/open-storage.ts';
import { createCommands, createToolCommand } from '../../../src/commands/commands.ts';
import { statusCommand } from '../../../src/commands/task-commands.ts';
import { createEngine } from '../../../src/runtime/engine.ts';
import type { EngineParts } from '../../../src/runtime/engine-parts.ts';
import type { Store } from '../../../src/store/port.ts';
import { createApprovals } from '../../../src/tools/approval.ts';
import { factStore } from '../../../src/tools/memory/memory.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import { reminderStore } from '../../../src/tools/reminders.ts';
import { goalStore } from '../../../src/tools/schedule/goals.ts';
import { createWorkspaces } from '../../../src/workspace/folder.ts';
import { databaseOf } from '../postgres/database-of.ts';
import { tallyTool } from './controlled-tools.ts';
import { type CrashAt, mortalModel, mortalStore, mortalTool, mortalVerifier, type Seam } from './crash-seams.ts';
import { makeDataDir, makeStoreDir } from './empty-store.ts';
import type { EngineSetup, TestEngine } from './test-engine.ts';

/** Options that only the embedded engine has. */
export interface OpenedSetup extends EngineSetup {
  dataDir?: string;
  log?: Logger;
  /** Largest database in bytes: simulates a disk that fills up. */
  maxBytes?: number;
  /** Opens the store; as the service does by default. */
  open?: (options: StorageOptions) => Promise<Store>;
  /** Wraps the engine's store. */
  around?: (store: Store) => Store;
  prices?: Prices;
  onTaskMoved?: EngineParts['onTaskMoved'];
  filesShown?: EngineParts['filesShown'];
  onSessionRemoved?: EngineParts['onSessionRemoved'];
  /** Called at every seam; true makes the process crash there. */
  crashAt?: (seam: Seam) => boolean;
}

/** Larger than any store of a test, in bytes. */
const MAX_BYTES = 2 ** 40;

/** Long enough that no tool reaches it by accident, in milliseconds. */
const TOOL_TIMEOUT_MS = 60_000;

/** The embedded engine under test, and the store below it. */
export interface OpenedEngine extends TestEngine {
  readonly dataDir: string;
  readonly store: Store;
  /** Reads the store directly, bypassing the engine. */
  readonly db: Database.Database;
  /** Resolves when it has started, or crashed meanwhile. */
  readonly started: Promise<void>;
  /** False once it has crashed or was closed. */
  isOpen(): boolean;
  reopen(changes?: Partial<OpenedSetup>): Promise<OpenedEngine>;
}

const removedWithTest = (dataDir: string): string => {
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
};

/** An empty data folder that is removed after the test. */
export const freshDataDir = (): string => removedWithTest(makeDataDir());

/** Opens an embedded engine on `dataDir`; the caller closes it. */
export const startEngine = async (setup: OpenedSetup & { dataDir: string }): Promise<OpenedEngine> => {
  const { dataDir, now = Date.now, confirmPlan = false, planning = true, modelProblem = null } = setup;
  const log = setup.log ?? pino({ level: 'silent' });
  const databaseUrl = await databaseOf(dataDir);
  const maxBytes = setup.maxBytes ?? MAX_BYTES;
  const opened = await (setup.open ?? openStorage)({ dataDir, databaseUrl, maxBytes, log });
  let looking: Database.Database | undefined;
  let isCrashed = false;
  let isClosed = false;
  let engine: OpenedEngine['engine'] | undefined;
  const crash = (): void => {
    isCrashed = true;
    void opened.close(false);
    looking?.close();
    // Nothing of it reaches the store any more; closing only stops its retries.
    engine?.close(0).catch(() => {});
  };
  const crashes: CrashAt = (seam) => {
    if (!isCrashed && setup.crashAt?.(seam) === true) crash();
    return isCrashed;
  };

  const mortal = mortalStore(setup.around?.(opened) ?? opened, crashes);
  let commits = 0;
  const store: Store = {
    ...mortal,
    commit: async (...decision) => {
      const made = await mortal.commit(...decision);
      commits += 1;
      return made;
    },
  };
  const tally = tallyTool(opened.ownerData);
  const tools = createToolRegistry(
    [tally.tool, ...(setup.tools ?? [])]
      .map(createApprovals({ always: setup.approve ?? [] }))
      .map((tool) => mortalTool(tool, crashes)),
  );
  const verifiers = (setup.verifiers ?? []).map((verifier) => mortalVerifier(verifier, crashes));
  const workspaceOf = createWorkspaces(dataDir);
  const running = createEngine({
    store,
    log,
    now,
    hostTimezone: setup.hostTimezone ?? 'UTC',
    commands: createCommands([statusCommand, createToolCommand(() => tools), ...(setup.commands ?? [])]),
    reminders: reminderStore,
    goals: goalStore,
    limits: serviceLimitsWith(setup.serviceLimits),
    callbackPostsMax: setup.callbackPostsMax,
    webhookUrl: setup.webhookUrl ?? null,
    postCallback: setup.postCallback ?? (() => Promise.reject(new Error('no callback is expected'))),
    effects: {
      model: mortalModel(setup.model, crashes),
      tools,
      verifiers,
      agentOf: () => ({ tools, skills: () => [], instructions: null }),
      prices: setup.prices ?? null,
      toolTimeoutMs: setup.toolTimeoutMs ?? TOOL_TIMEOUT_MS,
      workspaceOf,
      within: (_session, _signal, work) => work(workspaceOf),
    },
    defaults: {
      limits: TaskLimits.parse(setup.limits ?? {}),
      agents: { names: [], standard: null },
      catalogue: tools.catalogue,
      planning,
      confirmPlan,
      chain: true,
      replan: 'always',
      verifies: verifiers.length > 0,
      questionExpiry: null,
      remembered: factStore.remembered,
      skills: () => ({}),
      modelProblem,
    },
    onTaskMoved: setup.onTaskMoved ?? (() => {}),
    filesShown: setup.filesShown,
    onTaskEnded: () => {},
    onSessionRemoved: setup.onSessionRemoved ?? (() => {}),
  });
  engine = {
    ...running,
    close: async (graceMs) => {
      await running.close(graceMs);
      isClosed = true;
      looking?.close();
    },
  };
  // A process that dies while it starts is followed by another.
  const started = engine.start().catch((error: unknown) => {
    if (!isCrashed) throw error;
  });

  return {
    engine,
    dataDir,
    store,
    ownerData: store.ownerData,
    get db() {
      looking ??= new Database(join(dataDir, 'tripact.db'));
      return looking;
    },
    crash,
    started,
    isOpen: () => !isCrashed && !isClosed,
    tallied: tally.tallied,
    commits: () => commits,
    reopen: (changes = {}) => openEngine({ ...setup, ...changes, dataDir }),
  };
};

/** Opens an embedded engine for the running test, which closes it. */
export const openEngine = async (setup: OpenedSetup): Promise<OpenedEngine> => {
  const dataDir = setup.dataDir ?? removedWithTest(makeStoreDir());
  const opened = await startEngine({ ...setup, dataDir });
  onTestFinished(async () => {
    if (opened.isOpen()) await opened.engine.close(0);
  });
  await opened.started;
  return opened;
};
