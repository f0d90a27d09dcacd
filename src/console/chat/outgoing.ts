import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TurnRequest } from '../../../contracts/http.ts';
import { ApiProblem, randomId } from '../api/request.ts';
import { KEY_CHARS, sendTurn } from '../api/routes.ts';
import { messageOf } from '../design/loaded.tsx';
import { texts } from '../files/texts.ts';
import { openDraft } from '../state/remembered.ts';

/** A turn that was sent and is not acknowledged yet. */
interface OutgoingTurn {
  /** Its idempotency key: however often it is sent, it is one turn. */
  key: string;
  body: TurnRequest;
  /** The names of its files; absent: none. Their bytes do not outlive a reload. */
  files?: string[];
  /** Why it was refused; null: it is being sent. */
  problem: string | null;
}

/** The turns of a session that are being sent. This tab keeps them across a reload until they are acknowledged. */
export interface Outgoing {
  readonly turns: ReadonlySignal<readonly OutgoingTurn[]>;
  /** A turn was sent, and the session's field has not taken the focus since: it may still be loading. */
  readonly isFocusDue: Signal<boolean>;
  /** Something was sent from here, so the session is there, or is about to be. */
  readonly wasSent: ReadonlySignal<boolean>;
  /** Sends a turn, repeatedly until the service answers. */
  send(body: TurnRequest, sent?: { key?: string; files?: readonly File[] }): void;
  discard(key: string): void;
}

/** Wait between two attempts while the service does not answer, in milliseconds. */
const RETRY_MS = 1_000;

const known = new Map<string, Outgoing>();

const openOutgoing = (session: string): Outgoing => {
  const stored = openDraft(`outgoing.${session}`);
  const turns = computed((): OutgoingTurn[] => JSON.parse(stored.value || '[]'));
  const without = (key: string): OutgoingTurn[] => turns.peek().filter((turn) => turn.key !== key);
  const set = (next: OutgoingTurn[]): void => {
    stored.value = next.length === 0 ? '' : JSON.stringify(next);
  };
  /** The files of the turns of this page, by their keys. */
  const held = new Map<string, readonly File[]>();
  const deliver = async (turn: OutgoingTurn): Promise<void> => {
    const { key, body } = turn;
    const files = held.get(key);
    if (turn.files !== undefined && files === undefined)
      return set([...without(key), { ...turn, problem: texts.value.lost }]);
    while (turns.peek().some((turn) => turn.key === key)) {
      try {
        await sendTurn(session, body, key, files);
        held.delete(key);
        set(without(key));
      } catch (error) {
        // Without a key it waits until the user enters one.
        const isUnanswered = error instanceof ApiProblem && [0, 401, 503].includes(error.status);
        if (!isUnanswered) return set([...without(key), { ...turn, problem: messageOf(error) }]);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  };
  for (const turn of turns.peek()) if (turn.problem === null) void deliver(turn);
  const isFocusDue = signal(false);
  const wasSent = signal(turns.peek().length > 0);
  return {
    turns,
    isFocusDue,
    wasSent,
    send: (body, { key = randomId(KEY_CHARS), files = held.get(key) } = {}) => {
      const names = (files ?? []).map(({ name }) => name);
      if (files !== undefined && names.length > 0) held.set(key, files);
      const known = turns.peek().find((turn) => turn.key === key)?.files;
      const turn = { key, body, problem: null, ...((known ?? names).length > 0 && { files: known ?? names }) };
      set([...without(key), turn]);
      isFocusDue.value = true;
      wasSent.value = true;
      void deliver(turn);
    },
    discard: (key) => {
      held.delete(key);
      set(without(key));
    },
  };
};

/** The outgoing turns of a session, shared by everything that sends or shows them. */
export const outgoingOf = (session: string): Outgoing => {
  const outgoing = known.get(session) ?? openOutgoing(session);
  known.set(session, outgoing);
  return outgoing;
};
