import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyPluginAsync } from 'fastify';
import type { TurnRequest } from '../../contracts/http.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import type { Environment } from '../config/config.ts';
import type { TripactConfig } from './define-config.ts';

/** How Tripact is embedded. */
export interface TripactOptions {
  /** The default export of a `tripact.config.ts`; that file itself is not looked for. */
  config?: TripactConfig;
  /** Where the `TRIPACT_` variables, those of models and OpenTelemetry's are read; default `process.env`. */
  env?: Environment;
}

/** A session of an owner: `local` where none is named. */
export interface EmbeddedSession {
  session: string;
  owner?: string;
}

/** A user turn: the fields of `POST /v1/sessions/{session_id}/turns`, and whose it is. */
export type EmbeddedTurn = EmbeddedSession &
  TurnRequest & {
    /** Same key and body: the same turn. */
    idempotency_key?: string;
    /** Ends the waiting; the turn goes on. */
    signal?: AbortSignal;
  };

/** The service in this process. Its methods reject with errors that have a `code` of the HTTP API, such as `INVALID_REQUEST`. */
export interface Tripact {
  /** Sends a turn and resolves when it is finished: answered, waiting for an answer, paused or failed. */
  turn(turn: EmbeddedTurn): Promise<TurnView>;
  /** Answers the question that the session's task waits with. Rejects with `QUESTION_NOT_OPEN` where none does. */
  answer(turn: EmbeddedTurn): Promise<TurnView>;
  /** A session's trace entries after the seq `after`, then new ones as they are stored, until `signal` aborts. */
  events(session: EmbeddedSession & { after?: number; signal?: AbortSignal }): AsyncIterable<TraceEntry>;
  /** The HTTP API, protocols and console as a handler of Node's requests; Express and Next take it as it is. */
  handler(request: IncomingMessage, response: ServerResponse): void;
  /** The same as a Fastify plugin: `app.register(tripact.routes, { prefix: '/agent' })`. */
  routes: FastifyPluginAsync;
  /** Finishes the pending commit and closes the data folder; tasks that run go on when it is opened again. */
  close(): Promise<void>;
}
