import { randomUUID } from 'node:crypto';
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import type { TurnRequest } from '../../contracts/http.ts';
import { TraceEntry } from '../../contracts/trace.ts';
import { TurnView } from '../../contracts/turn-view.ts';
import type { Page } from '../lib/page.ts';
import { CommandFailure, ConnectionLost, lostBy, NothingThere, refusal } from './failure.ts';

/** Where the service of a command is. It may change while the command runs. */
interface Connection {
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

/** The most items that a service lists at once. */
export const ITEMS_MAX = 500;

const JSON_BODY = { 'content-type': 'application/json' };
const ProgressMessage = z.object({ kind: z.string(), text: z.string() });
const AnswerMessage = z.object({ text: z.string() });
const EntryMessage = z.object({ task_id: z.string() });

export interface TurnListener {
  /** A line of progress; never the question, which is in the reply. */
  progress(text: string): void;
  /** More of the answer while it is written; null retracts what was passed so far. */
  answer?(text: string | null): void;
  /** The task of the turn, as soon as it is known. */
  task?(taskId: string): void;
}

/** The service as commands use it, over HTTP (SPEC 11). */
export type Client = ReturnType<typeof createClient>;

export const pathOf = (...parts: string[]): string => parts.map(encodeURIComponent).join('/');

/** Parses a reply's body by its schema. Throws a `CommandFailure` for a reply that Tripact does not send. */
const readReply = async <Shape extends z.ZodType>(response: Response, shape: Shape): Promise<z.infer<Shape>> => {
  const read = shape.safeParse(await response.json().catch(() => undefined));
  if (read.success) return read.data;
  throw new CommandFailure(
    `${new URL(response.url).origin} answered with something else: is that a Tripact service of this version?`,
  );
};

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
 * Creates a client for the service of a connection. `chosenKey`, or else the key that the service gave, is sent to no
 * other service.
 */
export const createClient = (connection: Connection, chosenKey: string | null) => {
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

  const followed = async (path: string, init: RequestInit, listener: TurnListener): Promise<TurnView> => {
    let seen = 0;
    let shownSeq = 0;
    let isAnswering = false;
    const open = (): Promise<Response> => {
      // A reopened stream starts at the start of the turn.
      shownSeq = seen;
      if (isAnswering) listener.answer?.(null);
      isAnswering = false;
      return ask(path, init);
    };
    for await (const { id, event, data } of stream(open, init.signal ?? undefined)) {
      const message: unknown = JSON.parse(data);
      if (event === 'turn') return TurnView.parse(message);
      if (event === 'answer.delta' || event === 'answer.retracted') {
        isAnswering = event === 'answer.delta';
        listener.answer?.(isAnswering ? AnswerMessage.parse(message).text : null);
        continue;
      }
      seen = Number(id ?? seen);
      if (id === undefined || seen <= shownSeq) continue;
      if (event === 'trace') listener.task?.(EntryMessage.parse(message).task_id);
      if (event !== 'progress') continue;
      const { kind, text } = ProgressMessage.parse(message);
      if (kind !== 'question') listener.progress(text);
    }
    throw new ConnectionLost('The service stopped');
  };

  /** A page of a list, named like the last part of its path. */
  const page = async <Item extends z.ZodType>(
    path: string,
    query: Record<string, string | number | undefined>,
    item: Item,
  ): Promise<Page<z.infer<Item>>> => {
    const params = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) if (value !== undefined) params.set(key, String(value));
    const name = path.split('/').at(-1) ?? '';
    const shape = z.looseObject({ [name]: z.array(item), next: z.string().nullable() });
    const reply = await readReply(await insist(`${path}?${params}`), shape);
    return { items: reply[name] as z.infer<Item>[], next: reply['next'] as string | null };
  };

  return {
    get: async <Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape> | null> => {
      const response = await found(path);
      return response === null ? null : readReply(response, shape);
    },
    page,
    all: async function* <Item extends z.ZodType>(path: string, item: Item): AsyncGenerator<z.infer<Item>> {
      for (let cursor: string | undefined; ; ) {
        const { items, next } = await page(path, { limit: ITEMS_MAX, cursor }, item);
        yield* items;
        if (next === null) return;
        cursor = next;
      }
    },
    /** Posts a request that can be repeated. */
    post: async <Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape>> =>
      readReply(await insist(path, { method: 'POST' }), shape),
    remove: async (path: string): Promise<void> => void (await insist(path, { method: 'DELETE' })),
    /** Makes a session from a task's history. Returns the turn that it will answer. */
    fork: async (taskId: string, wanted: { at?: number; input?: string; session_id?: string }): Promise<TurnView> => {
      const init = { method: 'POST', body: JSON.stringify(wanted), headers: JSON_BODY };
      return readReply(await ask(pathOf('tasks', taskId, 'fork'), init), TurnView);
    },
    /** Sends an input and follows it to its end, also across a restart of the service, which processes it once. */
    turn: (sessionId: string, request: TurnRequest, listener: TurnListener, signal?: AbortSignal) => {
      const headers = { ...JSON_BODY, accept: 'text/event-stream', 'idempotency-key': randomUUID() };
      const init = { method: 'POST', body: JSON.stringify(request), headers, signal: signal ?? null };
      return followed(pathOf('sessions', sessionId, 'turns'), init, listener);
    },
    followTurn: (turnId: string, listener: TurnListener) => followed(pathOf('turns', turnId, 'events'), {}, listener),
    trace: (kind: 'tasks' | 'sessions', id: string) => found(pathOf(kind, id, 'trace')),
    /**
     * A session's entries with a larger seq, then new ones as they happen. Reconnects after a restart of the service.
     */
    follow: async function* (sessionId: string, after: number, signal?: AbortSignal): AsyncGenerator<TraceEntry> {
      let seen = after;
      const open = (): Promise<Response> => {
        const headers = { 'last-event-id': String(seen) };
        return ask(pathOf('sessions', sessionId, 'events'), { headers, signal: signal ?? null });
      };
      for await (const { event, data } of stream(open, signal)) {
        if (event !== 'trace') continue;
        const entry = JSON.parse(data) as TraceEntry;
        // Checked alone: the chain is that of the line as it was written.
        TraceEntry.parse(entry);
        seen = entry.seq;
        yield entry;
      }
    },
  };
};
