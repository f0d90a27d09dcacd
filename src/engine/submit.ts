import { isContinuePhrase } from '../../machines/phrases.ts';
import { ServiceError } from '../lib/errors.ts';
import { queueByKey } from '../lib/queue-by-key.ts';
import { KeyTaken } from '../store/port.ts';
import { newId } from './new-id.ts';
import type { Submitted } from './port.ts';
import type { EngineParts, RunningSessions } from './running-sessions.ts';
import { keyText, type SubmittedTurn } from './session-image.ts';
import type { IncomingTurn } from './session-input.ts';
import { bodyHash, turnIn } from './turn-views.ts';

/** Creates the function that submits turns: each gets an id, and goes to its session's actor; a repeated key returns the stored turn. */
export const createSubmit = (
  { leftPlan, hostTimezone, now, store: { access } }: EngineParts,
  { post, shown }: RunningSessions,
) => {
  const repeated = async (turn: SubmittedTurn): Promise<Submitted | null> => {
    if (turn.idempotency_key === undefined) return null;
    const known = await shown.turn(turn.owner, 'key', turn.idempotency_key);
    if (known === null) return null;
    if (known.body_hash === bodyHash(turn)) return { turn: known.turn, isNew: false };
    throw new ServiceError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used with another body; send a new key with a new request',
    );
  };

  /** Keeps the turns of a session in the order in which they came: reads before a post take longer for some turns. */
  const inOrder = queueByKey();
  const looked = async (turn: SubmittedTurn) => {
    const known = await repeated(turn);
    if (known !== null) return known;
    const left = isContinuePhrase(turn.input) ? await leftPlan?.(turn) : undefined;
    return { left, quota: await access.quotas.of(turn.owner) };
  };

  const submit = async (turn: SubmittedTurn): Promise<Submitted> => {
    const found = await inOrder(keyText(turn), () => looked(turn));
    if (!('quota' in found)) return found;
    const turn_id = newId('turn', now());
    const input: IncomingTurn = {
      type: 'turn',
      // A text of its own: one that was cut out of a body would keep all of it in memory for as long as the turn runs.
      turn: { ...turn, input: structuredClone(turn.input), turn_id },
      task_id: newId('task', now()),
      cameWhileRunning: false,
      leftPlan: found.left,
      turnsPerDay: found.quota?.turns_per_day ?? null,
    };
    try {
      const decision = await post(turn, input, turn.timezone ?? hostTimezone);
      return { turn: turnIn(decision, turn_id), isNew: true };
    } catch (error) {
      // Another request with this key may have been stored while this one was in flight; both get that turn.
      const winner = await repeated(turn);
      if (winner !== null) return winner;
      // That turn was removed by now.
      if (error instanceof KeyTaken) return submit(turn);
      throw error;
    }
  };
  return submit;
};
