import type { AgentView } from '../../../contracts/agent.ts';
import type { GoalView } from '../../../contracts/goal.ts';
import type { ScheduleEventView, TodoView } from '../../../contracts/http.ts';
import type { ServiceLimits } from '../../../contracts/service-limits.ts';
import type { SkillHashes } from '../../../contracts/skill.ts';
import type { AccessControl, AccessStore, FileLinks } from '../../access/port.ts';
import type { Page, PageRequest } from '../../lib/page.ts';
import type { OwnerData } from '../../lib/queries.ts';
import type { Model } from '../../models/port.ts';
import type { CallReruns } from '../../rerun/call-reruns.ts';
import type { Reruns } from '../../rerun/reruns.ts';
import type { Engine, SessionsApi } from '../../runtime/port.ts';
import type { SignInPages } from '../../sign-in/port.ts';
import type { AuditStore, Store } from '../../store/port.ts';
import type { MetricsSource, TraceOf } from '../../telemetry/port.ts';
import type { A2aTools } from '../../tools/a2a/port.ts';
import type { McpTools } from '../../tools/mcp/port.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { SessionFiles } from '../../workspace/session-files.ts';
import type { Slots } from '../server/limits.ts';
import type { EventStreams } from '../streams/event-stream.ts';

/** An owner's lists by page, in the order in which their items were made. */
export interface OwnerLists {
  todos(owner: string, page: PageRequest): Promise<Page<TodoView>>;
  schedule(owner: string, page: PageRequest): Promise<Page<ScheduleEventView>>;
  goals(owner: string, page: PageRequest): Promise<Page<GoalView>>;
}

/** All that routes use of the service; each of them takes a part of it. */
export interface RouteParts {
  engine: SessionsApi;
  /** Whether turns are taken in now. */
  readiness: Pick<Engine, 'isReady' | 'isStopping'>;
  ownerLists: OwnerLists;
  ownerData: OwnerData;
  isStored: Store['isStored'];
  /** Tells the clock that the next due time may have changed. */
  ownerDataChanged(): void;
  /** Why finished turns cannot be posted to this URL; null: no objection is known. */
  callbackProblem(url: string): Promise<string | null>;
  files: SessionFiles;
  /** Links by which browsers get files without a key; null: none can be made. */
  fileLinks: FileLinks | null;
  tools: Pick<ToolRegistry, 'list' | 'executorsOf'>;
  /** The agents of the service, as they are now. */
  agents(): AgentView[];
  /** The hashes of the service's skills, by their names. */
  skills: SkillHashes;
  mcp: Pick<McpTools, 'servers' | 'tried'>;
  /** Other services' agents that are tools. */
  otherAgents: Pick<A2aTools, 'agents'>;
  metrics: Pick<MetricsSource, 'exposition' | 'eventStreamed'>;
  /** A turn's place in its trace, for the log lines of its request. */
  traceOf: TraceOf;
  /** Who calls. Without authentication every caller is the owner `local`. */
  access: AccessControl;
  accessStore: AccessStore;
  /** The price list's currency; null: the service has no prices. */
  currency: string | null;
  audit: Pick<AuditStore, 'lines'>;
  /** Sign-ins at MCP servers; null: none is offered. */
  signIns: SignInPages | null;
  model: Pick<Model, 'name' | 'voice'>;
  version: string;
  hostTimezone: string;
  now(): number;
  serviceLimits: ServiceLimits;
  /** Places for an owner's requests that wait for a reply. */
  waiting: Slots;
  streams: EventStreams;
  reruns: Reruns;
  callReruns: CallReruns;
  /** Places for an owner's replays of traces. */
  replays: Slots;
}
