import type { ChatWindow, Seen } from './chat-window.ts';

/** A chat's messages of the bot. */
export interface Screen extends Pick<ChatWindow, 'seen' | 'until'> {
  post(message: Pick<Seen, 'id' | 'text' | 'buttons'> & Partial<Seen>): void;
  edit(message: Pick<Seen, 'id' | 'text' | 'buttons'>): void;
}

/** Longest time until something is shown, in milliseconds. */
const SHOWN_MS_MAX = 20_000;

export const createScreen = (): Screen => {
  const messages: Seen[] = [];
  const waiting = new Set<() => void>();
  const changed = (): void => {
    for (const check of [...waiting]) check();
  };
  return {
    seen: () => structuredClone(messages),
    post: (message) => {
      messages.push({ only: null, edits: 0, ...message });
      changed();
    },
    edit: (message) => {
      const of = messages.find(({ id }) => id === message.id);
      if (of === undefined) throw new Error(`there is no message ${message.id}`);
      Object.assign(of, message, { edits: of.edits + 1 });
      changed();
    },
    until: (find) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`it is not shown: ${find}\n${JSON.stringify(messages, null, 1)}`));
        }, SHOWN_MS_MAX);
        const check = (): void => {
          const found = find(structuredClone(messages));
          if (found === undefined) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
  };
};
