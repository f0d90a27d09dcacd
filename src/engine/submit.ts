import { ServiceError } from '../lib/errors.ts';
import type { SessionStore } from '../store/port.ts';
import type { Decision } from './change.ts';
import { newId } from './new-id.ts';
import type { Submitted } from './port.ts';
import type { SessionInput, TaskDefaults } from './session-input.ts';
import type { SessionKey } from './session-key.ts';
import type { SubmittedTurn } from './submitted-turn.ts';
import { bodyHash, turnsOf } from './turn-views.ts';

interface Parts {
  store: Pick<SessionStore, 'turnByKey' | 'quotaOf'>;
  post(key: SessionKey, timezone: string, input: SessionInput): Promise<Decision>;
  defaults: TaskDefaults;
  hostTimezone: string;
  now(): number;
}

/** Creates the function that submits turns: each gets an id, and goes to its session's actor; a repeated key returns the stored turn. */
export const createSubmit = ({ store, post, hostTimezone, now }: Parts) => {
  const repeated = async (turn: SubmittedTurn): Promise<Submitted | null> => {
    if (turn.idempotency_key === undefined) return null;
    const known = await store.turnByKey(turn.owner, turn.idempotency_key);
    if (known === null) return null;
    if (known.body_hash === bodyHash(turn)) return { turn: known.turn, isNew: false };
    throw new ServiceError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used with another body; send a new key with a new request',
    );
  };

  return async (turn: SubmittedTurn): Promise<Submitted> => {
    const known = await repeated(turn);
    if (known !== null) return known;
    const quota = await store.quotaOf(turn.owner);
    const turn_id = newId('turn', now());
    try {
      const decision = await post(turn, turn.timezone ?? hostTimezone, {
        type: 'turn',
        // A text of its own: one that was cut out of a body would keep all of it in memory for as long as the turn runs.
        turn: { ...turn, input: structuredClone(turn.input), turn_id },
        task_id: newId('task', now()),
        cameWhileRunning: false,
        turnsPerDay: quota?.turns_per_day ?? null,
      });
      const stored = turnsOf(decision).find(({ id }) => id === turn_id);
      if (stored === undefined) throw new Error(`turn ${turn_id} was committed and is not there`);
      return { turn: stored, isNew: true };
    } catch (error) {
      // Another request with this key may have been stored while this one was in flight; both get that turn.
      const winner = await repeated(turn);
      if (winner === null) throw error;
      return winner;
    }
  };
};
