import { type Signal, signal } from '@preact/signals';

/** A choice that this browser remembers; nothing is remembered where its storage is off. */
export interface Remembered {
  read(): string | null;
  write(value: string): void;
}

/** A remembered choice by its name. Never holds a key or anything of a session. */
export const remembered = (name: string): Remembered => {
  const key = `tripact.console.${name}`;
  return {
    read: () => {
      try {
        return localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    write: (value) => {
      try {
        localStorage.setItem(key, value);
      } catch {}
    },
  };
};

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
