import { randomUUID } from 'node:crypto';
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import { type CallbackState, CallbackView } from '../../contracts/callback.ts';
import { SessionView, ToolView, type TurnRequest, type WaitingState, WaitingTask } from '../../contracts/http.ts';
import { TraceEntry } from '../../contracts/trace.ts';
import { TaskView, TurnView } from '../../contracts/turn-view.ts';
import type { Page } from '../lib/page.ts';
import type { Connection, Tries } from './connection.ts';
import { CommandFailure, ConnectionLost, NothingThere } from './failure.ts';
import { lostBy, refusal } from './refusal.ts';

const ProgressMessage = z.object({ kind: z.string(), text: z.string() });
const EntryMessage = z.object({ task_id: z.string() });
const McpServers = z.array(z.object({ name: z.string(), state: z.string(), reason: z.string().nullable() }));

/** Receives the progress of a running turn. */
export interface TurnListener {
  progress(line: { kind: string; text: string }): void;
  /** The task that the turn belongs to, as soon as it is known. */
  task?(taskId: string): void;
}

/** Which page of a list is wanted; the service chooses what is left out. */
export interface PageWanted {
  limit?: number;
  cursor?: string;
}

/** The service as the commands talk to it, over HTTP (SPEC 11). */
export type Client = ReturnType<typeof createClient>;

const JSON_BODY = { 'content-type': 'application/json' };

const sessionPath = (sessionId: string): string => `sessions/${encodeURIComponent(sessionId)}`;
const taskPath = (taskId: string): string => `tasks/${encodeURIComponent(taskId)}`;

const withQuery = (path: string, given: object): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
};

/** A reply's body by its schema. Throws a `CommandFailure` for what no Tripact answers. */
const readReply = async <Shape extends z.ZodType>(response: Response, shape: Shape): Promise<z.infer<Shape>> => {
  const read = shape.safeParse(await response.json().catch(() => undefined));
  if (read.success) return read.data;
  throw new CommandFailure(
    `${new URL(response.url).origin} answered what can not be read: is that a Tripact service of this version?`,
  );
};

/** The messages of an event stream, as they come. Throws `ConnectionLost` when it breaks off. */
async function* eventMessages({ body }: Response): AsyncGenerator<EventSourceMessage, void, undefined> {
  if (body === null) return;
  try {
    yield* body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  } catch {
    throw new ConnectionLost('The connection to the service broke off');
  }
}

