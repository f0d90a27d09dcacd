import { join } from 'node:path';
import type { Logger } from 'pino';
import { serviceLimitsWith } from '../../contracts/service-limits.ts';
import { createAccessControl } from '../access/access-control.ts';
import type { AccessControl } from '../access/port.ts';
import { createTokens } from '../access/tokens.ts';
import type { Residents } from '../cluster/port.ts';
import { commandOf, createCommands, createToolCommand, createToolsCommand } from '../commands/commands.ts';
import { createPlanCommand, statusCommand } from '../commands/task-commands.ts';
import { type Config, invalidConfig } from '../config/config.ts';
import { buildHttp } from '../http/build-http.ts';
import type { HttpLimits } from '../http/server/limits.ts';
import { maskSecrets } from '../lib/log.ts';
import { askNothing } from '../lib/questions.ts';
import type { Model } from '../models/port.ts';
import { createKeptCalls, type KeptCalls, recording } from '../runtime/calls/kept-calls.ts';
import { type DueClock, startDueClock } from '../runtime/due-clock.ts';
import { createEngine } from '../runtime/engine.ts';
import { createWebhookKeys } from '../runtime/outbox/webhook-keys.ts';
import type { Engine } from '../runtime/port.ts';
import { SERVICE_HOME } from '../store/port.ts';
import { startError } from '../store/sqlite/storage-errors.ts';
import { allTelemetry } from '../telemetry/all-telemetry.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import type { MetricsSource, TraceOf, TracingEnvironment } from '../telemetry/port.ts';
import { createTaskLog } from '../telemetry/task-log.ts';
import { openTracing } from '../telemetry/tracing/open-tracing.ts';
import { type CallbackGuard, createCallbackGuard } from '../tools/callback-guard.ts';
import { factStore } from '../tools/memory/memory.ts';
import { createOwnerLists } from '../tools/owner-lists.ts';
import { planningTool } from '../tools/planning/planning-tool.ts';
import { reminderStore } from '../tools/reminders.ts';
import { goalStore } from '../tools/schedule/goals.ts';
import { createVerifiers } from '../verify/verifiers.ts';
import { createFileChanges } from '../workspace/change-file.ts';
import { createWorkspaces, workspacePath } from '../workspace/folder.ts';
import { createForgetResults, keepResult } from '../workspace/kept-results.ts';
import { readLeftPlan } from '../workspace/left-plan.ts';
import { createMirror, type Mirror } from '../workspace/mirror.ts';
import type { Within } from '../workspace/port.ts';
import { createSessionFiles } from '../workspace/session-files.ts';
import { createStoredFolders } from '../workspace/stored-folders.ts';
import { closeEach } from './close-each.ts';
import { CONFIG_FILE } from './config-file.ts';
import type { TripactConfig } from './define-config.ts';
import { createFindConsole } from './find-console.ts';
import { openModels } from './models.ts';
import { openStorage } from './open-storage.ts';
import { createRedaction, secretsOf } from './redaction.ts';
import { createForgetSessionFiles, startRetention } from './retention.ts';
import { checkApprovals, openTools, type ServiceTools } from './tools.ts';

/** Parts of the service; tests give a model or a clock of their own. */
export interface AppParts {
  config: Config;
  file?: TripactConfig;
  log: Logger;
  version: string;
  model?: Model;
  now?: () => number;
  /** Values that no text of a model, a tool or a verifier may bring in; default the configured keys. */
  secrets?: readonly string[];
  /** The environment in which OpenTelemetry's variables are looked for; without one nothing is traced. */
  env?: TracingEnvironment;
  /** A key of this process alone, for the owner `local`. */
  ownKey?: string;
  /** False: nothing goes on by itself, neither tasks nor reminders, callbacks or retention. */
  resumes?: boolean;
  /** How long to wait for another process's lock on the data folder, in milliseconds. */
  lockWaitMs?: number;
  /** Times of its HTTP other than the service's own, as in a process that has more to do than to serve. */
  httpLimits?: Partial<HttpLimits>;
}

/** Stops a start that would let strangers in: beyond loopback, without any key. Throws `CONFIG_INVALID`. */
const checkClosed = ({ host, mustAuthenticate }: Config, access: AccessControl): void => {
  if (!mustAuthenticate || access.isRequired()) return;
  throw invalidConfig([
    `TRIPACT_HOST="${host}" would let anyone on the network in: make a key with "tripact keys add <owner>", set TRIPACT_API_KEYS, or TRIPACT_ALLOW_UNAUTHENTICATED=true where something else keeps strangers out.`,
  ]);
};

/** Stops a start whose webhook could never be posted to. Throws `CONFIG_INVALID`. */
const checkWebhook = async (webhookUrl: string | null, guard: CallbackGuard): Promise<void> => {
  const problem = webhookUrl === null ? null : await guard.problem(webhookUrl, 'TRIPACT_WEBHOOK_URL');
  if (problem !== null) throw invalidConfig([`${problem}.`]);
};

export type App = Awaited<ReturnType<typeof buildApp>>;

