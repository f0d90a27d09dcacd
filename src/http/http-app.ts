import type { ServiceLimits } from '../../contracts/service-limits.ts';
import type { AccessControl, AccessStore } from '../access/port.ts';
import type { OwnerData } from '../lib/questions.ts';
import type { Model } from '../models/port.ts';
import type { Engine } from '../runtime/port.ts';
import type { MetricsSource, TraceOf } from '../telemetry/port.ts';
import type { McpTools } from '../tools/mcp/port.ts';
import type { createOwnerLists } from '../tools/owner-lists.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { SessionFiles } from '../workspace/session-files.ts';
import type { Slots } from './limits.ts';
import type { EventStreams } from './streams/event-stream.ts';

export interface RouteDependencies {
  engine: Engine;
  ownerLists: ReturnType<typeof createOwnerLists>;
  ownerData: OwnerData;
  /** Tells the clock that the next due time may have changed. */
  ownerDataChanged(): void;
  /** Why a finished turn can not be posted to this URL; null: nothing is known against it. */
  callbackProblem(url: string): Promise<string | null>;
  files: SessionFiles;
  tools: Pick<ToolRegistry, 'list' | 'executorsOf'>;
  mcp: Pick<McpTools, 'servers' | 'tried'>;
  metrics: MetricsSource;
  /** Where a turn is in its trace, for the log lines of its request. */
  traceOf: TraceOf;
  /** Who calls; where it requires nothing, all callers are the owner `local`. */
  access: AccessControl;
  accessStore: AccessStore;
  model: Pick<Model, 'name' | 'voice'>;
  version: string;
  hostTimezone: string;
  now(): number;
  serviceLimits: ServiceLimits;
  waiting: Slots;
  streams: EventStreams;
  replays: Slots;
}
