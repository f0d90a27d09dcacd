import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

export type Contract = 'plan' | 'thought' | 'replan';

/** Text in the API's format: a string, or blocks, some of them marked for the cache. */
export type WireText = string | { type: 'text'; text: string; cache_control?: { type: string } }[];

/** A request to `POST /v1/messages`, each text as one string, as a model reads it. */
export interface MessagesBody {
  model: string;
  max_tokens: number;
  system: string;
  messages: { role: string; content: string }[];
  stream?: boolean;
  tools?: Record<string, unknown>[];
  output_config?: { format: { type: string; schema: Record<string, unknown> } };
}

/** One request as it arrived; `contract` is the contract due at the end of the prompt, null for anything else. */
export interface MessagesRequest {
  headers: IncomingHttpHeaders;
  body: MessagesBody;
  /** The texts as they were sent. */
  sent: { system: WireText; messages: { role: string; content: WireText }[] };
  contract: Contract | null;
}

/** Writes one response, complete or faulty, once the event that it waits for has happened. */
export type Respond = (response: ServerResponse, request: MessagesRequest) => void | Promise<void>;

/** A string is the answer's text; an object becomes its JSON; a function is a `Respond` (see messages-answers.ts). */
export type MessagesAnswer = string | Record<string, unknown> | Respond;

/**
 * Answers in order, without repeating the last one; or by contract: a list is consumed, a single answer is repeated.
 */
export type MessagesScript = MessagesAnswer[] | { [Name in Contract]?: MessagesAnswer[] | MessagesAnswer };

/** The format of one API's requests and answers. */
export interface Wire {
  path: string;
  /** Finds the texts in a request's JSON. */
  textsOf(sent: Record<string, unknown>): MessagesRequest['sent'];
  /** A complete answer with this text, or this object as JSON. */
  message(answer: string | Record<string, unknown>): Respond;
}
