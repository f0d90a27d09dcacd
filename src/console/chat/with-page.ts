import type { TurnView } from '../../../contracts/turn-view.ts';

/** The known turns with a newer page, which has the newest one first. */
export const withPage = (known: readonly TurnView[], page: readonly TurnView[]): TurnView[] => {
  const ids = new Set(page.map(({ id }) => id));
  return [...known.filter(({ id }) => !ids.has(id)), ...page.toReversed()];
};
