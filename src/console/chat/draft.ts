import { type Signal, signal } from '@preact/signals';

/** What is being written to a session, kept in this tab over a reload. */
export interface Draft {
  readonly text: Signal<string>;
  set(text: string): void;
}

/** Opens the draft of a session. */
export const openDraft = (session: string): Draft => {
  const name = `tripact.console.draft.${session}`;
  const stored = (): string => {
    try {
      return sessionStorage.getItem(name) ?? '';
    } catch {
      return '';
    }
  };
  const text = signal(stored());
  return {
    text,
    set: (next) => {
      text.value = next;
      try {
        if (next === '') sessionStorage.removeItem(name);
        else sessionStorage.setItem(name, next);
      } catch {}
    },
  };
};
