import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ServiceLimits, serviceLimitsWith } from '../../contracts/service-limits.ts';
import type { Homes } from '../cluster/port.ts';
import type { ProtocolName } from '../config/settings.ts';
import type { Log } from '../lib/log.ts';
import type { RememberedConversations } from '../store/port.ts';
import type { MetricsSource } from '../telemetry/port.ts';
import { createConversations } from './protocols/conversations.ts';
import { addProtocols } from './protocols.ts';
import { addApiRoutes } from './routes/api.ts';
import { addConsole, addFrontPage, type FindConsole } from './routes/console.ts';
import { addDocs } from './routes/docs.ts';
import { addFileLinks, ownerOfLink } from './routes/file-links.ts';
import { addHealthRoutes } from './routes/health.ts';
import { createOwnerLists } from './routes/owner-lists.ts';
import { addPackagedPages } from './routes/pages.ts';
import type { RouteParts } from './routes/port.ts';
import { addSignInPages, ownerOfPage } from './routes/sign-in-pages.ts';
import { allowOrigins, authenticate, guardAgainstPages, ownerServed } from './server/admission.ts';
import { createSlots, type HttpLimits, httpLimits, limitRequestRate, shedLoad } from './server/limits.ts';
import { createServer } from './server/server.ts';
import { createEventStreams } from './streams/event-stream.ts';

export interface HttpParts
  extends Omit<RouteParts, 'serviceLimits' | 'ownerLists' | 'waiting' | 'streams' | 'replays'> {
  /** Host names, beside loopback, that callers without keys may use. */
  allowedHosts: readonly string[];
  corsOrigins: readonly string[];
  protocols: readonly ProtocolName[];
  findConsole: FindConsole | null;
  /** The path that a proxy serves the service below, such as `/agent`; default: none. */
  prefix?: string;
  homes?: Homes | null;
  metrics: MetricsSource;
  remembered: RememberedConversations;
  signingKey(): Buffer;
  /** The issuer whose tokens callers may show; null: none. */
  tokenIssuer: string | null;
  log: Log;
  limits?: Partial<HttpLimits>;
  serviceLimits?: Partial<ServiceLimits>;
}

/**
 * Builds the service's HTTP application (SPEC 11) on an engine. Does not listen. `close()` also ends open event
 * streams.
 */
export const buildHttp = async (given: HttpParts): Promise<FastifyInstance> => {
  const { access, corsOrigins, protocols, findConsole, homes = null, log } = given;
  const times = { ...httpLimits, ...given.limits };
  const serviceLimits = serviceLimitsWith(given.serviceLimits);
  const { waiting_requests, event_streams, replays } = serviceLimits;
  const app = createServer(log, times, given.prefix);
  const parts = {
    ...given,
    serviceLimits,
    ownerLists: createOwnerLists(given.ownerData),
    waiting: createSlots(
      waiting_requests,
      `${waiting_requests} of your requests wait for a reply; send "Prefer: respond-async", or wait for some to end`,
    ),
    streams: createEventStreams(app, access, times, event_streams),
    replays: createSlots(
      replays,
      `At most ${replays} of your traces can be replayed at once; try again when one is done`,
    ),
  };
  await shedLoad(app, times);
  guardAgainstPages(app, access, given.allowedHosts, corsOrigins);
  await allowOrigins(app, corsOrigins);
  const limitRate = await limitRequestRate(app, serviceLimits.requests_per_second);
  const protocolParts = { ...parts, conversations: createConversations(parts) };
  await app.register(async (open) => {
    addHealthRoutes(open, parts);
    addProtocols(open, protocols, protocolParts, true);
    if (findConsole !== null) addConsole(open, findConsole);
    addFrontPage(open, findConsole !== null);
    addPackagedPages(open);
  });
  const atHome = async (scope: FastifyInstance, ownerOf: (request: FastifyRequest) => Promise<string | null>) => {
    if (homes === null) return;
    const { serveAtHome } = await import('../cluster/forward.ts');
    serveAtHome(scope, homes, ownerOf, parts.metrics);
  };
  const { signIns, fileLinks } = given;
  if (signIns !== null)
    await app.register(async (pages) => {
      await atHome(pages, async (request) => ownerOfPage(signIns, request));
      addSignInPages(pages, { ...parts, signIns });
    });
  if (fileLinks !== null)
    await app.register(async (pages) => {
      await atHome(pages, async (request) => ownerOfLink(fileLinks, request));
      addFileLinks(pages, parts, fileLinks);
    });
  await app.register(async (scope) => {
    authenticate(scope, access);
    await atHome(scope, (request) => ownerServed(request, parts.engine.approvalOwner));
    scope.addHook('onRequest', limitRate);
    addProtocols(scope, protocols, protocolParts, false);
    addDocs(scope);
    addApiRoutes(scope, parts);
  });
  await app.ready();
  return app;
};
