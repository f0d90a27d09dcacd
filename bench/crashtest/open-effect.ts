import { join } from 'node:path';
import Database from 'better-sqlite3';
import { effectId } from '../../contracts/ids.ts';
import { entryTexts } from '../../src/store/sql/entries.ts';
import { unpack } from '../../src/store/sql/frames.ts';

/** Reads the running service's store from outside, read-only. */
export interface OpenEffects {
  /** The open model effect of a task as of its last commit; null: none. A task is named by its session and goal. */
  of(session_id: string, goal: string, prompt: string): string | null;
  /** Closes the store, so that the next process finds it as the last one left it. */
  release(): void;
}

const TASK_ROW = `SELECT t.id, t.task_id FROM tasks t JOIN sessions s ON s.id = t.session JOIN entries e ON e.session = s.id AND e.seq = t.first_seq
  WHERE s.session_id = ? AND json_extract(unpacked(e.event), '$.goal') = ?`;

/** In the order of `seq`: the event that names an effect closes it, and so does a cancel. */
const CLOSING = `SELECT count(*) AS closing FROM entries WHERE task = ? AND seq > ?
  AND (json_extract(unpacked(event), '$.effect') = ? OR json_extract(unpacked(event), '$.type') = 'task.cancelled')`;

/** The store is opened at the first question after each release. */
export const createOpenEffects = (dataDir: string): OpenEffects => {
  let store: { close(): void; of: OpenEffects['of'] } | null = null;
  const open = () => {
    const db = new Database(join(dataDir, 'tripact.db'), { readonly: true });
    db.function('unpacked', (text) => unpack(text as string));
    const taskRow = db.prepare<[string, string], { id: number; task_id: string }>(TASK_ROW);
    const lastAsked = db.prepare<[number], { seq: number; event: string; effects: string }>(
      'SELECT seq, event, effects FROM entries WHERE task = ? AND effects IS NOT NULL ORDER BY seq DESC LIMIT 1',
    );
    const closing = db.prepare<[number, number, number], { closing: number }>(CLOSING);
    const of: OpenEffects['of'] = (session_id, goal) => {
      const task = taskRow.get(session_id, goal);
      const asked = task && lastAsked.get(task.id);
      if (task === undefined || asked === undefined) return null;
      const [effect] = JSON.parse(entryTexts(asked).effects!) as { type: string; effect: number }[];
      if (effect === undefined || !effect.type.startsWith('model.')) return null;
      const isOpen = closing.get(task.id, asked.seq, effect.effect)?.closing === 0;
      return isOpen ? effectId(task.task_id, effect.effect) : null;
    };
    return { of, close: () => db.close() };
  };
  return {
    of: (...asked) => {
      store ??= open();
      return store.of(...asked);
    },
    release: () => {
      store?.close();
      store = null;
    },
  };
};
