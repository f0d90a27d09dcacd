import pino from 'pino';
import { serviceLimitsWith } from '../contracts/service-limits.ts';
import { TaskLimits } from '../contracts/task.ts';
import { createCommands } from '../src/commands/commands.ts';
import { noQueries } from '../src/lib/queries.ts';
import type { Model } from '../src/models/port.ts';
import { createCallKeeper, recording } from '../src/runtime/calls/call-keeper.ts';
import { createEngine } from '../src/runtime/engine.ts';
import type { Engine } from '../src/runtime/port.ts';
import type { Store } from '../src/store/port.ts';
import { createStore } from '../src/store/sql/store.ts';
import { createSqliteDatabase } from '../src/store/sqlite/database.ts';
import { openDatabase } from '../src/store/sqlite/open.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import type { OutsideTool } from '../src/tools/port.ts';
import { createToolRegistry } from '../src/tools/registry.ts';
import { reminderStore } from '../src/tools/reminders.ts';
import { goalStore } from '../src/tools/schedule/goals.ts';
import { createWorkspaces } from '../src/workspace/folder.ts';
import { createMirror } from '../src/workspace/mirror.ts';
import { benchModel, benchTool } from './task-of-31.ts';

/** Parts of the engine that a measure can replace. */
export interface EngineSetup {
  model?: Model;
  tool?: OutsideTool;
  /** Where it stores its state; default: its own store in the data folder. */
  store?: Store;
  hasFiles?: boolean;
  /** Model calls are stored, as by default. */
  keepsCalls?: boolean;
}

/** Days for which model calls are stored, as in `TRIPACT_KEEP_PROMPTS`. */
const KEEP_DAYS = Number(process.env['BENCH_KEEP_PROMPTS'] ?? 7);

/** The engine as the service composes it, including the files in the session's folder. */
export const openEngine = (
  dataDir: string,
  {
    model = benchModel(),
    tool = benchTool(),
    store = createStore(createSqliteDatabase(openDatabase({ dataDir }))),
    hasFiles = true,
    keepsCalls = true,
  }: EngineSetup = {},
): Engine => {
  const log = pino({ level: 'silent' });
  const tools = createToolRegistry([tool]);
  const workspaceOf = createWorkspaces(dataDir);
  const mirror = createMirror({
    workspaceOf,
    log,
    eventsOf: (taskId) => engine.taskEvents(taskId),
  });
  const kept = createCallKeeper({
    store: store.calls,
    days: keepsCalls ? KEEP_DAYS : 0,
    keptMax: serviceLimitsWith().kept_calls,
    mask: (text) => text,
    now: Date.now,
    log,
  });
  const engine = createEngine({
    store,
    log,
    limits: serviceLimitsWith(),
    hostTimezone: 'UTC',
    now: Date.now,
    postCallback: fetch,
    commands: createCommands([]),
    reminders: reminderStore,
    goals: goalStore,
    effects: {
      model: keepsCalls ? recording(model, kept.keep) : model,
      tools,
      verifiers: [],
      toolTimeoutMs: 60_000,
      agentOf: () => ({ tools, skills: () => [], instructions: null }),
      prices: null,
      workspaceOf,
      within: (_session, _signal, work) => work(workspaceOf),
    },
    defaults: {
      skills: () => ({}),
      agents: { names: [], standard: null },
      limits: TaskLimits.parse({ max_steps: 1_000, max_total_steps: 1_000, max_rounds_per_item: 1_000 }),
      catalogue: tools.catalogue,
      planning: true,
      confirmPlan: false,
      chain: true,
      replan: 'always',
      verifies: false,
      questionExpiry: null,
      remembered: () => noQueries(() => []),
      modelProblem: null,
    },
    onTaskMoved: hasFiles ? (...moved) => mirror.note(...moved) : () => {},
    filesShown: (session) => mirror.shown(session),
    onTaskEnded: () => {},
    onSessionRemoved: () => {},
    telemetry: createMetrics({
      activity: () => engine.activity(),
      isReady: () => engine.isReady(),
      version: 'bench',
    }).telemetry,
  });
  // The store is open, so nothing has to be awaited.
  void engine.start();
  const close = async (): Promise<void> => {
    await engine.drain();
    await mirror.stop();
    await kept.stop();
    await engine.close();
  };
  return { ...engine, close };
};

/** Runs one turn to its end. */
export const runTurn = async (engine: Engine, sessionId: string, input: string): Promise<void> => {
  const { turn } = await engine.submit({ owner: 'local', session_id: sessionId, input });
  await engine.wait('local', turn.id, new AbortController().signal);
};
