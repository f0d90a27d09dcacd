import { effect, signal } from '@preact/signals';

/** The API key that requests show; null: none. It lives in the memory of this tab alone, and is gone with a reload. */
export const apiKey = signal<string | null>(null);

/** A request was refused for want of a key, or for a wrong one: the page asks for one. */
export const isKeyNeeded = signal(false);

/** The key that was refused is a front end's, which stands for nobody by itself. */
export const isFrontEndsKey = signal(false);

/** Takes a key that the user gave; the requests that wait for one are sent again with it. */
export const giveKey = (key: string): void => {
  isKeyNeeded.value = false;
  isFrontEndsKey.value = false;
  apiKey.value = key;
};

/** Asks the user for a key, and resolves once there is another one than the refused one. Rejects when `signal` aborts. */
export const untilOtherKey = (refused: string | null, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (apiKey.peek() === refused) isKeyNeeded.value = true;
    const stop = effect(() => {
      if (apiKey.value !== refused) resolve();
    });
    signal?.addEventListener('abort', () => {
      stop();
      reject(signal.reason);
    });
  });
