import { setTimeout as sleep } from 'node:timers/promises';
import type { ApprovalDecision } from '../../contracts/event.ts';
import type { SessionView } from '../../contracts/http.ts';
import type { TaskView, TurnView } from '../../contracts/turn-view.ts';
import type { Ledger, SentTurn } from './ledger.ts';
import type { Moment, Moments } from './moments.ts';
import type { ServiceProcess } from './service-process.ts';

/** How long a client waits before it retries a refused request, in milliseconds. */
const RETRY_MS = 20;

/** How long a client waits for an answer before it asks again, in milliseconds: longer than any running turn. */
const ANSWER_MS_MAX = 20_000;

/** A request of a client. */
export interface TurnToSend {
  input: string;
  on_busy?: 'enqueue' | 'steer';
  confirm_plan?: boolean;
}

/** A caller that never gives up: it sends until it is acknowledged, across every crash. */
export interface Client {
  /** Sends a turn under its own key. Resolves to the finished turn. `isAsync` asks for a 202 first. */
  turn(session_id: string, turn: TurnToSend, how: { isAsync: boolean; moment: Moment }): Promise<TurnView>;
  /**
   * Sends a decision on the pending action, and resolves to its finished turn; null if it was refused because no action
   * is pending.
   */
  decide(session_id: string, decision: ApprovalDecision): Promise<TurnView | null>;
  /** Sends one request that may come too late. Returns its status. */
  attempt(method: string, path: string, body?: object): Promise<number>;
  /** Cancels the session's active task by its id, if it has one. */
  cancelActive(session_id: string): Promise<void>;
}

interface ClientParts {
  service: Pick<ServiceProcess, 'url'>;
  ledger: Ledger;
  moments: Moments;
  /** The caller's key; default: none. */
  apiKey?: string;
  /** Where finished turns are posted; default: nowhere. */
  callbackUrl?: string;
}

/** Creates a client. A response is in the ledger before anything else happens. */
export const createClient = ({ service, ledger, moments, apiKey, callbackUrl }: ClientParts): Client => {
  let keys = 0;
  const nextKey = (): string => {
    keys += 1;
    return `${apiKey ?? ''}key-${keys}`;
  };

  /** Sends one request, again to the next process if this one is killed meanwhile. Also retries a 503 and a 429. */
  const untilAnswered = async (path: string, init: () => RequestInit): Promise<{ status: number; text: string }> => {
    for (;;) {
      const url = await service.url();
      try {
        const given = init();
        const response = await fetch(url + path, {
          ...given,
          headers: { ...given.headers, ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
          signal: AbortSignal.timeout(ANSWER_MS_MAX),
        });
        const answered = { status: response.status, text: await response.text() };
        if (answered.status !== 503 && answered.status !== 429) return answered;
      } catch {
        // The connection broke, so the process has exited or is about to.
      }
      await sleep(RETRY_MS);
    }
  };

  const refuse = (what: string, { status, text }: { status: number; text: string }): never => {
    const detail = `${what}: ${status} ${text.slice(0, 300)}`;
    ledger.violations.push({ rule: 'requestRefused', detail });
    throw new Error(detail);
  };

  const acknowledge = (sent: SentTurn, view: TurnView): void => {
    const { key, turn_id, reply } = sent;
    if (turn_id === null) moments.passed('turn-acknowledged');
    sent.turn_id ??= view.id;
    if (view.id !== sent.turn_id)
      ledger.violations.push({ rule: 'turnTwice', detail: `${key} gave ${turn_id}, then ${view.id}` });
    if (view.finished_at === null) return;
    sent.reply ??= view;
    if (reply !== null && JSON.stringify(reply) !== JSON.stringify(view))
      ledger.violations.push({ rule: 'replyChanged', detail: `${key}: ${JSON.stringify(view).slice(0, 300)}` });
  };

  return {
    turn: async (session_id, turn, { isAsync, moment }) => {
      const sent: SentTurn = { key: nextKey(), session_id, input: turn.input, turn_id: null, reply: null };
      ledger.turns.push(sent);
      let prefersAsync = isAsync;
      for (;;) {
        const answered = await untilAnswered(`/v1/sessions/${session_id}/turns`, () => {
          moments.passed(moment);
          return {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'idempotency-key': sent.key,
              ...(prefersAsync && { prefer: 'respond-async' }),
            },
            body: JSON.stringify({ ...turn, callback_url: callbackUrl }),
          };
        });
        if (answered.status !== 200 && answered.status !== 202) return refuse(`${sent.key} "${turn.input}"`, answered);
        const view = JSON.parse(answered.text) as TurnView;
        acknowledge(sent, view);
        if (view.finished_at !== null) return view;
        prefersAsync = false;
      }
    },
    decide: async (session_id, decision) => {
      const key = nextKey();
      for (;;) {
        const answered = await untilAnswered(`/v1/sessions/${session_id}/turns`, () => {
          moments.passed('answer-sent');
          return {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'idempotency-key': key },
            body: JSON.stringify({ decision }),
          };
        });
        // 404: it was accepted, and its session removed before the reply.
        if (answered.status === 409 || answered.status === 404) return null;
        if (answered.status !== 200 && answered.status !== 202) return refuse(`${key} ${decision.type}`, answered);
        const view = JSON.parse(answered.text) as TurnView;
        if (view.finished_at === null) continue;
        const sent: SentTurn = { key, session_id, input: view.input, turn_id: null, reply: null };
        ledger.turns.push(sent);
        acknowledge(sent, view);
        return view;
      }
    },
    attempt: async (method, path, body) => {
      const answered = await untilAnswered(path, () => ({
        method,
        ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      }));
      const { status } = answered;
      return status < 300 || status === 404 || status === 409 ? status : refuse(`${method} ${path}`, answered);
    },
    cancelActive: async (session_id) => {
      const path = `/v1/sessions/${session_id}`;
      const read = await untilAnswered(path, () => ({}));
      if (read.status === 404) return;
      if (read.status !== 200) return refuse(`GET ${path}`, read);
      const task = (JSON.parse(read.text) as SessionView).active_task;
      if (task === null) return;
      const cancelled = await untilAnswered(`/v1/tasks/${task.id}/cancel`, () => {
        moments.passed('cancel-sent');
        return { method: 'POST' };
      });
      // 409: it had ended meanwhile, by itself or by the attempt whose reply the crash swallowed.
      if (cancelled.status === 409) return;
      if (cancelled.status !== 200) return refuse(`cancel ${task.id}`, cancelled);
      const { state } = JSON.parse(cancelled.text) as TaskView;
      if (state === 'cancelled') ledger.cancelled.add(task.id);
    },
  };
};
