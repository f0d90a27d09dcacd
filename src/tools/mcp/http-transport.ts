import { AsyncLocalStorage } from 'node:async_hooks';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isFaultOfAnswer, noAnswer } from './no-answer.ts';

/** Pause before a stream that ended is opened again, in milliseconds: a server may ask for none at all, or for more than a timer takes, which is as little. */
const [REOPEN_MS_MIN, REOPEN_MS_MAX] = [1_000, 60_000];

/** How long a response may go on behind its call's result, in milliseconds: one that ends by itself leaves its connection for the next call. */
const ANSWERED_MS = 1_000;

/** A request that is under way. */
export interface Call {
  readonly id: string | number;
  /** It asks for the server's tools. */
  readonly isList: boolean;
  /** Ends its response. */
  readonly ending: AbortController;
  isAnswered: boolean;
  /** Why its response was read no further. */
  fault?: unknown;
}

/** The request that is made and whose response is read. */
export const reading = new AsyncLocalStorage<Call>();

/**
 * Speaks with a server over HTTP, and reads a response no longer than its call lasts: a server may write to it for ever. Sending a call of `tools/…` rejects
 * where its response ended without an answer to it, for which the library would wait.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  /** By the ids of their requests. */
  readonly #calls = new Map<unknown, Call>();

  constructor(
    url: URL,
    headers: Record<string, string>,
    fetch: (url: string | URL, init?: RequestInit) => Promise<Response>,
  ) {
    super(url, {
      requestInit: { headers },
      fetch,
      onInsufficientScope: 'throw',
      reconnectionScheduler: (reopen, delayMs) => {
        const timer = setTimeout(reopen, Math.min(Math.max(delayMs, REOPEN_MS_MIN), REOPEN_MS_MAX));
        return () => clearTimeout(timer);
      },
    });
  }

  override async send(...[message, options]: Parameters<StreamableHTTPClientTransport['send']>): Promise<void> {
    if (Array.isArray(message) || !('method' in message)) return super.send(message, options);
    if (message.method === 'notifications/cancelled') this.#endCall(message.params?.['requestId']);
    if (!('id' in message)) return super.send(message, options);
    const call: Call = {
      id: message.id,
      isList: message.method === 'tools/list',
      ending: new AbortController(),
      isAnswered: false,
    };
    this.#calls.set(message.id, call);
    const signals = [call.ending.signal, options?.requestSignal].filter((signal) => signal !== undefined);
    const stream = Promise.withResolvers<void>();
    let isStream = false;
    try {
      const sent = {
        ...options,
        requestSignal: AbortSignal.any(signals),
        // Read only where the response is a stream.
        get onRequestStreamEnd() {
          isStream = true;
          return options?.onRequestStreamEnd ?? stream.resolve;
        },
      };
      await reading.run(call, () => super.send(message, sent));
      // What comes while it connects is not known to be an answer.
      if (!message.method.startsWith('tools/')) return;
      if (isStream) await stream.promise;
      if (!call.isAnswered) throw call.fault ?? new Error('its response ended without an answer');
    } catch (error) {
      this.#calls.delete(message.id);
      throw error;
    }
  }

  /** Ends the call whose response is read, where the library threw this at what came in place of its answer. */
  threw(error: Error): void {
    const call = reading.getStore();
    if (call !== undefined && !call.isAnswered && isFaultOfAnswer(error)) this.onmessage?.(noAnswer(call.id));
  }

  /** Reads little more of a call's response: its result is here. */
  answered(id: unknown): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    call.isAnswered = true;
    setTimeout(() => this.#endCall(id), ANSWERED_MS).unref();
  }

  #endCall(id: unknown): void {
    this.#calls.get(id)?.ending.abort();
    this.#calls.delete(id);
  }
}
