import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { REQUEST_BYTES_MAX } from '../../contracts/limits.ts';
import { type ServiceLimits, serviceLimitsWith } from '../../contracts/service-limits.ts';
import type { AccessControl, AccessStore } from '../access/port.ts';
import type { ProtocolName } from '../app/config/protocol-names.ts';
import type { Engine } from '../engine/port.ts';
import type { Log } from '../lib/log.ts';
import type { OwnerData } from '../store/questions.ts';
import type { MetricsSource, TraceOf } from '../telemetry/port.ts';
import type { McpTools } from '../tools/mcp/port.ts';
import type { NamedPlans } from '../tools/planning/port.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { SessionFiles } from '../workspace/port.ts';
import { addScope } from './add-scope.ts';
import { authenticate, decorateCallers } from './authentication.ts';
import { parseJsonOnly } from './body-parsers.ts';
import { addCallbackRoutes } from './routes/callbacks.ts';
import { addCallRoutes } from './routes/calls.ts';
import { addConsole, type FindConsole } from './routes/console.ts';
import { addContractRoute } from './contracts.ts';
import { createConversations } from './conversations.ts';
import { allowOrigins } from './cors.ts';
import { addDocs, addOpenApiRoutes, describeLate } from './routes/docs.ts';
import { handleError, handleNotFound } from './error-handler.ts';
import { addEventRoutes } from './routes/events.ts';
import { addFileRoutes } from './routes/files.ts';
import { addForkRoute } from './routes/fork.ts';
import { addFrontPage } from './front-page.ts';
import { guardAgainstPages } from './guards.ts';
import { addHealthRoutes, addMetricsRoute } from './routes/health.ts';
import type { HttpApp, RouteDependencies } from './http-app.ts';
import { type HttpLimits, httpLimits, PARAM_CHARS_MAX } from './limits/http-limits.ts';
import { addKeyRoutes } from './routes/keys.ts';
import { addLimitsRoute } from './routes/limits.ts';
import { limitRequestRate, shedLoad } from './limits/load.ts';
import { addPlanRoutes } from './routes/plans.ts';
import { addProtocols } from './protocols/protocols.ts';
import { createRememberedConversations } from './remembered-conversations.ts';
import { addReplayRoute } from './routes/replay.ts';
import { logRequests, requestIdOf } from './request-log.ts';
import { endRevokedReaders } from './streams/revoked-readers.ts';
import { setCommonHeaders } from './security-headers.ts';
import { addSessionRoutes } from './routes/sessions.ts';
import { createSlots } from './limits/slots.ts';
import { addTaskRoutes } from './routes/tasks.ts';
import { addToolsRoute } from './routes/tools.ts';
import { addTraceRoutes } from './routes/traces.ts';
import { addTurnRoutes } from './routes/turns.ts';
import { addUsageRoute } from './routes/usage.ts';
import { zodCompilers } from './zod-compilers.ts';

/** The dependencies of the HTTP application. */
export interface HttpParts {
  engine: Engine;
  /** The plans that sessions keep under names. */
  plans: NamedPlans;
  /** Where those plans are kept. */
  ownerData: OwnerData;
  /** Why a finished turn can not be posted to this URL; null: nothing is known against it. */
  callbackProblem(url: string): Promise<string | null>;
  /** The files that sessions keep in their folders. */
  files: SessionFiles;
  tools: Pick<ToolRegistry, 'list' | 'executorsOf'>;
  mcp: Pick<McpTools, 'servers'>;
  metrics: MetricsSource;
  /** Where a turn is in its trace; nowhere by default. */
  traceOf?: TraceOf;
  /** The current time in epoch milliseconds. */
  now(): number;
  /** Who calls; where it requires nothing, all callers are the owner `local`. */
  access: AccessControl;
  /** The keys and quotas that are stored. */
  accessStore: AccessStore;
  /** Host names that callers without keys may use besides those of loopback; none by default. */
  allowedHosts?: readonly string[];
  /** Origins whose pages may call; none by default. */
  corsOrigins?: readonly string[];
  /** Protocols of chat front ends that are served; none by default. */
  protocols?: readonly ProtocolName[];
  /** Where the console is; null, the default: it is not served. */
  findConsole?: FindConsole | null;
  version: string;
  /** Signs what clients of protocols give back later; the same after a restart. */
  signingKey?: () => Buffer;
  log: Log;
  limits?: Partial<HttpLimits>;
  /** Limits in place of the defaults. */
  serviceLimits?: Partial<ServiceLimits>;
}

const createServer = (log: Log, { requestTimeoutMs, keepAliveTimeoutMs }: HttpLimits): FastifyInstance =>
  Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
    bodyLimit: REQUEST_BYTES_MAX,
    schemaController: zodCompilers,
    routerOptions: { maxParamLength: PARAM_CHARS_MAX },
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Event streams never end by themselves. Until they are closed, late requests get the engine's own refusal.
    forceCloseConnections: true,
    return503OnClosing: false,
    frameworkErrors: handleError,
  });

