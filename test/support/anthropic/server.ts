import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { message } from './answers.ts';
import type {
  Contract,
  MessagesAnswer,
  MessagesBody,
  MessagesRequest,
  MessagesScript,
  Wire,
  WireText,
} from './messages.ts';

export interface MessagesServer {
  /** For `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly MessagesRequest[];
  /** The JSON of each of them. */
  readonly raw: readonly unknown[];
  /** Replaces the script: requests from now on are answered by this one. */
  answer(script: MessagesScript): void;
  /** Resolves to the `nth` request, counted from 1, as soon as it has arrived completely. */
  asked(nth: number): Promise<MessagesRequest>;
  /** Cuts open connections and stops listening. */
  close(): Promise<void>;
}

/** `/v1/messages`. */
export const MESSAGES_API: Wire = {
  path: '/v1/messages',
  textsOf: (sent) => sent as unknown as MessagesRequest['sent'],
  message,
};

/**
 * Starts a local server for `POST /v1/messages`, or another API, with a script. A request beyond the script gets 418.
 */
export async function startMessagesServer(
  script: MessagesScript = [],
  wire: Wire = MESSAGES_API,
): Promise<MessagesServer> {
  let left = copyOf(script);
  const requests: MessagesRequest[] = [];
  const raws: unknown[] = [];
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
    raws.push(JSON.parse(raw));
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
    raw: raws,
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

/** The contract that is due, at the end of a prompt in either voice. */
const DUE = /^(?:Contract|Due): (plan|thought|replan)$/gm;

const contractOf = ({ messages }: MessagesBody): Contract | null =>
  ([...(messages.at(-1)?.content ?? '').matchAll(DUE)].at(-1)?.[1] as Contract | undefined) ?? null;

const copyOf = (script: MessagesScript): MessagesScript =>
  Array.isArray(script)
    ? [...script]
    : Object.fromEntries(Object.entries(script).map(([name, list]) => [name, Array.isArray(list) ? [...list] : list]));
