import { type ReadonlySignal, signal } from '@preact/signals';
import type { TurnRequest } from '../../../contracts/http.ts';
import { ApiProblem, randomId } from '../api/request.ts';
import { sendTurn } from '../api/routes.ts';
import { messageOf } from '../design/loaded.tsx';

/** A turn that was sent and is not acknowledged. */
export interface OutgoingTurn {
  /** Its idempotency key: however often it is sent, it is one turn. */
  key: string;
  body: TurnRequest;
  /** Why it was refused; null: it is being sent. */
  problem: string | null;
}

/** The turns of a session that are being sent, kept in this tab over a reload until they are acknowledged. */
export interface Outgoing {
  readonly turns: ReadonlySignal<readonly OutgoingTurn[]>;
  /** Sends a turn; one that the service does not answer is sent again until it does. */
  send(body: TurnRequest): void;
  sendAgain(key: string): void;
  discard(key: string): void;
  stop(): void;
}

/** Length of an idempotency key. */
const KEY_CHARS = 24;

/** Waits between two tries while the service does not answer, in milliseconds. */
const RETRY_MS = 1_000;

const stored = (name: string): OutgoingTurn[] => {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '[]');
  } catch {
    return [];
  }
};

/** `onTaken` is called once a turn is on the service's disk. */
export const createOutgoing = (session: string, onTaken: () => void): Outgoing => {
  const name = `tripact.console.outgoing.${session}`;
  const turns = signal<readonly OutgoingTurn[]>(stored(name));
  let isStopped = false;
  const set = (next: readonly OutgoingTurn[]): void => {
    turns.value = next;
    try {
      if (next.length === 0) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, JSON.stringify(next));
    } catch {}
  };
  const remove = (key: string): void => set(turns.peek().filter((turn) => turn.key !== key));
  const mark = (key: string, problem: string | null): void =>
    set(turns.peek().map((turn) => (turn.key === key ? { ...turn, problem } : turn)));

  const deliver = async ({ key, body }: OutgoingTurn): Promise<void> => {
    while (!isStopped && turns.peek().some((turn) => turn.key === key)) {
      try {
        await sendTurn(session, body, key);
        remove(key);
        return onTaken();
      } catch (error) {
        const isUnanswered = error instanceof ApiProblem && (error.status === 0 || error.status === 503);
        if (!isUnanswered) return mark(key, messageOf(error));
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  };

  for (const turn of turns.peek()) if (turn.problem === null) void deliver(turn);
  return {
    turns,
    send: (body) => {
      const turn = { key: randomId(KEY_CHARS), body, problem: null };
      set([...turns.peek(), turn]);
      void deliver(turn);
    },
    sendAgain: (key) => {
      const turn = turns.peek().find((each) => each.key === key);
      if (turn === undefined) return;
      mark(key, null);
      void deliver({ ...turn, problem: null });
    },
    discard: remove,
    stop: () => {
      isStopped = true;
    },
  };
};
