import { effect, type Signal, signal } from '@preact/signals';

const known = new Map<string, Signal<string>>();

const tried = <Value>(use: () => Value): Value | null => {
  try {
    return use();
  } catch {
    return null;
  }
};

/** A text that the browser stores under a name, shared by all callers. Not stored if its storage is off or full. */
const kept = (area: 'localStorage' | 'sessionStorage', name: string, otherwise: string): Signal<string> => {
  const key = `tripact.console.${name}`;
  const open = known.get(key);
  if (open !== undefined) return open;
  const text = signal(tried(() => globalThis[area].getItem(key)) ?? otherwise);
  known.set(key, text);
  effect(() => {
    const { value } = text;
    tried(() => (value === otherwise ? globalThis[area].removeItem(key) : globalThis[area].setItem(key, value)));
  });
  return text;
};

/** A choice that this browser remembers. Never holds a key or anything of a session. */
export const remembered = <Choice extends string>(name: string, otherwise: Choice) =>
  kept('localStorage', name, otherwise) as Signal<Choice>;

/** A text of this tab that survives a reload, such as the unsent text of a field. */
export const openDraft = (field: string): Signal<string> => kept('sessionStorage', `draft.${field}`, '');
