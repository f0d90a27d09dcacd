import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AgentView } from '../../../contracts/agent.ts';
import type { Problem } from '../../../contracts/http.ts';
import type { AccessControl } from '../../access/port.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import type { RememberedConversations } from '../../store/port.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Slots } from '../server/limits.ts';
import type { OpenedFile } from '../server/send-file.ts';
import type { EventStreams } from '../streams/event-stream.ts';
import type { Conversations } from './conversations.ts';
import type { WrittenParts } from './written-files.ts';

/** Dependencies of every protocol. None of them is the machine or the store. */
export interface ProtocolParts extends WrittenParts {
  engine: SessionsApi;
  conversations: Conversations;
  remembered: RememberedConversations;
  version: string;
  /** The key that signs values which clients return later. Survives restarts. Created when it is first requested. */
  signingKey(): Buffer;
  /** The issuer whose tokens callers may show; null: none. */
  tokenIssuer: string | null;
  tools: Pick<ToolRegistry, 'list'>;
  /** The agents of the service; none: it has one, without a name. */
  agents(): AgentView[];
  files: WrittenParts['files'] & {
    /** Opens a file; null: there is none with that path. */
    open(owner: string, sessionId: string, path: string): Promise<OpenedFile | null>;
  };
  access: AccessControl;
  /** Places for an owner's requests that wait for a reply. */
  waiting: Slots;
  streams: EventStreams;
  now(): number;
}

/** Answers one request. Resolves with the reply's body, or with the reply if it was already sent. */
export type ProtocolHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Handlers by the names that a protocol's routes use. */
export type ProtocolHandlers = Readonly<Record<string, ProtocolHandler>>;

/** A protocol of chat front ends. */
export interface Protocol {
  /** Its addresses, such as `POST /mcp`, by the name of the handler. */
  routes: Readonly<Record<string, `${'GET' | 'POST' | 'DELETE'} /${string}`>>;
  /** Names of handlers that need no key: they reveal nothing about any user. */
  isPublic?: readonly string[];
  /** Names of handlers for which a front end need not name a user. */
  isOfNobody?: readonly string[];
  /** Names of handlers about the action in their address. They are served at the home of that task's owner. */
  isOfApproval?: readonly string[];
  /** It says who issues tokens for it, at `/.well-known/oauth-protected-resource` and its own path. */
  hasResourceMetadata?: true;
  /** Optional packages that it needs. */
  packages?: readonly string[];
  refuse(problem: Problem, request: FastifyRequest, reply: FastifyReply): unknown;
  /** Loads the handlers, at the first request. */
  load(): Promise<{ createHandlers(parts: ProtocolParts): ProtocolHandlers }>;
}
