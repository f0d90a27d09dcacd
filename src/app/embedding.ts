import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyPluginAsync } from 'fastify';
import type { z } from 'zod';
import type { JsonSchema, ShapedAnswer } from '../../contracts/answer.ts';
import type { TurnRequest } from '../../contracts/http.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TaskView, TurnView } from '../../contracts/turn-view.ts';
import type { Environment } from '../config/config.ts';
import type { LineLogger } from '../lib/line-logger.ts';
import type { TripactConfig } from './define-config.ts';

/** How Tripact is embedded. */
export interface TripactOptions {
  /** The default export of a `tripact.config.ts`. The file itself is not read. */
  config?: TripactConfig;
  /** The variables of Tripact, models and OpenTelemetry; default `process.env`. */
  env?: Environment;
  /** Gets the log lines, without secrets; default: lines of JSON on standard error. Its level applies. */
  logger?: LineLogger;
}

/** A session of an owner; default owner: `local`. */
export interface EmbeddedSession {
  session: string;
  owner?: string;
}

/** The form that an answer must meet: a JSON Schema, or a zod schema of an object. */
export type EmbeddedAnswerSchema = JsonSchema | z.ZodType;

/**
 * A user's turn: the fields of `POST /v1/sessions/{session_id}/turns`, and its owner and session. Of a zod schema only
 * what JSON Schema can say is checked: its refinements and transforms do not run.
 */
export type EmbeddedTurn<Schema extends EmbeddedAnswerSchema = EmbeddedAnswerSchema> = EmbeddedSession &
  Omit<TurnRequest, 'answer_schema'> & {
    /** The schema that the answer must meet, as the turn's `answer`. */
    answer_schema?: Schema;
    /** Roles of whoever sends it, as the approvers of a tool are named by them. */
    roles?: string[];
    /** Equal key and body give the same turn. */
    idempotency_key?: string;
    /** Stops the waiting; the turn continues. */
    signal?: AbortSignal;
  };

/** The type of answers that meet a schema: of a zod schema, its input. */
export type AnswerOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : ShapedAnswer;

type Ended = TurnView & { output: string; finished_at: string };

/** A finished turn, by its `status`: the API's view with the fields that each status has. */
export type Turn<Answer = ShapedAnswer> =
  /** The task has ended, and `output` is its answer; `answer` where there was an `answer_schema`. */
  | (Omit<Ended, 'answer'> & { status: 'answered'; task: TaskView; answer?: Answer })
  /** The task waits for the user: `output` is the question with its options. */
  | (Ended & { status: 'asking'; task: TaskView; question: string })
  /** The task waits for "continue": `output` says what is done and why it stopped. */
  | (Ended & { status: 'paused'; task: TaskView })
  | (Ended & { status: 'failed' })
  | (Ended & { status: 'cancelled' })
  /** A command ran, as `/todo list`. */
  | (Ended & { status: 'ran' });

/** A turn's reply as text while it is written. */
export interface TurnStream<Answer = ShapedAnswer> extends AsyncIterable<string> {
  /** The finished turn, as `turn` gives it, whether the text is read or not. */
  readonly turn: Promise<Turn<Answer>>;
}

/**
 * The service in this process. Its methods reject with errors whose `code` is one of the HTTP API's, such as
 * `INVALID_REQUEST`.
 */
export interface Tripact {
  /** Sends a turn and resolves when it is finished: answered, waiting for an answer, paused or failed. */
  turn<Schema extends EmbeddedAnswerSchema = JsonSchema>(turn: EmbeddedTurn<Schema>): Promise<Turn<AnswerOf<Schema>>>;
  /** Answers the open question of the session's task. Rejects with `QUESTION_NOT_OPEN` if there is none. */
  answer<Schema extends EmbeddedAnswerSchema = JsonSchema>(turn: EmbeddedTurn<Schema>): Promise<Turn<AnswerOf<Schema>>>;
  /**
   * Sends a turn at once and gives its reply piece by piece, as the model writes it. Text that was shown and then
   * replaced is followed by a note in the user's language. Stopping to read does not stop the turn.
   */
  stream<Schema extends EmbeddedAnswerSchema = JsonSchema>(turn: EmbeddedTurn<Schema>): TurnStream<AnswerOf<Schema>>;
  /**
   * A page of a session's turns, newest first: 50, or up to 500 by `limit`. `next` is the `cursor` of the page after
   * it; null: there is none. Rejects with `SESSION_NOT_FOUND` before the session's first turn.
   */
  turns(
    session: EmbeddedSession & { limit?: number; cursor?: string },
  ): Promise<{ turns: readonly TurnView[]; next: string | null }>;
  /** A session's trace entries after the seq `after`, then new ones as they are stored, until `signal` aborts. */
  events(session: EmbeddedSession & { after?: number; signal?: AbortSignal }): AsyncIterable<TraceEntry>;
  /** The HTTP API, protocols and console as a handler of Node's requests, usable in Express and Next. */
  handler(request: IncomingMessage, response: ServerResponse): void;
  /** The same as a Fastify plugin: `app.register(tripact.routes, { prefix: '/agent' })`. */
  routes: FastifyPluginAsync;
  /** Finishes the pending commit and closes the data folder. Running tasks continue when it is opened again. */
  close(): Promise<void>;
}
