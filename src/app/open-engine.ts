import { type CallKeeper, recording } from '../runtime/calls/call-keeper.ts';
import type { DueClock } from '../runtime/due-clock.ts';
import { createEngine } from '../runtime/engine.ts';
import { createWebhookKeys } from '../runtime/outbox/webhook-keys.ts';
import { allTelemetry } from '../telemetry/all-telemetry.ts';
import { createLogLines } from '../telemetry/log-lines.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import type { openMetricsExport } from '../telemetry/otlp/open-metrics-export.ts';
import type { TraceOf } from '../telemetry/port.ts';
import type { openTracing } from '../telemetry/tracing/open-tracing.ts';
import type { CallbackGuard } from '../tools/callback-guard.ts';
import { reminderStore } from '../tools/reminders.ts';
import { goalStore } from '../tools/schedule/goals.ts';
import { createVerifiers } from '../verify/verifiers.ts';
import { keepResult } from '../workspace/kept-results.ts';
import { createMirror } from '../workspace/mirror.ts';
import { createForgetSessionFiles } from './forget-session-files.ts';
import type { Foundation } from './foundation.ts';
import type { Folders } from './open-folders.ts';
import { slashCommands } from './slash-commands.ts';
import { taskDefaults } from './task-defaults.ts';
import type { ServiceTools } from './tools.ts';

interface EngineNeeds {
  foundation: Foundation;
  folders: Folders;
  tools: ServiceTools;
  callbacks: Pick<CallbackGuard, 'fetch'>;
  clock: Pick<DueClock, 'rearm'>;
  kept: CallKeeper;
  tracing: Awaited<ReturnType<typeof openTracing>>;
  /** Metrics that go to a collector; null: none do. */
  exported: Awaited<ReturnType<typeof openMetricsExport>>;
  /** Aborts when the service begins to stop. */
  stopping: AbortSignal;
}

/** Makes the engine with what follows its commits: session files, metrics, traces and the log. Starts nothing. */
export const openEngine = ({
  foundation,
  folders,
  tools,
  callbacks,
  clock,
  kept,
  tracing,
  exported,
  stopping,
}: EngineNeeds) => {
  const { config, file, limits, hostTimezone, version, log, now, redaction, model, store } = foundation;
  const { registry, hooks, mcp, agents } = tools;
  const { workspaceOf, within } = folders;
  const mirror = createMirror({
    workspaceOf,
    folders: folders.stored,
    eventsOf: (taskId) => engine.taskEvents(taskId),
    log,
  });
  /** A stopping node reports that first, so that a load balancer leaves it out while its owners are handed over. */
  const readiness = {
    isReady: async (): Promise<boolean> => !stopping.aborted && (await engine.isReady()),
    isStopping: (): boolean => stopping.aborted || engine.isStopping(),
  };
  const { homes } = store;
  const metrics = createMetrics({
    activity: () => engine.activity(),
    isReady: readiness.isReady,
    version,
    connectionsWaiting: store.connectionsWaiting,
    homes: homes === null ? undefined : () => homes.owners(),
  });
  const traceOf: TraceOf = (id) => tracing?.idsOf(id);
  const watchers = [config.keepPrompts === 0 ? null : kept.keep, tracing?.called ?? null].filter(
    (each) => each !== null,
  );
  const engine = createEngine({
    store,
    effects: {
      model: watchers.reduce(recording, model),
      tools: registry,
      toolsTried: tools.tried,
      verifiers: createVerifiers(file.verify ?? [], config.toolTimeoutMs).map(redaction.verifier),
      toolTimeoutMs: config.toolTimeoutMs,
      prices: file.prices ?? null,
      agentOf: agents.agentOf,
      keepResult,
      storedFiles: folders.storedFiles,
      keepFiles: folders.toolFiles.keep,
      workspaceOf,
      within,
    },
    defaults: taskDefaults(foundation, tools),
    commands: slashCommands(tools),
    reminders: reminderStore,
    goals: goalStore,
    limits,
    hostTimezone,
    log,
    now,
    webhookUrl: config.webhookUrl,
    webhookKeys: createWebhookKeys(config.webhookSecret ?? [], config.callbackSecrets ?? new Map()),
    postCallback: callbacks.fetch,
    leftPlan: folders.leftPlan,
    turnFiles: folders.turnFiles,
    onTaskMoved: (...moved) => {
      if (file.session_files !== false) mirror.note(...moved);
      const [session, task, , entries] = moved;
      void folders.toolFiles.settle(session, task.context.task_id, entries);
      folders.forgetResults(session, task);
      const { state, context } = task;
      if (state === 'awaiting_user' && context.expires_in !== null) clock.rearm();
    },
    filesShown: (session) => mirror.shown(session),
    onTaskEnded: (taskId) => {
      mcp.taskEnded(taskId);
      for (const hook of hooks) void hook.taskEnded(taskId);
    },
    onSessionRemoved: createForgetSessionFiles(config.dataDir, mirror, log),
    telemetry: allTelemetry(metrics.telemetry, tracing?.telemetry, exported?.telemetry, createLogLines(log, traceOf)),
  });
  return { engine, mirror, metrics, traceOf, readiness };
};

export type OpenedEngine = ReturnType<typeof openEngine>;
