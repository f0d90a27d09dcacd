import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventSourceMessage } from 'eventsource-parser';
import { z } from 'zod';
import { Problem, SessionView, type TurnRequest, TurnView } from '../../contracts/http.ts';
import { TraceEntry } from '../../contracts/trace.ts';
import { CommandFailure } from './command-failure.ts';
import { ConnectionLost, eventMessages } from './event-messages.ts';
import { exitCode } from './exit-code.ts';

/** Tries to reach a service again that was reached before, and the pause before each, in milliseconds: a restart fits in. */
const RECONNECTS_MAX = 30;
const RECONNECT_MS = 500;

const ProgressMessage = z.object({ kind: z.string(), text: z.string() });
const EntryMessage = z.object({ task_id: z.string() });

/** Receives the progress of a running turn. */
export interface TurnListener {
  progress(line: { kind: string; text: string }): void;
  /** The task that the turn belongs to, as soon as it is known. */
  task?(taskId: string): void;
}

/** The service as the commands talk to it, over HTTP (SPEC 11). */
export interface Client {
  /** Sends an input and follows it to its end, also over a restart of the service: the input is taken once. */
  turn(sessionId: string, request: TurnRequest, listener: TurnListener, signal?: AbortSignal): Promise<TurnView>;
  /** The current view of a turn. */
  turnOf(turnId: string): Promise<TurnView>;
  cancel(taskId: string): Promise<void>;
  /** Creates a session from a task's history; returns the turn that it will answer. */
  fork(taskId: string, wanted: { at?: number; input?: string; session_id?: string }): Promise<TurnView>;
  /** Null: there is none of that id. */
  session(sessionId: string): Promise<SessionView | null>;
  /** A task's or a session's trace as NDJSON; null: there is none of that id. */
  trace(kind: 'tasks' | 'sessions', id: string): Promise<Response | null>;
  /** A session's entries with a greater seq, then new ones as they happen; reconnects after a restart of the service. */
  follow(sessionId: string, after: number, signal?: AbortSignal): AsyncGenerator<TraceEntry, void, undefined>;
}

const sessionPath = (sessionId: string): string => `sessions/${encodeURIComponent(sessionId)}`;

const refusal = async (response: Response, base: string): Promise<Error> => {
  const problem = Problem.safeParse(await response.json().catch(() => null));
  if (!problem.success) return new CommandFailure(`${base} answered ${response.status}: is that a Tripact service?`);
  const { title, detail, errors = [] } = problem.data;
  if (response.status === 503 && title === 'Shutting down') return new ConnectionLost(detail);
  const text = [detail, ...errors.map(({ path, message }) => `  ${path}: ${message}`)].join('\n');
  const hint = response.status === 401 ? '; the first key of TRIPACT_API_KEYS is the one that is sent' : '';
  return new CommandFailure(`${text}${hint}`, response.status === 400 ? exitCode.usage : exitCode.failed);
};

/** A client for the service at `base`. `key` goes nowhere else. */
export const createClient = (base: string, key: string | null): Client => {
  const root = base.replace(/(?<!\/)\/+$/, '');

  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (key !== null) headers.set('authorization', `Bearer ${key}`);
    try {
      return await fetch(`${root}/v1/${path}`, { ...init, headers });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new ConnectionLost(`Nothing answers at ${root}: is the service running?`);
    }
  };

  const reply = async (path: string, init?: RequestInit): Promise<Response> => {
    const response = await ask(path, init);
    if (response.ok) return response;
    throw await refusal(response, root);
  };

  const found = async (path: string): Promise<Response | null> => {
    const response = await ask(path);
    if (response.ok) return response;
    if (response.status !== 404) throw await refusal(response, root);
    await response.body?.cancel();
    return null;
  };

  /** The messages of a stream that is asked for again each time that the service goes away; not when it was never there. */
  async function* persistently(
    open: () => Promise<Response>,
    signal?: AbortSignal,
  ): AsyncGenerator<EventSourceMessage> {
    for (let triesLeft = 0; ; triesLeft -= 1) {
      try {
        const response = await open();
        triesLeft = RECONNECTS_MAX;
        yield* eventMessages(response);
        throw new ConnectionLost('The service stopped');
      } catch (error) {
        if (!(error instanceof ConnectionLost) || signal?.aborted || triesLeft === 0) throw error;
      }
      await pause(RECONNECT_MS, undefined, { ...(signal !== undefined && { signal }) });
    }
  }

  return {
    turn: async (sessionId, request, listener, signal) => {
      const init: RequestInit = {
        method: 'POST',
        body: JSON.stringify(request),
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          'idempotency-key': randomUUID(),
        },
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
    turnOf: async (turnId) => TurnView.parse(await (await reply(`turns/${encodeURIComponent(turnId)}`)).json()),
    fork: async (taskId, wanted) => {
      const init: RequestInit = {
        method: 'POST',
        body: JSON.stringify(wanted),
        headers: { 'content-type': 'application/json' },
      };
      return TurnView.parse(await (await reply(`tasks/${encodeURIComponent(taskId)}/fork`, init)).json());
    },
    cancel: async (taskId) => {
      await reply(`tasks/${encodeURIComponent(taskId)}/cancel`, { method: 'POST' });
    },
    session: async (sessionId) => {
      const response = await found(sessionPath(sessionId));
      return response === null ? null : SessionView.parse(await response.json());
    },
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
