import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type CallbackState, CallbackView } from '../../contracts/callback.ts';
import { SessionView, ToolView, type TurnRequest, type WaitingState, WaitingTask } from '../../contracts/http.ts';
import { TraceEntry } from '../../contracts/trace.ts';
import { TaskView, TurnView } from '../../contracts/turn-view.ts';
import type { Page } from '../lib/page.ts';
import type { Connection } from './connection.ts';
import { ConnectionLost } from './connection-lost.ts';
import { readReply } from './read-reply.ts';
import { createRequests } from './requests.ts';

const ProgressMessage = z.object({ kind: z.string(), text: z.string() });
const EntryMessage = z.object({ task_id: z.string() });

const SessionsReply = z.object({ sessions: z.array(SessionView), next: z.string().nullable() });
const TasksReply = z.object({ tasks: z.array(TaskView), next: z.string().nullable() });
const WaitingReply = z.object({ tasks: z.array(WaitingTask), next: z.string().nullable() });
const CallbacksReply = z.object({ callbacks: z.array(CallbackView), next: z.string().nullable() });
const ToolsReply = z.object({ tools: z.array(ToolView) });

/** Receives the progress of a running turn. */
export interface TurnListener {
  progress(line: { kind: string; text: string }): void;
  /** The task that the turn belongs to, as soon as it is known. */
  task?(taskId: string): void;
}

/** Which page of a list is wanted; what is left out is the service's choice. */
export interface PageWanted {
  limit?: number;
  cursor?: string;
}

/** The service as the commands talk to it, over HTTP (SPEC 11). */
export interface Client {
  /** Sends an input and follows it to its end, also over a restart of the service: the input is taken once. */
  turn(sessionId: string, request: TurnRequest, listener: TurnListener, signal?: AbortSignal): Promise<TurnView>;
  /** The current view of a turn. */
  turnOf(turnId: string): Promise<TurnView>;
  cancel(taskId: string): Promise<TaskView>;
  /** Creates a session from a task's history; returns the turn that it will answer. */
  fork(taskId: string, wanted: { at?: number; input?: string; session_id?: string }): Promise<TurnView>;
  /** Null: there is none of that id. */
  session(sessionId: string): Promise<SessionView | null>;
  /** Null: there is none of that id. */
  task(taskId: string): Promise<TaskView | null>;
  /** The owner's sessions, the most recently used first. */
  sessions(page: PageWanted): Promise<Page<SessionView>>;
  /** A session's tasks in the order in which they were opened. */
  tasks(sessionId: string, page: PageWanted): Promise<Page<TaskView>>;
  /** The tasks that wait for their owner in these states, longest first. */
  waiting(states: readonly WaitingState[], page: PageWanted): Promise<Page<WaitingTask>>;
  /** What is to be posted to programs, was delivered or was given up, newest first; undefined: all of it. */
  callbacks(state: CallbackState | undefined, page: PageWanted): Promise<Page<CallbackView>>;
  /** Has one posted now. */
  resendCallback(id: string): Promise<CallbackView>;
  /** The tools that the service has. */
  tools(): Promise<ToolView[]>;
  /** A task's or a session's trace as NDJSON; null: there is none of that id. */
  trace(kind: 'tasks' | 'sessions', id: string): Promise<Response | null>;
  /** A session's entries with a greater seq, then new ones as they happen; reconnects after a restart of the service. */
  follow(sessionId: string, after: number, signal?: AbortSignal): AsyncGenerator<TraceEntry, void, undefined>;
}

const JSON_BODY = { 'content-type': 'application/json' };

const sessionPath = (sessionId: string): string => `sessions/${encodeURIComponent(sessionId)}`;
const taskPath = (taskId: string): string => `tasks/${encodeURIComponent(taskId)}`;

const queryOf = (given: Record<string, string | number | undefined>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
};

/** A client for the service of a connection. `key` goes nowhere else. */
export const createClient = (connection: Connection, key: string | null): Client => {
  const { reply, insist, view, found, persistently } = createRequests(connection, key);

  return {
    turn: async (sessionId, request, listener, signal) => {
      const init: RequestInit = {
        method: 'POST',
        body: JSON.stringify(request),
        headers: { ...JSON_BODY, accept: 'text/event-stream', 'idempotency-key': randomUUID() },
        ...(signal !== undefined && { signal }),
      };
      let seen = 0;
      let shownSeq = 0;
      const open = (): Promise<Response> => {
        // A stream that is opened again starts at the start of the turn.
        shownSeq = seen;
        return reply(`${sessionPath(sessionId)}/turns`, init);
      };
      for await (const { id, event, data } of persistently(open, signal)) {
        const message: unknown = JSON.parse(data);
        if (event === 'turn') return TurnView.parse(message);
        seen = Number(id ?? seen);
        if (id === undefined || seen <= shownSeq) continue;
        if (event === 'progress') listener.progress(ProgressMessage.parse(message));
        if (event === 'trace') listener.task?.(EntryMessage.parse(message).task_id);
      }
      throw new ConnectionLost('The service stopped');
    },
    turnOf: async (turnId) => readReply(await insist(`turns/${encodeURIComponent(turnId)}`), TurnView),
    fork: async (taskId, wanted) => {
      const init: RequestInit = { method: 'POST', body: JSON.stringify(wanted), headers: JSON_BODY };
      return readReply(await reply(`${taskPath(taskId)}/fork`, init), TurnView);
    },
    cancel: async (taskId) => readReply(await insist(`${taskPath(taskId)}/cancel`, { method: 'POST' }), TaskView),
    session: (sessionId) => view(sessionPath(sessionId), SessionView),
    task: (taskId) => view(taskPath(taskId), TaskView),
    sessions: async ({ limit, cursor }) => {
      const reply = await insist(`sessions${queryOf({ limit, cursor })}`);
      const { sessions, next } = await readReply(reply, SessionsReply);
      return { items: sessions, next };
    },
    tasks: async (sessionId, { limit, cursor }) => {
      const reply = await insist(`${sessionPath(sessionId)}/tasks${queryOf({ limit, cursor })}`);
      const { tasks, next } = await readReply(reply, TasksReply);
      return { items: tasks, next };
    },
    waiting: async (states, { limit, cursor }) => {
      const reply = await insist(`tasks${queryOf({ state: states.join(','), limit, cursor })}`);
      const { tasks, next } = await readReply(reply, WaitingReply);
      return { items: tasks, next };
    },
    callbacks: async (state, { limit, cursor }) => {
      const reply = await insist(`callbacks${queryOf({ state, limit, cursor })}`);
      const { callbacks, next } = await readReply(reply, CallbacksReply);
      return { items: callbacks, next };
    },
    resendCallback: async (id) =>
      readReply(await insist(`callbacks/${encodeURIComponent(id)}/resend`, { method: 'POST' }), CallbackView),
    tools: async () => (await readReply(await insist('tools'), ToolsReply)).tools,
    trace: (kind, id) => found(`${kind}/${encodeURIComponent(id)}/trace`),
    follow: async function* (sessionId, after, signal) {
      let seen = after;
      const open = (): Promise<Response> =>
        reply(`${sessionPath(sessionId)}/events`, {
          headers: { 'last-event-id': String(seen) },
          ...(signal !== undefined && { signal }),
        });
      for await (const { event, data } of persistently(open, signal)) {
        if (event !== 'trace') continue;
        const entry = TraceEntry.parse(JSON.parse(data));
        seen = entry.seq;
        yield entry;
      }
    },
  };
};
