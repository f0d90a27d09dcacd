import type { AgentCard } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { A2AError } from '@a2a-js/sdk/errors';
import { plainLine } from '../../../contracts/text.ts';
import { tlsFault } from '../../lib/errors.ts';
import type { A2aAgentConfig, A2aAgentState } from './port.ts';

/** Largest response of an agent, in bytes: an observation keeps far less of it. */
const RESPONSE_BYTES_MAX = 1024 * 1024;

/** Why an agent's address or answer is not used. */
class AgentFault extends Error {
  override name = 'AgentFault';
}

/** The response with its whole body, which has come within the limit. */
const wholeResponse = async ({ body, status, statusText, headers }: Response): Promise<Response> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > RESPONSE_BYTES_MAX) throw new AgentFault(`a response has more than ${RESPONSE_BYTES_MAX} bytes`);
    pieces.push(piece);
  }
  const hasBody = bytes > 0 && status !== 204 && status !== 304;
  return new Response(hasBody ? Buffer.concat(pieces) : null, { status, statusText, headers });
};

/**
 * `fetch` for one agent: to its configured origin alone, whatever its card says, without redirects, with its headers
 * and within a size.
 */
const fetchOf = ({ url, headers = {} }: A2aAgentConfig): typeof fetch => {
  const { origin } = new URL(url);
  return async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    if (address.origin !== origin)
      throw new AgentFault(`its card leads to ${address.host}, and only the configured host is called`);
    const sent = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    return wholeResponse(await fetch(address, { ...init, headers: sent, redirect: 'error' }));
  };
};

const connect = async (config: A2aAgentConfig): Promise<{ client: Client; card: AgentCard }> => {
  const options = { fetchImpl: fetchOf(config), legacyCompat: { enabled: true } };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
    cardResolver: new DefaultAgentCardResolver(options),
  });
  const isCard = new URL(config.url).pathname.endsWith('.json');
  const client = isCard
    ? await factory.createFromUrl(config.url, '')
    : await factory.createFromUrl(config.url.replace(/(?<!\/)\/*$/, '/'));
  return { client, card: await client.getAgentCard() };
};

/** An agent that is reached by its card, which is read at the first use and again after a failure to reach it. */
export class RemoteAgent {
  readonly #config: A2aAgentConfig;
  readonly #hide: (text: string) => string;
  readonly #learned: (card: AgentCard) => void;
  #opening: Promise<Client> | null = null;
  #state: Omit<A2aAgentState, 'name'> = { state: 'connecting', reason: null };

  /** `hide` masks the agent's secrets in the reasons of its faults. */
  constructor(config: A2aAgentConfig, hide: (text: string) => string, learned: (card: AgentCard) => void) {
    this.#config = config;
    this.#hide = hide;
    this.#learned = learned;
  }

  /** Rejects where the card cannot be read. */
  open(): Promise<Client> {
    this.#opening ??= connect(this.#config).then(
      ({ client, card }) => {
        this.#state = { state: 'connected', reason: null };
        this.#learned(card);
        return client;
      },
      (error: unknown) => {
        this.forget(error);
        throw error;
      },
    );
    return this.#opening;
  }

  /** It could not be reached: its card is read again at the next use. */
  forget(error: unknown): void {
    this.#opening = null;
    this.#state = { state: 'failed', reason: reasonOf(error, this.#hide) };
  }

  state(): Omit<A2aAgentState, 'name'> {
    return this.#state;
  }
}

const REASON_CHARS_MAX = 400;

/** System errors that occur before a request was sent. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

const causesOf = (error: unknown): unknown[] =>
  error instanceof Error && error.cause !== undefined ? [error, ...causesOf(error.cause)] : [error];

/** The agent itself answered that it does not do this. */
export const isRefusal = (error: unknown): boolean => error instanceof A2AError;

/** Nothing was sent. */
export const isUnsent = (error: unknown): boolean =>
  causesOf(error).some(
    (cause) => cause instanceof AgentFault || UNSENT.includes(String((cause as { code?: unknown } | null)?.code)),
  );

/** An error and its causes on one line; `hide` masks secrets before the line is cut. */
export const reasonOf = (error: unknown, hide: (text: string) => string): string => {
  const words = causesOf(error).map(
    (cause) => tlsFault(cause) ?? (cause instanceof Error ? cause.message : String(cause)),
  );
  return plainLine(hide([...new Set(words)].filter((word) => word !== '').join(': ')), REASON_CHARS_MAX);
};
