import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { REQUEST_BYTES_MAX } from '../../contracts/limits.ts';
import { type ServiceLimits, serviceLimitsWith } from '../../contracts/service-limits.ts';
import type { ProtocolName } from '../app/config/settings.ts';
import type { Log } from '../lib/log.ts';
import type { TraceOf } from '../telemetry/port.ts';
import { authenticate, decorateCallers } from './authentication.ts';
import { parseJsonOnly } from './body-parsers.ts';
import { createConversations } from './conversations.ts';
import { allowOrigins, guardAgainstPages, setCommonHeaders } from './guards.ts';
import { addScope, type RouteDependencies, zodCompilers } from './http-app.ts';
import { type HttpLimits, httpLimits, PARAM_CHARS_MAX } from './limits/http-limits.ts';
import { limitRequestRate, shedLoad } from './limits/load.ts';
import { createSlots } from './limits/slots.ts';
import { handleError, handleNotFound } from './problem.ts';
import { addProtocols } from './protocols/protocols.ts';
import { createRememberedConversations } from './remembered-conversations.ts';
import { logRequests, requestIdOf } from './request-log.ts';
import { addApiRoutes, refuseUnknownQueries } from './routes/api.ts';
import { addConsole, addFrontPage, type FindConsole } from './routes/console.ts';
import { addDocs } from './routes/docs.ts';
import { addHealthRoutes, addMetricsRoute } from './routes/health.ts';
import { endRevokedReaders } from './streams/revoked-readers.ts';

/** What the HTTP application is made with. */
export interface HttpParts
  extends Omit<RouteDependencies, 'limits' | 'serviceLimits' | 'traceOf' | 'waiting' | 'streams' | 'replays'> {
  /** Where a turn is in its trace; nowhere by default. */
  traceOf?: TraceOf;
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

/** Builds the service's HTTP application (SPEC 11) on an engine, without listening. `close()` ends open event streams too. */
export const buildHttp = async ({
  allowedHosts = [],
  corsOrigins = [],
  protocols = [],
  findConsole = null,
  version,
  signingKey = () => randomBytes(32),
  log,
  limits,
  serviceLimits: changedLimits,
  ...given
}: HttpParts): Promise<FastifyInstance> => {
  const { access, ownerData, now } = given;
  const serviceLimits = serviceLimitsWith(changedLimits);
  const { waiting_requests, event_streams, replays } = serviceLimits;
  const parts: RouteDependencies = {
    traceOf: () => undefined,
    ...given,
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
    addDocs(scope, access.isRequired);
  });
  await addScope(app, 'v1', async (scope) => {
    admitCallers(scope);
    addApiRoutes(scope.withTypeProvider<ZodTypeProvider>(), parts);
  });
  await addScope(app, 'protocols', async (scope) => {
    admitCallers(scope);
    addProtocols(scope, protocols, protocolParts, false);
  });
  await app.ready();
  return app;
};
