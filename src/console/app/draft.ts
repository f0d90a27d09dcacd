import { type Signal, signal } from '@preact/signals';

/** An unsent text, kept in this tab over a reload. */
export interface Draft {
  readonly text: Signal<string>;
  set(text: string): void;
}

const open = new Map<string, Draft>();

const create = (field: string): Draft => {
  const name = `tripact.console.draft.${field}`;
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

/** The draft of a field by its name, such as the session that it is written to: the same one for all that show it. */
export const openDraft = (field: string): Draft => {
  const draft = open.get(field) ?? create(field);
  open.set(field, draft);
  return draft;
};
