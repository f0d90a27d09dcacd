import type { AnswerNews } from '../../contracts/stream.ts';
import type { Commit } from '../session/commit.ts';
import { keyText, type SessionImage, type SessionKey } from '../session/image.ts';
import type { AnswerSink } from './perform/effect-deps.ts';

interface LiveAnswer {
  readonly task_id: string;
  /** Counts the answers that were written while somebody watched. */
  readonly attempt: number;
  text: string;
}

/** A watched session, and the answer that is being written in it. */
interface Watched {
  readonly session: SessionKey;
  watchers: number;
  attempts: number;
  live: LiveAnswer | null;
}

/**
 * Keeps the answers that models are writing in watched sessions, only in memory: the stored answer counts. `tell`
 * passes news to those who watch.
 */
export const createLiveAnswers = (tell: (session: SessionKey, news: AnswerNews) => void) => {
  const watched = new Map<string, Watched>();

  /** The session's answer is finished. A void one is retracted. */
  const end = (found: Watched | undefined, isVoid: boolean): void => {
    if (!found?.live) return;
    const { task_id, attempt } = found.live;
    found.live = null;
    if (isVoid) tell(found.session, { event: 'answer.retracted', data: { task_id, attempt } });
  };

  return {
    /** Starts watching a session, until `close`. `written` is its answer so far. */
    watch: (session: SessionKey): { written: AnswerNews | null; close(): void } => {
      const key = keyText(session);
      const found: Watched = watched.get(key) ?? { session, watchers: 0, attempts: 0, live: null };
      watched.set(key, found);
      found.watchers += 1;
      return {
        written: found.live && { event: 'answer.delta', data: { ...found.live } },
        close: () => {
          found.watchers -= 1;
          if (found.watchers === 0) watched.delete(key);
        },
      };
    },
    /** Where the answer to a session's effect goes while it is written; null: nobody watches. */
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
          tell(found.session, { event: 'answer.delta', data: { task_id, attempt: own.attempt, text } });
        },
        retract: () => {
          if (found.live === own) end(found, true);
          own = null;
        },
        text: () => own?.text ?? '',
      };
    },
    /** The fate of the session's answer is unknown, so it is retracted. */
    reloaded: (_before: SessionImage, { session }: SessionImage): void => end(watched.get(keyText(session)), true),
    /**
     * A decision was stored: an answer that did not end its task is retracted. One that is being verified may still end
     * it.
     */
    committed: ({ decision: { image, transitions } }: Commit): void => {
      const found = watched.get(keyText(image.session));
      // Of a message with several calls only the last transition tells.
      const last = transitions.at(-1);
      if (last !== undefined && last.task.state !== 'verifying') end(found, last.task.state !== 'done');
    },
  };
};
export type LiveAnswers = ReturnType<typeof createLiveAnswers>;
