import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { message } from './answers.ts';

export type Contract = 'plan' | 'thought' | 'replan';

/** Text as the API takes it: a string, or blocks of which some are marked for its cache. */
export type WireText = string | { type: 'text'; text: string; cache_control?: { type: string } }[];

/** What a client asks for in `POST /v1/messages`, each text in one string, as a model reads it. */
export interface MessagesBody {
  model: string;
  max_tokens: number;
  system: string;
  messages: { role: string; content: string }[];
  stream?: boolean;
  output_config?: { format: { type: string; schema: Record<string, unknown> } };
}

/** One request as it came in; `contract` is from the first line of the system prompt, null when that is something else. */
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

export interface MessagesServer {
  /** For `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly MessagesRequest[];
  /** Replaces the script: requests from now on are answered by this one. */
  answer(script: MessagesScript): void;
  /** Resolves to the `nth` request, counted from 1, as soon as it has come in whole. */
  asked(nth: number): Promise<MessagesRequest>;
  /** Breaks off what is open and stops listening. */
  close(): Promise<void>;
}

/** What one API's requests and answers look like. */
export interface Wire {
  path: string;
  /** Finds the texts in a request's JSON. */
  textsOf(sent: Record<string, unknown>): MessagesRequest['sent'];
  /** A whole answer with this text, or this object as JSON. */
  message(answer: string | Record<string, unknown>): Respond;
}

const MESSAGES_API: Wire = {
  path: '/v1/messages',
  textsOf: (sent) => sent as unknown as MessagesRequest['sent'],
  message,
};

/** Starts a local server that speaks `POST /v1/messages`, or another wire, from a script. A request beyond the script is answered 418. */
export async function startMessagesServer(
  script: MessagesScript = [],
  wire: Wire = MESSAGES_API,
): Promise<MessagesServer> {
  let left = copyOf(script);
  const requests: MessagesRequest[] = [];
  const waiting: { nth: number; resolve: (request: MessagesRequest) => void }[] = [];

  const next = (contract: Contract | null): MessagesAnswer | undefined => {
    const answers = Array.isArray(left) ? left : contract && left[contract];
    return Array.isArray(answers) ? answers.shift() : (answers ?? undefined);
  };
  const tell = () => {
    for (const { nth, resolve } of waiting) {
      const request = requests[nth - 1];
      if (request !== undefined) resolve(request);
    }
  };

  const server = createServer(async (incoming, response) => {
    const raw = await text(incoming);
    if (incoming.method !== 'POST' || incoming.url !== wire.path) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"type":"error"}');
      return;
    }
    const whole = JSON.parse(raw) as Omit<MessagesBody, 'system' | 'messages'>;
    const sent = wire.textsOf({ ...whole });
    const body = {
      ...whole,
      system: wholeText(sent.system),
      messages: sent.messages.map(({ role, content }) => ({ role, content: wholeText(content) })),
    };
    const request = { headers: incoming.headers, body, sent, contract: contractOf(body) };
    requests.push(request);
    tell();
    const answer = next(request.contract);
    if (answer === undefined) response.writeHead(418).end(`no answer left for ${request.contract}`);
    else if (typeof answer === 'function') await answer(response, request);
    else await wire.message(answer)(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer(script) {
      left = copyOf(script);
    },
    asked(nth) {
      const { promise, resolve } = Promise.withResolvers<MessagesRequest>();
      waiting.push({ nth, resolve });
      tell();
      return promise;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const wholeText = (text: WireText): string =>
  typeof text === 'string' ? text : text.map((block) => block.text).join('');

const contractOf = ({ system }: MessagesBody): Contract | null =>
  (/^Contract: (plan|thought|replan)$/.exec(String(system).split('\n')[0] ?? '')?.[1] as Contract | undefined) ?? null;

const copyOf = (script: MessagesScript): MessagesScript =>
  Array.isArray(script)
    ? [...script]
    : Object.fromEntries(Object.entries(script).map(([name, list]) => [name, Array.isArray(list) ? [...list] : list]));
