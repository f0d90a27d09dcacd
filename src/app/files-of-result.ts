import type { AttachedFile } from '../../contracts/file.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import type { Store } from '../store/port.ts';
import { filesNamed } from '../workspace/attached/tool-files.ts';
import type { Session, TaskEffect } from '../workspace/port.ts';

/** Entries that are read at once. */
const PAGE = 100;

/** Creates the search for the files that the stored result of an effect names; it gives null while the effect is open. */
export const createFilesOfResult =
  (store: Pick<Store, 'loadTask' | 'entries'>) =>
  async (session: Session, { task_id, effect }: TaskEffect): Promise<readonly AttachedFile[] | null> => {
    const task = await store.loadTask(session, task_id);
    if (task?.open?.effect === effect) return null;
    for (let after = 0; ; ) {
      const page = await store.entries(session, task_id, after, PAGE);
      const outcome = page.find(({ event }) => 'effect' in event && event.effect === effect);
      // An entry of a task never has an event of the session itself.
      if (outcome !== undefined) return filesNamed(outcome.event as TaskTraceEntry['event']);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return [];
      after = last.seq;
    }
  };
