import type { AnswerNews } from '../../contracts/stream.ts';
import type { Decision } from './change.ts';
import { createNotices } from './notices.ts';
import { keyText, type SessionKey } from './session-image.ts';

interface LiveAnswer {
  readonly task_id: string;
  /** Counts the answers that were written while somebody watched. */
  readonly attempt: number;
  readonly pieces: string[];
  isRetracted: boolean;
}

/** Takes an answer while a model writes it. */
export interface AnswerSink {
  add(text: string): void;
  /** Retracts the text of this attempt; text added next is another attempt. */
  retract(): void;
  text(): string;
}

interface Watched {
  watchers: number;
  attempts: number;
  live: LiveAnswer | null;
}

/** Keeps the answers that models are writing, for those who watch a session, in memory alone: the stored answer is the truth. */
export const createLiveAnswers = () => {
  const watched = new Map<string, Watched>();
  const notices = createNotices<void>();

  const retract = (key: string, live: LiveAnswer): void => {
    live.isRetracted = true;
    notices.notify(key, undefined);
  };

  return {
    /** Begins to watch a session. `news` gives what came since it was last asked, `next` resolves when there is more; `close` ends it. */
    watch: (session: SessionKey) => {
      const key = keyText(session);
      const found = watched.get(key) ?? { watchers: 0, attempts: 0, live: null };
      watched.set(key, found);
      found.watchers += 1;
      let shown: LiveAnswer | null = null;
      let count = 0;
      return {
        next: (signal: AbortSignal): Promise<void> => notices.next(key, signal),
        *news(): Generator<AnswerNews> {
          if (shown?.isRetracted) {
            const { task_id, attempt } = shown;
            shown = null;
            if (count > 0) yield { event: 'answer.retracted', data: { task_id, attempt } };
          }
          const { live } = found;
          if (live === null || live.isRetracted) return;
          if (live !== shown) count = 0;
          shown = live;
          const text = live.pieces.slice(count).join('');
          count = live.pieces.length;
          const { task_id, attempt } = live;
          if (text !== '') yield { event: 'answer.delta', data: { task_id, attempt, text } };
        },
        close: (): void => {
          found.watchers -= 1;
          if (found.watchers === 0) watched.delete(key);
        },
      };
    },
    /** Where the answer to an effect of a session goes while it is written; null: nobody watches. */
    sink: (session: SessionKey, task_id: string): AnswerSink | null => {
      const key = keyText(session);
      const found = watched.get(key);
      if (found === undefined) return null;
      let own: LiveAnswer | null = null;
      return {
        add: (text) => {
          if (own === null) {
            found.attempts += 1;
            own = { task_id, attempt: found.attempts, pieces: [], isRetracted: false };
            found.live = own;
          }
          if (own.isRetracted) return;
          own.pieces.push(text);
          notices.notify(key, undefined);
        },
        retract: () => {
          if (own !== null) retract(key, own);
          own = null;
        },
        text: () => own?.pieces.join('') ?? '',
      };
    },
    /** Nobody knows what became of the session's answer: it is void. */
    dismiss: (session: SessionKey): void => {
      const found = watched.get(keyText(session));
      if (found?.live) retract(keyText(session), found.live);
      if (found !== undefined) found.live = null;
    },
    /** A decision was stored: an answer that did not end its task is void. One that is being verified may still end it. */
    settle: ({ image, steps }: Decision): void => {
      const key = keyText(image.session);
      const found = watched.get(key);
      const live = found?.live ?? null;
      if (found === undefined || live === null) return;
      for (const { task } of steps) {
        if (task.state === 'verifying') continue;
        found.live = null;
        if (task.state !== 'done') retract(key, live);
      }
    },
  };
};
export type LiveAnswers = ReturnType<typeof createLiveAnswers>;
