import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { TurnRequest } from '../../contracts/http.ts';
import { TraceEntry } from '../../contracts/trace.ts';
import { TurnView } from '../../contracts/turn-view.ts';
import type { Page } from '../lib/page.ts';
import { CommandFailure, ConnectionLost } from './failure.ts';
import { type Connection, createRequests } from './requests.ts';

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

/**
 * Creates a client for the service of a connection. `chosenKey`, or else the key that the service gave, is sent to no
 * other service.
 */
export const createClient = (connection: Connection, chosenKey: string | null) => {
  const { ask, stream, insist, found } = createRequests(connection, chosenKey);

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
    /** Sends a decision, once: where its answer is lost, what is listed says whether it counted. */
    decide: async (path: string, decision: object): Promise<void> =>
      void (await ask(path, { method: 'POST', body: JSON.stringify(decision), headers: JSON_BODY })),
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
        // Only checked, not replaced: the chain covers the line as it was written.
        TraceEntry.parse(entry);
        seen = entry.seq;
        yield entry;
      }
    },
  };
};
