import { createAccessControl } from '../access/access-control.ts';
import { createTokens } from '../access/tokens.ts';
import type { HttpLimits } from '../http/server/limits.ts';
import { maskSecrets } from '../lib/log.ts';
import { createCallKeeper } from '../runtime/calls/call-keeper.ts';
import { createDueClock } from '../runtime/due-clock.ts';
import { SERVICE_HOME } from '../store/port.ts';
import { startError } from '../store/sqlite/storage-errors.ts';
import { openMetricsExport } from '../telemetry/otlp/open-metrics-export.ts';
import { openTracing } from '../telemetry/tracing/open-tracing.ts';
import { createCallbackGuard } from '../tools/callback-guard.ts';
import { openAuditKeeper } from './audit-keeper.ts';
import { startBackground } from './background.ts';
import { checkClosed, checkWebhooks, warnOfNobody } from './check-settings.ts';
import { closeEach } from './close-each.ts';
import { createFindConsole } from './find-console.ts';
import { type Foundation, openFoundation, type ServiceOptions } from './foundation.ts';
import { openCallReruns } from './open-call-reruns.ts';
import { openEngine } from './open-engine.ts';
import { openFolders } from './open-folders.ts';
import { openHttp } from './open-http.ts';
import { openReruns } from './open-reruns.ts';
import { openSignIns } from './open-sign-ins.ts';
import { openTools } from './tools.ts';

export interface AppParts extends ServiceOptions {
  /** A key of this process only, for the owner `local`. */
  ownKey?: string;
  /** HTTP timeouts that differ from the service's own, as in a process that does more than serve. */
  httpLimits?: Partial<HttpLimits>;
}

export type App = Awaited<ReturnType<typeof openParts>>;

/**
 * How long a stopping node waits for running work to reach its next commit before it releases an owner, in
 * milliseconds.
 */
const LEAVE_MS = 5_000;

const openAccess = ({ config, store, now, log }: Foundation, ownKey: string | undefined) => {
  const { apiKeys } = config;
  const tokens = config.tokens === null ? null : createTokens(config.tokens, now, log);
  return createAccessControl({ apiKeys, ownKey, store: store.access, tokens, now });
};

const openCallKeeper = ({ config, limits, secrets, store, now, log }: Foundation) =>
  createCallKeeper({
    store: store.calls,
    days: config.keepPrompts,
    keptMax: limits.kept_calls,
    forgets: () => store.homes?.owners().includes(SERVICE_HOME) ?? true,
    mask: maskSecrets(secrets),
    now,
    log,
  });

/** Opens the parts, from the bottom to the top. Each part's close goes to `opened`, so that a failed start closes them. */
const openParts = async (given: AppParts, foundation: Foundation, opened: (close: () => unknown) => void) => {
  const { config, version, env, log, now, model, store } = foundation;
  const stopping = new AbortController();
  const folders = openFolders(foundation);
  const { due, ownerData } = store;
  const clock = createDueClock({ due, ownerData, owners: () => store.homes?.owners() ?? null, now, log });
  const signIns = await openSignIns(foundation);
  const tools = await openTools({
    ...foundation,
    signIns,
    wrap: foundation.redaction.tool,
    changeFile: folders.changeFile,
    textOf: folders.storedFiles.textOf,
    ownerDataChanged: clock.rearm,
  });
  opened(tools.mcp.close);
  const access = openAccess(foundation, given.ownKey);
  checkClosed(config, access);
  warnOfNobody(tools.registry, access, log);
  const callbacks = createCallbackGuard(config.callbackHosts);
  await checkWebhooks(config, callbacks);
  const mask = maskSecrets(foundation.secrets);
  const tracing = await openTracing(env, { model: model.name, voice: model.voice, version, mask, log });
  opened(() => tracing?.close());
  const exported = await openMetricsExport(env, { version, log });
  opened(() => exported?.close());
  const kept = openCallKeeper(foundation);
  opened(kept.stop);
  const findConsole = config.console ? createFindConsole(log, stopping.signal) : null;
  const parts = {
    foundation,
    folders,
    tools,
    signIns,
    access,
    callbacks,
    clock,
    kept,
    tracing,
    exported,
    stopping: stopping.signal,
  };
  const sessions = openEngine(parts);
  const { engine, mirror, metrics } = sessions;
  const { hooks, mcp, registry } = tools;
  const keeper = openAuditKeeper({ foundation, registry, callbacks, stopping: stopping.signal });
  const background = foundation.resumes
    ? await startBackground({ ...sessions, foundation, folders, hooks, clock, keeper })
    : null;
  const reruns = openReruns(foundation, tools);
  const callReruns = openCallReruns({ ...parts, engine, given: given.model });
  const http = await openHttp({
    ...parts,
    ...sessions,
    reruns,
    callReruns,
    findConsole,
    httpLimits: given.httpLimits ?? {},
  });
  /** Refuses new turns, finishes the pending commit and closes the store, within 10 s (SPEC 7). */
  const close = async (): Promise<void> => {
    stopping.abort();
    clock.stop();
    await closeEach([
      hooks.map((hook) => hook.stop),
      [() => store.homes?.stop(LEAVE_MS)],
      [() => background?.stop()],
      [() => engine.drain(), () => reruns.stop()],
      [() => mirror.stop()],
      [() => http.close(), () => mcp.close()],
      [() => kept.stop()],
      [() => engine.close()],
      [() => tracing?.close(), () => exported?.close()],
    ]);
  };
  const voice = model.voice?.() ?? null;
  const told = { modelName: model.name, voice, tools: registry };
  return { engine, ownerData, http, access, ...told, mcp, metrics, findConsole, close };
};

/** Builds the whole service without listening. The only place that constructs adapters. */
export const buildApp = async (given: AppParts): Promise<App> => {
  const foundation = await openFoundation(given);
  const { store, config, log } = foundation;
  const open: (() => unknown)[] = [() => store.close(false)];
  try {
    return await openParts(given, foundation, (close) => open.unshift(close));
  } catch (error) {
    await closeEach(open.map((close) => [close])).catch((fault: unknown) =>
      log.error({ err: fault }, 'a part of a service that did not start could not be closed'),
    );
    throw startError(error, config.dataDir);
  }
};
