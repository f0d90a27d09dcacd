import { signal } from '@preact/signals';

/** The names of the sessions that are chosen in the list; null: one opens sessions there, and chooses none. */
export const chosenSessions = signal<ReadonlySet<string> | null>(null);

/** Begins to choose sessions, or opens them again. */
export const choosesSessions = (does: boolean): void => {
  chosenSessions.value = does ? new Set() : null;
};

/** Chooses a session, or gives it up again. */
export const toggleChosen = (session: string): void => {
  const chosen = new Set(chosenSessions.peek());
  if (!chosen.delete(session)) chosen.add(session);
  chosenSessions.value = chosen;
};
