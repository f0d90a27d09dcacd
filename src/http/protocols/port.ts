import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../../../contracts/http.ts';
import type { AccessControl } from '../../access/port.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import type { RememberedConversations } from '../../store/port.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Slots } from '../server/limits.ts';
import type { EventStreams } from '../streams/event-stream.ts';
import type { Conversations } from './conversations.ts';

/** Dependencies of every protocol. It knows neither the machine nor the store. */
export interface ProtocolParts {
  engine: SessionsApi;
  conversations: Conversations;
  remembered: RememberedConversations;
  version: string;
  /** Signs what clients give back later; the same after a restart. Made when it is first asked for. */
  signingKey(): Buffer;
  tools: Pick<ToolRegistry, 'list'>;
  access: AccessControl;
  /** Places for an owner's requests that wait for a reply. */
  waiting: Slots;
  streams: EventStreams;
  now(): number;
}

/** Answers one request; resolves with the reply's body, or with the reply where it sent one itself. */
export type ProtocolHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Handlers by the names that a protocol's routes have for them. */
export type ProtocolHandlers = Readonly<Record<string, ProtocolHandler>>;

/** A protocol that chat front ends speak. */
export interface Protocol {
  /** Its addresses, such as `POST /mcp`, each by the name of the handler that answers it. */
  routes: Readonly<Record<string, `${'GET' | 'POST' | 'DELETE'} /${string}`>>;
  /** Names of handlers that are asked without a key: they say nothing of any user. */
  isPublic?: readonly string[];
  /** Names of handlers for which a front end need name no user. */
  isOfNobody?: readonly string[];
  /** Packages that not everybody installs, and that it needs. */
  packages?: readonly string[];
  refuse(problem: Problem, request: FastifyRequest, reply: FastifyReply): unknown;
  /** Loads the handlers, at the first request. */
  load(): Promise<{ createHandlers(parts: ProtocolParts): ProtocolHandlers }>;
}