/** How long a node that stops lets what runs come to its next commit before it leaves an owner, in milliseconds. */
const LEAVE_MS = 5_000;

/** An engine as a home that tells of owners who have come or are lost; their files come and go with them. */
const residentsOf = (
  { residents }: Engine,
  mirror: Pick<Mirror, 'leave'>,
  adopted: (owner: string) => void,
  { happened }: Pick<MetricsSource, 'happened'>,
): Residents => ({
  ...residents,
  adopt: async (owner, wasReleased) => {
    await mirror.leave(owner, true);
    await residents.adopt(owner, wasReleased);
    happened({ type: 'home_claimed' });
    adopted(owner);
  },
  leave: async (owner, graceMs) => {
    await residents.leave(owner, graceMs);
    await mirror.leave(owner, false);
  },
  lose: (owner) => {
    happened({ type: 'home_lost' });
    residents.lose(owner);
    void mirror.leave(owner, true);
  },
});

/** Builds the whole service without listening. The only place that constructs adapters. */
export const buildApp = async (parts: AppParts) => {
  const { config, file = {}, log, version, now = Date.now } = parts;
  checkApprovals(config.approve, file);
  if (config.maxTaskCost !== null && file.prices === undefined)
    throw invalidConfig([
      `TRIPACT_MAX_TASK_COST="${config.maxTaskCost}" needs "prices" in ${CONFIG_FILE}: what a million tokens cost.`,
    ]);
  const limits = serviceLimitsWith(file.limits);
  const secrets = parts.secrets ?? secretsOf(config, {});
  const redaction = createRedaction(secrets);
  const model = redaction.model(await openModels(parts.model, config, file, log));
  const { dataDir, databaseUrl } = config;
  const nodeUrl = parts.resumes === false ? null : config.nodeUrl;
  const maxBytes = limits.database_bytes;
  const { lockWaitMs } = parts;
  const restate = config.scheduler === 'restate' ? config : null;
  const store = await openStorage({ dataDir, databaseUrl, nodeUrl, restate, maxBytes, lockWaitMs, log });
  const quota = { bytes: limits.session_file_bytes, files: limits.session_files };
  const changeFile = createFileChanges(quota);
  const { homes, files } = store;
  const folders =
    files === null ? null : createStoredFolders({ dataDir, store: files, quota, isShared: homes !== null, log });
  let service: ServiceTools | undefined;
  let tracing: Awaited<ReturnType<typeof openTracing>> = null;
  let kept: KeptCalls | undefined;
  try {
    let clock: DueClock | undefined;
    const hostTimezone = config.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    const ownerDataChanged = (): void => clock?.rearm();
    let retention: ReturnType<typeof startRetention> | undefined;
    service = await openTools({
      ...{ config, log, now, file, version },
      wrap: redaction.tool,
      changeFile,
      ownerDataChanged,
    });
    const { registry: tools, commands: toolCommands, hooks, mcp } = service;
    const access = createAccessControl({
      ...{ apiKeys: config.apiKeys, ownKey: parts.ownKey, store: store.access },
      tokens: config.tokens === null ? null : createTokens(config.tokens, now, log),
      now,
    });
    checkClosed(config, access);
    const callbacks = createCallbackGuard(config.callbackHosts);
    await checkWebhook(config.webhookUrl, callbacks);
    const workspaceOf = createWorkspaces(config.dataDir);
    const within: Within = folders?.within ?? ((_session, _signal, work) => work(workspaceOf));
    const forgetResults = createForgetResults(config.dataDir, within, log);
    const mirror = createMirror({ workspaceOf, folders, eventsOf: (taskId) => engine.taskEvents(taskId), log });
    const stopping = new AbortController();
    /** A node that is stopped says so first: a balancer then leaves it out while its owners are handed over. */
    const isReady = async (): Promise<boolean> => !stopping.signal.aborted && (await engine.isReady());
    const metrics = createMetrics({
      ...{ activity: () => engine.activity(), isReady, version },
      ...{ connectionsWaiting: store.connectionsWaiting, homes: homes?.owners },
    });
    tracing = await openTracing(parts.env ?? {}, { model: model.name, version, log });
    const traceOf: TraceOf = (id) => tracing?.idsOf(id);
    kept = createKeptCalls({
      ...{ store: store.calls, days: config.keepPrompts, keptMax: limits.kept_calls },
      forgets: () => homes?.owners().includes(SERVICE_HOME) ?? true,
      ...{ mask: maskSecrets(secrets), now, log },
    });
    const engine = createEngine({
      store,
      effects: {
        model: config.keepPrompts === 0 ? model : recording(model, kept.keep),
        tools,
        toolsTried: mcp.tried,
        verifiers: createVerifiers(file.verify ?? [], config.toolTimeoutMs).map(redaction.verifier),
        toolTimeoutMs: config.toolTimeoutMs,
        prices: file.prices ?? null,
        instructions: file.instructions ?? null,
        keepResult,
        workspaceOf,
        within,
      },
      defaults: {
        limits: config.limits,
        catalogue: tools.catalogue,
        confirmPlan: config.confirmPlan,
        planning: config.planning,
        replan: config.replan,
        chain: config.chain,
        remembered: tools.get('remember') === undefined ? () => askNothing(() => []) : factStore.remembered,
        verifies: (file.verify ?? []).length > 0,
        questionExpiry: config.questionExpiry,
        modelProblem: model.problem ?? null,
      },
      commands: createCommands([
        ...toolCommands.map(commandOf),
        createPlanCommand(planningTool),
        createToolsCommand(tools, mcp.servers),
        createToolCommand(tools, mcp.servers),
        statusCommand,
      ]),
      reminders: reminderStore,
      goals: goalStore,
      limits,
      hostTimezone,
      log,
      now,
      webhookUrl: config.webhookUrl,
      webhookKeys: createWebhookKeys(config.webhookSecret ?? [], config.callbackSecrets ?? new Map()),
      postCallback: callbacks.fetch,
      leftPlan: async (key) => {
        const plan = join(workspacePath(config.dataDir, key.owner, key.session_id), 'plan.json');
        return file.session_files === false ? undefined : within(key, null, async () => readLeftPlan(plan));
      },
      onTaskMoved: (...moved) => {
        if (file.session_files !== false) mirror.note(...moved);
        const [session, task] = moved;
        forgetResults(session, task);
        const { state, context } = task;
        if (state === 'awaiting_user' && context.expires_in !== null) clock?.rearm();
      },
      filesShown: mirror.shown,
      onTaskEnded: (taskId) => hooks.forEach((hook) => void hook.taskEnded(taskId)),
      onSessionRemoved: createForgetSessionFiles(config.dataDir, mirror, log),
      telemetry: allTelemetry(metrics.telemetry, tracing?.telemetry, createTaskLog(log, traceOf)),
    });
    // Before it is used: what goes on by itself is written at the time that the clock shows now.
    const lastUsedAt = config.retentionDays === null ? null : await store.lastUsedAt(now());
    if (parts.resumes !== false) {
      if (homes === null) await engine.start();
      for (const hook of hooks) void hook.recover(engine.hasEnded);
      clock = startDueClock({
        due: store.due,
        ownerData: store.ownerData,
        engine,
        now,
        log,
        owners: () => homes?.owners() ?? null,
      });
      const adopted = (owner: string): void => {
        clock?.rearm();
        retention?.adopt(owner);
      };
      homes?.start(residentsOf(engine, mirror, adopted, metrics));
    }
    const { retentionDays, allowedHosts, corsOrigins, protocols } = config;
    /** Each node removes what is old of its own owners; those whom nobody is home of get one. */
    const isHome = async (owner: string): Promise<boolean> =>
      homes === null || (await homes.find(owner).catch(() => null))?.kind === 'here';
    const own: Pick<Engine, 'prune'> = { prune: (which) => engine.prune({ ...which, isHome }) };
    if (retentionDays !== null && parts.resumes !== false)
      retention = startRetention({ engine: own, retentionDays, lastUsedAt, now, log });
    const http = await buildHttp({
      homes,
      engine,
      readiness: { isReady, isStopping: () => stopping.signal.aborted || engine.isStopping() },
      access,
      accessStore: store.access,
      ownerData: store.ownerData,
      isStored: store.isStored,
      remembered: store.conversations,
      signingKey: store.signingKey,
      tools,
      mcp,
      metrics,
      traceOf,
      version,
      log,
      now,
      model,
      serviceLimits: limits,
      ...{ allowedHosts, corsOrigins, protocols, ownerDataChanged, hostTimezone },
      callbackProblem: callbacks.problem,
      ownerLists: createOwnerLists(store.ownerData),
      files: createSessionFiles(config.dataDir, changeFile, within),
      findConsole: config.console ? createFindConsole(log, stopping.signal) : null,
      ...(parts.httpLimits !== undefined && { limits: parts.httpLimits }),
    });
    /** Refuses new turns, finishes the pending commit, closes the store; within 10 s (SPEC 7). */
    const close = async (): Promise<void> => {
      stopping.abort();
      clock?.stop();
      await closeEach([
        hooks.map((hook) => hook.stop),
        [() => homes?.stop(LEAVE_MS)],
        [() => retention?.stop()],
        [() => engine.drain()],
        [() => mirror.stop()],
        [() => http.close(), () => mcp.close()],
        [() => kept?.stop()],
        [() => engine.close()],
        [() => tracing?.close()],
      ]);
    };
    const voice = model.voice?.() ?? null;
    return {
      engine,
      ownerData: store.ownerData,
      http,
      access,
      modelName: model.name,
      voice,
      tools,
      mcp,
      metrics,
      close,
    };
  } catch (error) {
    const closed = [() => service?.mcp.close(), () => kept?.stop(), () => tracing?.close(), () => store.close(false)];
    await closeEach(closed.map((close) => [close])).catch((fault: unknown) =>
      log.error({ err: fault }, 'a part of a service that did not start could not be closed'),
    );
    throw startError(error, dataDir);
  }
};
