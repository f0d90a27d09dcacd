import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { ConnectionLost, lostBy, NothingThere, refusal } from './failure.ts';

/** Where the service of a command is. It may change while the command runs. */
export interface Connection {
  /** Its address, without a trailing slash. */
  base(): string;
  /** A key that it gave to this command; null: none. */
  key(): string | null;
  /**
   * Resolves when a retry after `lost` is worthwhile, else rejects. `inVain` counts the attempts since the service last
   * answered; `wasReached`: it has answered before.
   */
  restore(lost: ConnectionLost, wasReached: boolean, inVain: number, signal?: AbortSignal): Promise<void>;
}

/** The messages of an event stream as they arrive. Throws `ConnectionLost` when it breaks off. */
async function* eventMessages({ body }: Response): AsyncGenerator<EventSourceMessage, void, undefined> {
  try {
    yield* body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  } catch {
    throw new ConnectionLost('The connection to the service broke off');
  }
  throw new ConnectionLost('The service stopped');
}

/**
 * Creates the requests to a service that may go away and come back. `chosenKey`, or else the key that the service gave,
 * is sent to no other service.
 */
export const createRequests = (connection: Connection, chosenKey: string | null) => {
  /** Sends a request once. Throws a `ConnectionLost`, or the refusal of the service. */
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const base = connection.base();
    const key = chosenKey ?? connection.key();
    const headers = new Headers(init.headers);
    headers.set('x-tripact-client', 'cli');
    if (key !== null) headers.set('authorization', `Bearer ${key}`);
    const response = await fetch(`${base}/v1/${path}`, { ...init, headers }).catch((error: unknown) => {
      throw init.signal?.aborted ? error : lostBy(error, base);
    });
    if (response.ok) return response;
    throw await refusal(response, base, key !== null);
  };

  /** The messages of a stream that is reopened whenever the service goes away, until it is gone for good. */
  async function* stream(open: () => Promise<Response>, signal?: AbortSignal): AsyncGenerator<EventSourceMessage> {
    for (let wasReached = false, inVain = 0; ; inVain += 1) {
      try {
        const response = await open();
        [wasReached, inVain] = [true, 0];
        yield* eventMessages(response);
      } catch (error) {
        if (!(error instanceof ConnectionLost) || signal?.aborted) throw error;
        await connection.restore(error, wasReached, inVain, signal);
      }
    }
  }

  /** Sends a request, and sends it again if the service went away. Only for requests that can be repeated. */
  const insist = async (path: string, init?: RequestInit, inVain = 0): Promise<Response> => {
    try {
      return await ask(path, init);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      await connection.restore(error, false, inVain);
      return insist(path, init, inVain + 1);
    }
  };

  /** A reply; null: nothing has that id. */
  const found = (path: string): Promise<Response | null> =>
    insist(path).catch((error: unknown) => {
      if (error instanceof NothingThere) return null;
      throw error;
    });

  return { ask, stream, insist, found };
};
