import { randomUUID } from 'node:crypto';
import { isContinuePhrase } from '../../machines/phrases.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Store } from '../store/port.ts';
import type { Decision } from './change.ts';
import type { Submitted } from './port.ts';
import type { SessionKey, SubmittedTurn } from './session-image.ts';
import type { LeftPlan, SessionInput } from './session-input.ts';
import { bodyHash, turnIn } from './turn-views.ts';

/** Characters of base 36 that hold a time in milliseconds until the year 5188. */
const TIME_CHARS = 9;

/** Characters that make an id one of 36^17, so that it is neither guessed nor made twice: 26 in all with the time's. */
const RANDOM_CHARS = 17;

/** 96 bits of a UUID that are random throughout; Node makes many of them at once, which is faster than random bytes for each. */
const randomChars = (): string => {
  const uuid = randomUUID();
  return BigInt(`0x${uuid.slice(0, 8)}${uuid.slice(9, 13)}${uuid.slice(-12)}`)
    .toString(36)
    .padStart(RANDOM_CHARS, '0')
    .slice(-RANDOM_CHARS);
};

/** A new id, such as `task_0mh2k…`: sorts by the time it was made, and can't be guessed. */
export const newId = (prefix: 'task' | 'turn', now: number): string =>
  `${prefix}_${now.toString(36).padStart(TIME_CHARS, '0')}${randomChars()}`;

interface Parts {
  store: Pick<Store, 'turn' | 'access'>;
  post(key: SessionKey, timezone: string, input: SessionInput): Promise<Decision>;
  leftPlan(key: SessionKey): LeftPlan | undefined;
  hostTimezone: string;
  now(): number;
}

/** Creates the function that submits turns: each gets an id, and goes to its session's actor; a repeated key returns the stored turn. */
export const createSubmit = ({ store, post, leftPlan, hostTimezone, now }: Parts) => {
  const repeated = async (turn: SubmittedTurn): Promise<Submitted | null> => {
    if (turn.idempotency_key === undefined) return null;
    const known = await store.turn(turn.owner, 'key', turn.idempotency_key);
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
    const quota = await store.access.quotas.of(turn.owner);
    const turn_id = newId('turn', now());
    try {
      const decision = await post(turn, turn.timezone ?? hostTimezone, {
        type: 'turn',
        // A text of its own: one that was cut out of a body would keep all of it in memory for as long as the turn runs.
        turn: { ...turn, input: structuredClone(turn.input), turn_id },
        task_id: newId('task', now()),
        cameWhileRunning: false,
        leftPlan: isContinuePhrase(turn.input) ? leftPlan(turn) : undefined,
        turnsPerDay: quota?.turns_per_day ?? null,
      });
      return { turn: turnIn(decision, turn_id), isNew: true };
    } catch (error) {
      // Another request with this key may have been stored while this one was in flight; both get that turn.
      const winner = await repeated(turn);
      if (winner === null) throw error;
      return winner;
    }
  };
};
