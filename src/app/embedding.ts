import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyPluginAsync } from 'fastify';
import type { TurnRequest } from '../../contracts/http.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import type { Environment } from '../config/config.ts';
import type { TripactConfig } from './define-config.ts';

/** How Tripact is embedded. */
export interface TripactOptions {
  /** The default export of a `tripact.config.ts`. The file itself is not read. */
  config?: TripactConfig;
  /** The variables of Tripact, models and OpenTelemetry; default `process.env`. */
  env?: Environment;
}

/** A session of an owner; default owner: `local`. */
export interface EmbeddedSession {
  session: string;
  owner?: string;
}

/** A user's turn: the fields of `POST /v1/sessions/{session_id}/turns`, and its owner and session. */
export type EmbeddedTurn = EmbeddedSession &
  TurnRequest & {
    /** Roles of whoever sends it, as the approvers of a tool are named by them. */
    roles?: string[];
    /** Equal key and body give the same turn. */
    idempotency_key?: string;
    /** Stops the waiting; the turn continues. */
    signal?: AbortSignal;
  };

/**
 * The service in this process. Its methods reject with errors whose `code` is one of the HTTP API's, such as
 * `INVALID_REQUEST`.
 */
export interface Tripact {
  /** Sends a turn and resolves when it is finished: answered, waiting for an answer, paused or failed. */
  turn(turn: EmbeddedTurn): Promise<TurnView>;
  /** Answers the open question of the session's task. Rejects with `QUESTION_NOT_OPEN` if there is none. */
  answer(turn: EmbeddedTurn): Promise<TurnView>;
  /** A session's trace entries after the seq `after`, then new ones as they are stored, until `signal` aborts. */
  events(session: EmbeddedSession & { after?: number; signal?: AbortSignal }): AsyncIterable<TraceEntry>;
  /** The HTTP API, protocols and console as a handler of Node's requests, usable in Express and Next. */
  handler(request: IncomingMessage, response: ServerResponse): void;
  /** The same as a Fastify plugin: `app.register(tripact.routes, { prefix: '/agent' })`. */
  routes: FastifyPluginAsync;
  /** Finishes the pending commit and closes the data folder. Running tasks continue when it is opened again. */
  close(): Promise<void>;
}
