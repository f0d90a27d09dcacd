import { CALLBACKS_KEPT } from '../../contracts/limits.ts';
import type { Ledger, Violation } from './ledger.ts';
import type { StoredState } from './stored-state.ts';

/** The id of the callback in which the webhook learns of a finished turn. */
const callbackOf = (turn_id: string): string => `finished-${turn_id}`;

/**
 * Finds finished turns without their callback in the outbox, and callbacks without their finished turn: both are one commit; callbacks that the store takes for delivered and
 * that nobody received; and some that said something else when they were posted again. Where the store keeps as many delivered ones as it may, an older one that was received may be gone.
 */
export const checkCallbacks = (
  { callbacks }: Pick<Ledger, 'callbacks'>,
  { turns, callbacks: stored }: Pick<StoredState, 'turns' | 'callbacks'>,
): Violation[] => {
  const found: Violation[] = [];
  const states = new Map(stored.map(({ id, state }) => [id, state]));
  const isTrimmed = stored.filter(({ state }) => state === 'delivered').length >= CALLBACKS_KEPT / 2;
  const received = new Set(isTrimmed ? callbacks.map(({ id }) => id) : []);
  for (const { key, turn_id, is_finished } of turns) {
    const id = callbackOf(turn_id);
    const isRight = is_finished === 1 ? states.has(id) || received.has(id) : !states.has(id);
    if (!isRight)
      found.push({ rule: 'callbackApart', detail: `${key}: ${turn_id} is ${is_finished ? '' : 'not '}finished` });
  }
  const bodies = new Map<string, string>();
  for (const { id, body } of callbacks) {
    if ((bodies.get(id) ?? body) !== body)
      found.push({ rule: 'callbackChanged', detail: `${id}: ${body.slice(0, 300)}` });
    bodies.set(id, body);
  }
  for (const [id, state] of states)
    if (state === 'delivered' && !bodies.has(id)) found.push({ rule: 'callbackLost', detail: id });
  return found;
};
