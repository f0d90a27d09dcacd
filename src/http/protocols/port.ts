import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Problem, TurnRequest } from '../../../contracts/http.ts';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import type { Engine, Submitted } from '../../engine/port.ts';
import type { TurnUpdate } from '../../projections/narrator.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { HttpLimits } from '../limits/http-limits.ts';
import type { Slots } from '../limits/slots.ts';
import type { RememberedConversations } from '../remembered-conversations.ts';

/** Something that happens in a turn; the last one is the finished turn. */
export type ConversationUpdate = TurnUpdate | { type: 'finished'; turn: TurnView };

/** A turn that a front end asks for, and where it belongs. */
export interface Submission {
  session_id: string;
  turn: z.input<typeof TurnRequest>;
  /** The question or the approval that it answers, by its id: refused where that is not open. */
  answers?: string;
  idempotency_key?: string;
}

/** All that a protocol can do with sessions. It knows neither the machine nor the store. */
export interface Conversations
  extends Pick<
      Engine,
      | 'turn'
      | 'turnByKey'
      | 'wait'
      | 'task'
      | 'tasks'
      | 'countTasks'
      | 'turns'
      | 'session'
      | 'sessions'
      | 'waiting'
      | 'cancel'
    >,
    RememberedConversations {
  /**
   * Takes a turn in for the request's owner and resolves once it is durable; a caller that goes away changes nothing about it. Rejects
   * with `INVALID_REQUEST` for what is no turn.
   */
  submit(request: FastifyRequest, reply: FastifyReply, submission: Submission): Promise<Submitted>;
  /** The question or the approval that a session waits with, by its id and its task; null where it waits for neither, or is not there. */
  openQuestion(owner: string, sessionId: string): Promise<{ id: string; task: TaskView } | null>;
  /** The session of a task and the newest turn that was said in it; null where it is no longer among the session's newest. Rejects with `TASK_NOT_FOUND`. */
  lastTurnOf(owner: string, taskId: string): Promise<{ session_id: string; turn: TurnView | null }>;
  /**
   * Follows a turn from its beginning on, as it happens, to the finished turn; a command has the finished turn alone. A turn may be
   * followed again and by several. Rejects with `SHUTTING_DOWN` when the service stops first: the turn itself goes on after the restart.
   */
  updates(owner: string, turn: TurnView, signal: AbortSignal): AsyncGenerator<ConversationUpdate>;
}

/** What every protocol is given. */
export interface ProtocolParts {
  conversations: Conversations;
  tools: Pick<ToolRegistry, 'list'>;
  limits: HttpLimits;
  /** Requests that wait for their turn's reply: each takes a place. */
  waiting: Slots;
  /** Streams of events: each takes a place. */
  streams: Slots;
  version: string;
  /** Signs what clients give back later; the same after a restart. Made when it is first asked for. */
  signingKey(): Buffer;
  /** The current time in epoch milliseconds. */
  now(): number;
}

/** Answers one request; resolves with the reply's body, or with the reply where it sent one itself. */
export type ProtocolHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
export type ProtocolHandlers = Readonly<Record<string, ProtocolHandler>>;

/** One address of a protocol. */
export interface ProtocolRoute {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  /** The name of the handler that answers it. */
  handler: string;
  /** It is answered without a key: it says nothing of any user. */
  isPublic?: boolean;
}

/** A protocol that chat front ends speak. */
export interface Protocol {
  routes: readonly ProtocolRoute[];
  /** Longest body in bytes; without it that of a front end that sends the whole conversation. */
  bodyBytesMax?: number;
  /** Packages that not everybody installs, and that it needs. */
  packages?: readonly string[];
  /** Sends a problem in the protocol's own form of an error. */
  refuse(problem: Problem, request: FastifyRequest, reply: FastifyReply): unknown;
  /** Loads the handlers, at the first request. */
  load(): Promise<{ createHandlers(parts: ProtocolParts): ProtocolHandlers }>;
}
