import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

export type Contract = 'plan' | 'thought' | 'replan';

/** Text as the API takes it: a string, or blocks of which some are marked for its cache. */
export type WireText = string | { type: 'text'; text: string; cache_control?: { type: string } }[];

/** A request to `POST /v1/messages`, each text in one string, as a model reads it. */
export interface MessagesBody {
  model: string;
  max_tokens: number;
  system: string;
  messages: { role: string; content: string }[];
  stream?: boolean;
  tools?: Record<string, unknown>[];
  output_config?: { format: { type: string; schema: Record<string, unknown> } };
}

/** One request as it came in; `contract` is what the end of the prompt says is due, null when that is something else. */
export interface MessagesRequest {
  headers: IncomingHttpHeaders;
  body: MessagesBody;
  /** The texts as they were sent. */
  sent: { system: WireText; messages: { role: string; content: WireText }[] };
  contract: Contract | null;
}

/** Writes one response, whole or faulty, once what it may wait for has happened. */
export type Respond = (response: ServerResponse, request: MessagesRequest) => void | Promise<void>;

/** A string is the answer's text; an object becomes its JSON; a function is a `Respond` (see messages-answers.ts). */
export type MessagesAnswer = string | Record<string, unknown> | Respond;

/** Answers in order, the last one not repeated; or by contract: lists are used up, a single answer is given each time. */
export type MessagesScript = MessagesAnswer[] | { [Name in Contract]?: MessagesAnswer[] | MessagesAnswer };

/** The form of one API's requests and answers. */
export interface Wire {
  path: string;
  /** Finds the texts in a request's JSON. */
  textsOf(sent: Record<string, unknown>): MessagesRequest['sent'];
  /** A whole answer with this text, or this object as JSON. */
  message(answer: string | Record<string, unknown>): Respond;
}
