import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ServiceLimits } from '../../contracts/service-limits.ts';
import type { AccessControl, AccessStore } from '../access/port.ts';
import type { Engine } from '../engine/port.ts';
import type { OwnerData } from '../store/questions.ts';
import type { MetricsSource, TraceOf } from '../telemetry/port.ts';
import type { McpTools } from '../tools/mcp/port.ts';
import type { NamedPlans } from '../tools/planning/port.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { SessionFiles } from '../workspace/port.ts';
import type { Slots } from './limits.ts';
import type { EventStreams } from './streams/event-stream.ts';

/** The HTTP application while routes are added to it; their schemas are zod's. */
export type HttpApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** What every route is given. */
export interface RouteDependencies {
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
  /** Where a turn is in its trace, for the log lines of its request. */
  traceOf: TraceOf;
  /** Who calls; where it requires nothing, all callers are the owner `local`. */
  access: AccessControl;
  /** The keys and quotas that are stored. */
  accessStore: AccessStore;
  /** The current time in epoch milliseconds. */
  now(): number;
  serviceLimits: ServiceLimits;
  /** Requests that wait for their turn's reply. */
  waiting: Slots;
  streams: EventStreams;
  /** Traces that are replayed. */
  replays: Slots;
}

/**
 * Adds a scope of routes and hooks to the application under a name for Fastify's messages. Without a name Fastify looks for the
 * function among all modules that are loaded, which takes longer with each of them.
 */
export const addScope = async (
  app: Pick<FastifyInstance, 'register'>,
  name: string,
  scope: (app: FastifyInstance) => Promise<void>,
): Promise<void> => {
  const display = Symbol.for('fastify.display-name');
  await app.register(Object.assign((inner: FastifyInstance) => scope(inner), { [display]: name }));
};
