import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ServiceLimits } from '../../contracts/service-limits.ts';
import type { Engine } from '../engine/port.ts';
import type { MetricsSource, TraceOf } from '../telemetry/port.ts';
import type { McpTools } from '../tools/mcp/port.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { SessionFiles } from '../workspace/port.ts';
import type { HttpLimits } from './limits/http-limits.ts';
import type { Slots } from './limits/slots.ts';

/** The HTTP application while routes are added to it; their schemas are zod's. */
export type HttpApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** What every route family is given. */
export interface RouteDependencies {
  engine: Engine;
  /** Why a finished turn can not be posted to this URL; null: nothing is known against it. */
  callbackProblem(url: string): Promise<string | null>;
  files: SessionFiles;
  tools: Pick<ToolRegistry, 'list' | 'executorsOf'>;
  mcp: Pick<McpTools, 'servers'>;
  metrics: MetricsSource;
  /** Where a turn is in its trace, for the log lines of its request. */
  traceOf: TraceOf;
  limits: HttpLimits;
  serviceLimits: ServiceLimits;
  /** Requests that wait for their turn's reply. */
  waiting: Slots;
  /** Open event streams. */
  streams: Slots;
  /** Traces that are replayed. */
  replays: Slots;
}
