import type { Effect } from '../../../contracts/event.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';

/** Which part of its task's work an entry belongs to. */
export type Part = 'planning' | 'item' | 'replanning' | 'verifying';

/** A run of entries of the same part, as the timeline groups them. */
export interface Place {
  part: Part;
  /** The plan item's id; null: an empty plan, or another part. */
  item: string | null;
  /** The round on the item, or the number of the replan or verification; from 1. */
  round: number;
}

const FIRST: Place = { part: 'planning', item: null, round: 1 };

const roundsOf = (effect: Effect, rounds: Map<string, number>): Place | null => {
  const next = (part: Part, item: string | null): Place => {
    const key = `${part} ${item}`;
    const round = (rounds.get(key) ?? 0) + 1;
    rounds.set(key, round);
    return { part, item, round };
  };
  switch (effect.type) {
    case 'model.plan':
      return next('planning', null);
    case 'model.thought':
      return next('item', effect.params.item_id);
    case 'model.replan':
      return next('replanning', null);
    case 'verify.run':
      return next('verifying', null);
    // Acts within the round of its thought.
    case 'tool.call':
      return null;
    default:
      return effect satisfies never;
  }
};

/**
 * Says entry by entry where in its task's work it belongs: with the effect that was asked for before it. Reads what the entries say, and folds
 * nothing. To be given every entry of one task, in order; gives the same object as long as the place is the same.
 */
export const createPlaces = (): ((entry: TraceEntry) => Place) => {
  const rounds = new Map<string, number>();
  let place = FIRST;
  return ({ event, effects }) => {
    if (event.type === 'task.opened') rounds.clear();
    const own = event.type === 'task.opened' ? FIRST : place;
    place = own;
    for (const effect of effects) place = roundsOf(effect, rounds) ?? place;
    // The first plan is asked for by the entry that opens the task.
    if (place.part === 'planning' && place.round === 1) place = FIRST;
    return own;
  };
};
