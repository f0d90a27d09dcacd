import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Pause before a stream that ended is opened again, in milliseconds: a server may ask for none at all, or for more than a timer takes, which is as little. */
const [REOPEN_MS_MIN, REOPEN_MS_MAX] = [1_000, 60_000];

/** How long a response may go on behind its call's result, in milliseconds: one that ends by itself leaves its connection for the next call. */
const ANSWERED_MS = 1_000;

/** Speaks with a server over HTTP, and reads a response no longer than its call lasts: a server may write to it for ever. */
export class HttpTransport extends StreamableHTTPClientTransport {
  /** What ends the response of each call that is under way, by its id. */
  readonly #calls = new Map<unknown, AbortController>();

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
    const ending = new AbortController();
    this.#calls.set(message.id, ending);
    const signals = [ending.signal, options?.requestSignal].filter((signal) => signal !== undefined);
    try {
      await super.send(message, { ...options, requestSignal: AbortSignal.any(signals) });
    } catch (error) {
      this.#calls.delete(message.id);
      throw error;
    }
  }

  /** Reads little more of a call's response: its result is here. */
  answered(id: unknown): void {
    setTimeout(() => this.#endCall(id), ANSWERED_MS).unref();
  }

  #endCall(id: unknown): void {
    this.#calls.get(id)?.abort();
    this.#calls.delete(id);
  }
}
