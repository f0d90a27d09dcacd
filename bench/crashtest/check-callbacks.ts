import type { Ledger, Violation } from './ledger.ts';
import type { StoredState } from './stored-state.ts';

/** The id of the callback that reports a finished turn to the webhook. */
const callbackOf = (turn_id: string): string => `finished-${turn_id}`;

/**
 * Finds finished turns without their callback in the outbox, and callbacks without their finished turn (both are one
 * commit); callbacks that the store counts as delivered and nobody received; and callbacks whose content differed when
 * they were posted again.
 */
export const checkCallbacks = (
  { callbacks }: Pick<Ledger, 'callbacks'>,
  { turns, callbacks: stored }: Pick<StoredState, 'turns' | 'callbacks'>,
): Violation[] => {
  const found: Violation[] = [];
  const states = new Map(stored.map(({ id, state }) => [id, state]));
  for (const { key, turn_id, is_finished } of turns)
    if (states.has(callbackOf(turn_id)) !== (is_finished === 1))
      found.push({ rule: 'callbackApart', detail: `${key}: ${turn_id} is ${is_finished ? '' : 'not '}finished` });
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
