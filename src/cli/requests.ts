import type { EventSourceMessage } from 'eventsource-parser';
import type { z } from 'zod';
import type { Connection, Tries } from './connection.ts';
import { ConnectionLost, lostBy } from './connection-lost.ts';
import { eventMessages } from './event-messages.ts';
import { readReply } from './read-reply.ts';
import { NothingThere, refusal } from './refusal.ts';

/** Requests to a service, whose refusals are `CommandFailure`s. */
export interface Requests {
  /** One request, made once. */
  reply(path: string, init?: RequestInit): Promise<Response>;
  /** A request that may be made twice, made again where the service went away. */
  insist(path: string, init?: RequestInit): Promise<Response>;
  /** The same; null where there is nothing of that id. */
  found(path: string): Promise<Response | null>;
  /** A reply's body by its schema; null where there is nothing of that id. */
  view<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape> | null>;
  /** The messages of a stream that is asked for again each time that the service goes away. */
  persistently(open: () => Promise<Response>, signal?: AbortSignal): AsyncGenerator<EventSourceMessage>;
}

/** Makes requests to the service of a connection. `chosenKey`, or else the one that the service gave, goes nowhere else. */
export const createRequests = (connection: Connection, chosenKey: string | null): Requests => {
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const base = connection.base();
    const headers = new Headers(init.headers);
    const key = chosenKey ?? connection.key();
    if (key !== null) headers.set('authorization', `Bearer ${key}`);
    try {
      return await fetch(`${base}/v1/${path}`, { ...init, headers });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw lostBy(error, base);
    }
  };

  const reply = async (path: string, init?: RequestInit): Promise<Response> => {
    const base = connection.base();
    const response = await ask(path, init);
    if (response.ok) return response;
    throw await refusal(response, { base, hasKey: (chosenKey ?? connection.key()) !== null });
  };

  const insist = async (path: string, init?: RequestInit): Promise<Response> => {
    for (const tries: Tries = { wasReached: false, inVain: 0 }; ; tries.inVain += 1) {
      try {
        return await reply(path, init);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        await connection.restore(error, tries);
      }
    }
  };

  const found = async (path: string): Promise<Response | null> => {
    try {
      return await insist(path);
    } catch (error) {
      if (error instanceof NothingThere) return null;
      throw error;
    }
  };

  const view = async <Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape> | null> => {
    const response = await found(path);
    return response === null ? null : readReply(response, shape);
  };

  async function* persistently(
    open: () => Promise<Response>,
    signal?: AbortSignal,
  ): AsyncGenerator<EventSourceMessage> {
    for (const tries: Tries = { wasReached: false, inVain: 0 }; ; tries.inVain += 1) {
      try {
        const response = await open();
        Object.assign(tries, { wasReached: true, inVain: 0 });
        yield* eventMessages(response);
        throw new ConnectionLost('The service stopped');
      } catch (error) {
        if (!(error instanceof ConnectionLost) || signal?.aborted) throw error;
        await connection.restore(error, tries, signal);
      }
    }
  }

  return { reply, insist, found, view, persistently };
};