/** Refuses every query parameter where a route names none (SPEC 11). */
const refuseUnknownQueries = (app: HttpApp): void => {
  app.addHook('onRoute', (route) => {
    route.schema = { querystring: z.strictObject({}), ...route.schema };
  });
};

/** Builds the service's HTTP application (SPEC 11) on an engine, without listening. `close()` ends open event streams too. */
export const buildHttp = async ({
  engine,
  plans,
  ownerData,
  callbackProblem,
  files,
  tools,
  mcp,
  metrics,
  traceOf = () => undefined,
  now,
  access,
  accessStore,
  allowedHosts = [],
  corsOrigins = [],
  protocols = [],
  findConsole = null,
  version,
  signingKey = () => randomBytes(32),
  log,
  limits,
  serviceLimits: changedLimits,
}: HttpParts): Promise<FastifyInstance> => {
  const serviceLimits = serviceLimitsWith(changedLimits);
  const { waiting_requests, event_streams, replays } = serviceLimits;
  const parts: RouteDependencies = {
    engine,
    callbackProblem,
    files,
    tools,
    mcp,
    metrics,
    traceOf,
    limits: { ...httpLimits, ...limits },
    serviceLimits,
    waiting: createSlots(
      waiting_requests,
      `${waiting_requests} of your requests wait for a reply; send "Prefer: respond-async", or wait for some to end`,
    ),
    streams: createSlots(event_streams, 'Too many event streams are open; close some, or try again later'),
    replays: createSlots(replays, `At most ${replays} of your traces are replayed at once; try again when one is done`),
  };
  const app = createServer(log, parts.limits);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(handleNotFound);
  decorateCallers(app);
  setCommonHeaders(app);
  logRequests(app);
  await shedLoad(app, parts.limits);
  guardAgainstPages(app, { allowedHosts, corsOrigins, isGuarded: () => !access.isRequired() });
  await allowOrigins(app, corsOrigins);
  parseJsonOnly(app);
  const limitRate = await limitRequestRate(app, serviceLimits.requests_per_second);
  const watchReaders = endRevokedReaders(app, access, parts.limits.accessCheckMs);
  /** What every request for an owner passes first, whatever protocol it speaks. */
  const admitCallers = (scope: FastifyInstance): void => {
    authenticate(scope, access);
    scope.addHook('onRequest', limitRate);
    watchReaders(scope);
  };
  const description = describeLate(app, version, access.isRequired);

  const protocolParts = {
    ...parts,
    conversations: createConversations(parts, createRememberedConversations(ownerData, now)),
    version,
    signingKey,
    now,
  };
  await addScope(app, 'public', async (open) => {
    refuseUnknownQueries(open.withTypeProvider<ZodTypeProvider>());
    addHealthRoutes(open.withTypeProvider<ZodTypeProvider>(), parts);
    addProtocols(open, protocols, protocolParts, true);
    if (findConsole !== null) addConsole(open, findConsole);
    addFrontPage(open, findConsole !== null);
  });
  await addScope(app, 'operations', async (scope) => {
    guardAgainstPages(scope, { allowedHosts, corsOrigins, isGuarded: access.isRequired });
    authenticate(scope, access);
    refuseUnknownQueries(scope.withTypeProvider<ZodTypeProvider>());
    addMetricsRoute(scope.withTypeProvider<ZodTypeProvider>(), parts);
    addOpenApiRoutes(scope, description);
    addDocs(scope, description);
  });
  await addScope(app, 'v1', async (scope) => {
    const v1: HttpApp = scope.withTypeProvider<ZodTypeProvider>();
    admitCallers(scope);
    refuseUnknownQueries(v1);
    addTurnRoutes(v1, parts);
    addSessionRoutes(v1, parts);
    addPlanRoutes(v1, { engine, plans, ownerData, now });
    addFileRoutes(v1, parts);
    addTaskRoutes(v1, parts);
    addCallbackRoutes(v1, parts);
    addForkRoute(v1, parts);
    addEventRoutes(v1, parts);
    addTraceRoutes(v1, parts);
    addCallRoutes(v1, parts);
    addReplayRoute(v1, parts);
    addContractRoute(v1);
    addLimitsRoute(v1, parts);
    addUsageRoute(v1, { engine, quotas: accessStore.quotas, now });
    addKeyRoutes(v1, { access, accessStore, now });
    addToolsRoute(v1, parts);
  });
  await addScope(app, 'protocols', async (scope) => {
    admitCallers(scope);
    addProtocols(scope, protocols, protocolParts, false);
  });
  await app.ready();
  return app;
};