/** Makes a client for the service of a connection. `chosenKey`, else the one that the service gave, goes nowhere else. */
export const createClient = (connection: Connection, chosenKey: string | null) => {
  /** Asks once. */
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const base = connection.base();
    const key = chosenKey ?? connection.key();
    const headers = new Headers(init.headers);
    if (key !== null) headers.set('authorization', `Bearer ${key}`);
    const response = await fetch(`${base}/v1/${path}`, { ...init, headers }).catch((error: unknown) => {
      throw init.signal?.aborted ? error : lostBy(error, base);
    });
    if (response.ok) return response;
    throw await refusal(response, { base, hasKey: key !== null });
  };

  /** Waits until it is worth asking again; throws an error that asking again would not mend. */
  const restored = async (error: unknown, tries: Tries, signal?: AbortSignal | null): Promise<void> => {
    if (!(error instanceof ConnectionLost) || signal?.aborted) throw error;
    await connection.restore(error, tries, signal ?? undefined);
    tries.inVain += 1;
  };

  /** Asks, and asks again where the service went away: only for requests that may be made twice. */
  const insist = async (path: string, init?: RequestInit): Promise<Response> => {
    for (const tries: Tries = { wasReached: false, inVain: 0 }; ; ) {
      try {
        return await ask(path, init);
      } catch (error) {
        await restored(error, tries);
      }
    }
  };

  /** The messages of a stream that is asked for again each time that the service goes away. */
  async function* stream(open: () => Promise<Response>, signal?: AbortSignal): AsyncGenerator<EventSourceMessage> {
    for (const tries: Tries = { wasReached: false, inVain: 0 }; ; ) {
      try {
        const response = await open();
        Object.assign(tries, { wasReached: true, inVain: 0 });
        yield* eventMessages(response);
        throw new ConnectionLost('The service stopped');
      } catch (error) {
        await restored(error, tries, signal);
      }
    }
  }

  /** Null: nothing has that id. */
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

  const page = async <Item extends z.ZodType>(
    path: string,
    query: object,
    name: string,
    item: Item,
  ): Promise<Page<z.infer<Item>>> => {
    const Reply = z.looseObject({ next: z.string().nullable() }).transform((reply, ctx) => {
      const items = z.array(item).safeParse(reply[name]);
      if (items.success) return { items: items.data, next: reply.next };
      ctx.addIssue({ code: 'custom' });
      return z.NEVER;
    });
    return readReply(await insist(withQuery(path, query)), Reply);
  };

  /** Follows a turn to its end. */
  const followed = async (
    open: () => Promise<Response>,
    listener: TurnListener,
    signal?: AbortSignal,
  ): Promise<TurnView> => {
    let seen = 0;
    let shownSeq = 0;
    const again = (): Promise<Response> => {
      // A stream that is opened again starts at the start of the turn.
      shownSeq = seen;
      return open();
    };
    for await (const { id, event, data } of stream(again, signal)) {
      const message: unknown = JSON.parse(data);
      if (event === 'turn') return TurnView.parse(message);
      seen = Number(id ?? seen);
      if (id === undefined || seen <= shownSeq) continue;
      if (event === 'progress') listener.progress(ProgressMessage.parse(message));
      if (event === 'trace') listener.task?.(EntryMessage.parse(message).task_id);
    }
    throw new ConnectionLost('The service stopped');
  };

  return {
    /** Sends an input and follows it to its end, also over a restart of the service: the input is taken once. */
    turn: (sessionId: string, request: TurnRequest, listener: TurnListener, signal?: AbortSignal) => {
      const init: RequestInit = {
        method: 'POST',
        body: JSON.stringify(request),
        headers: { ...JSON_BODY, accept: 'text/event-stream', 'idempotency-key': randomUUID() },
        ...(signal !== undefined && { signal }),
      };
      return followed(() => ask(`${sessionPath(sessionId)}/turns`, init), listener, signal);
    },
    /** Follows a turn that was sent. */
    followTurn: (turnId: string, listener: TurnListener) =>
      followed(() => ask(`turns/${encodeURIComponent(turnId)}/events`), listener),
    cancel: async (taskId: string) =>
      readReply(await insist(`${taskPath(taskId)}/cancel`, { method: 'POST' }), TaskView),
    /** Makes a session from a task's history; gives the turn that it will answer. */
    fork: async (taskId: string, wanted: { at?: number; input?: string; session_id?: string }) => {
      const init = { method: 'POST', body: JSON.stringify(wanted), headers: JSON_BODY };
      return readReply(await ask(`${taskPath(taskId)}/fork`, init), TurnView);
    },
    /** Null: there is none of that id. */
    session: (sessionId: string) => view(sessionPath(sessionId), SessionView),
    /** Null: there is none of that id. */
    task: (taskId: string) => view(taskPath(taskId), TaskView),
    /** The owner's sessions, the most recently used first. */
    sessions: (wanted: PageWanted) => page('sessions', wanted, 'sessions', SessionView),
    /** A session's tasks in the order in which they were opened. */
    tasks: (sessionId: string, wanted: PageWanted) =>
      page(`${sessionPath(sessionId)}/tasks`, wanted, 'tasks', TaskView),
    /** The tasks that wait for their owner in these states, longest first. */
    waiting: (states: readonly WaitingState[], wanted: PageWanted) =>
      page('tasks', { state: states.join(','), ...wanted }, 'tasks', WaitingTask),
    /** Callbacks, newest first. */
    callbacks: (state: CallbackState | undefined, wanted: PageWanted) =>
      page('callbacks', { state, ...wanted }, 'callbacks', CallbackView),
    /** Has a callback posted now. */
    resendCallback: async (id: string) =>
      readReply(await insist(`callbacks/${encodeURIComponent(id)}/resend`, { method: 'POST' }), CallbackView),
    /** All tools, and how the MCP servers stand. */
    tools: async () => {
      const tools: ToolView[] = [];
      for (let cursor: string | undefined; ; ) {
        const { items, next } = await page('tools', { cursor }, 'tools', ToolView);
        tools.push(...items);
        if (next === null) break;
        cursor = next;
      }
      const { servers } = await readReply(await insist('tools?limit=1'), z.object({ servers: McpServers }));
      return { tools, servers };
    },
    /** A task's or a session's trace as NDJSON; null: there is none of that id. */
    trace: (kind: 'tasks' | 'sessions', id: string) => found(`${kind}/${encodeURIComponent(id)}/trace`),
    /** A session's entries with a greater seq, then new ones as they happen; reconnects after a restart of the service. */
    follow: async function* (sessionId: string, after: number, signal?: AbortSignal): AsyncGenerator<TraceEntry> {
      let seen = after;
      const open = (): Promise<Response> =>
        ask(`${sessionPath(sessionId)}/events`, {
          headers: { 'last-event-id': String(seen) },
          ...(signal !== undefined && { signal }),
        });
      for await (const { event, data } of stream(open, signal)) {
        if (event !== 'trace') continue;
        const entry = TraceEntry.parse(JSON.parse(data));
        seen = entry.seq;
        yield entry;
      }
    },
  };
};
