import { type CommitObserver, newEntries, type OnTaskMoved } from './change.ts';
import { keyText, type SessionKey } from './session-image.ts';
import { turnsOf } from './turn-views.ts';

/** The files of sessions, which show the task of each as it was committed last (SPEC 10). */
export interface ShownFiles {
  /** Shows tasks that have moved on. */
  readonly observer: CommitObserver;
  /** Resolves once the session's files show its newest task; null where they do. Never rejects. */
  shown(session: SessionKey): Promise<void> | null;
}

/** Makes it with nothing to write. */
export const createShownFiles = (onTaskMoved: OnTaskMoved): ShownFiles => {
  const writing = new Map<string, Promise<void>>();
  return {
    observer: {
      name: 'files',
      committed: function showTask(decision) {
        const last = decision.steps.at(-1);
        if (last === undefined) return;
        const { session } = decision.image;
        const isAnswering = turnsOf(decision).some(({ finished_at }) => finished_at !== null);
        const written = onTaskMoved(session, last.task, isAnswering, newEntries(decision));
        if (written === null) return;
        const key = keyText(session);
        const own = written
          .catch(() => {})
          .then(() => {
            if (writing.get(key) === own) writing.delete(key);
          });
        writing.set(key, own);
      },
    },
    shown: (session) => writing.get(keyText(session)) ?? null,
  };
};
