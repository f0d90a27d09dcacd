import type { AnswerNews } from '../../contracts/stream.ts';
import type { Decision } from '../session/change.ts';
import { keyText, type SessionKey } from '../session/image.ts';
import { createNotices } from './notices.ts';

/** Takes an answer while a model writes it. */
export interface AnswerSink {
  add(text: string): void;
  /** Retracts the text of this attempt; text added next is another attempt. */
  retract(): void;
  text(): string;
}

interface LiveAnswer {
  readonly task_id: string;
  /** Counts the answers that were written while somebody watched. */
  readonly attempt: number;
  text: string;
}

/** A session that is watched: what each watcher has not taken yet, and the answer that is being written. */
interface Watched {
  readonly key: string;
  readonly watchers: Set<AnswerNews[]>;
  attempts: number;
  live: LiveAnswer | null;
}

/** Keeps the answers that models are writing, for those who watch a session, in memory alone: the stored answer is the truth. */
export const createLiveAnswers = () => {
  const watched = new Map<string, Watched>();
  const notices = createNotices<void>();

  const tell = ({ key, watchers }: Watched, news: AnswerNews): void => {
    for (const waiting of watchers) waiting.push(news);
    notices.notify(key, undefined);
  };

  /** The session's answer is written no more; one that is void is retracted. */
  const end = (found: Watched | undefined, isVoid: boolean): void => {
    if (!found?.live) return;
    const { task_id, attempt } = found.live;
    found.live = null;
    if (isVoid) tell(found, { event: 'answer.retracted', data: { task_id, attempt } });
  };

  return {
    /** Begins to watch a session. `news` gives what came since it was last asked, `next` resolves when there is more; `close` ends it. */
    watch: (session: SessionKey) => {
      const key = keyText(session);
      const found: Watched = watched.get(key) ?? { key, watchers: new Set(), attempts: 0, live: null };
      watched.set(key, found);
      const waiting: AnswerNews[] = found.live === null ? [] : [{ event: 'answer.delta', data: { ...found.live } }];
      found.watchers.add(waiting);
      return {
        next: (signal: AbortSignal): Promise<void> => notices.next(key, signal),
        news: (): AnswerNews[] => waiting.splice(0),
        close: (): void => {
          found.watchers.delete(waiting);
          if (found.watchers.size === 0) watched.delete(key);
        },
      };
    },
    /** Where the answer to an effect of a session goes while it is written; null: nobody watches. */
    sink: (session: SessionKey, task_id: string): AnswerSink | null => {
      const found = watched.get(keyText(session));
      if (found === undefined) return null;
      let own: LiveAnswer | null = null;
      return {
        add: (text) => {
          if (text === '') return;
          if (own === null) {
            found.attempts += 1;
            own = { task_id, attempt: found.attempts, text: '' };
            found.live = own;
          }
          if (found.live !== own) return;
          own.text += text;
          tell(found, { event: 'answer.delta', data: { task_id, attempt: own.attempt, text } });
        },
        retract: () => {
          if (found.live === own) end(found, true);
          own = null;
        },
        text: () => own?.text ?? '',
      };
    },
    /** Nobody knows what became of the session's answer: it is void. */
    dismiss: (session: SessionKey): void => end(watched.get(keyText(session)), true),
    /** A decision was stored: an answer that did not end its task is void. One that is being verified may still end it. */
    settle: ({ image, steps }: Decision): void => {
      const found = watched.get(keyText(image.session));
      // Of a message with several calls only the last step tells.
      const last = steps.at(-1);
      if (last !== undefined && last.task.state !== 'verifying') end(found, last.task.state !== 'done');
    },
  };
};
export type LiveAnswers = ReturnType<typeof createLiveAnswers>;
