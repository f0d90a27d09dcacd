import { signal } from '@preact/signals';

/** A line that is shown for some seconds at the bottom of the page. */
export interface Notice {
  id: number;
  text: string;
  /** Takes back what the line says, as long as it is shown; null: it cannot be taken back. */
  undo: (() => void) | null;
  isFailure: boolean;
}

/** How long a notice is shown, and how long what it says can be taken back, in milliseconds. */
const SHOWN_MS = 5_000;

/** The notices that are shown, oldest first. */
export const notices = signal<readonly Notice[]>([]);

let lastId = 0;

const remove = (id: number): void => {
  notices.value = notices.peek().filter((notice) => notice.id !== id);
};

/** Shows a line for some seconds. */
export const notify = (text: string, isFailure = false): void => {
  const id = ++lastId;
  notices.value = [...notices.peek(), { id, text, undo: null, isFailure }];
  setTimeout(() => remove(id), SHOWN_MS);
};

/** Things that a delayed act takes away, each as `kind/name`. Lists leave them out. */
const leaving = signal<readonly string[]>([]);

/** Whether this thing is left out of lists, because it was deleted and the service will be told so soon. */
export const isLeaving = (thing: string): boolean => leaving.value.includes(thing);

/** A deletion, which can be taken back until it is sent. */
export interface DelayedAct {
  /** The thing done, as a sentence. */
  text: string;
  /** The things that are gone, each as `kind/name`. */
  things: readonly string[];
  /** Sends it. `isLast`: the page is being left, so its request has to outlive it. */
  send: (isLast: boolean) => Promise<unknown>;
  /** Called when it was taken back. */
  restored?: () => void;
  /** Why it could not be done, in words. */
  failed: (error: unknown) => string;
}

/** Sends the acts that wait, which a page that is being left does at once. */
const waiting = new Map<number, (isLast: boolean) => void>();

addEventListener('pagehide', () => {
  for (const send of waiting.values()) send(true);
});

/** Does something after a few seconds, unless the user takes it back until then. A page that is closed does it at once. */
export const doUnlessUndone = ({ text, things, send, restored, failed }: DelayedAct): void => {
  const id = ++lastId;
  const show = (): void => {
    leaving.value = leaving.peek().filter((thing) => !things.includes(thing));
  };
  const end = (): void => {
    clearTimeout(timer);
    waiting.delete(id);
    remove(id);
  };
  const sendNow = (isLast: boolean): void => {
    end();
    send(isLast)
      .catch((error: unknown) => notify(failed(error), true))
      .finally(show);
  };
  const undo = (): void => {
    end();
    show();
    restored?.();
  };
  const timer = setTimeout(() => sendNow(false), SHOWN_MS);
  waiting.set(id, sendNow);
  leaving.value = [...leaving.peek(), ...things];
  notices.value = [...notices.peek(), { id, text, undo, isFailure: false }];
};

/** Takes back what was done last, if that is possible still. */
export const undoLast = (): void =>
  notices
    .peek()
    .findLast(({ undo }) => undo !== null)
    ?.undo?.();
