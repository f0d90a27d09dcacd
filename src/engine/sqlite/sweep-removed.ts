import type { Database } from 'better-sqlite3';
import type { DroppedCallback } from '../outbox/message.ts';
import type { Swept } from '../store.ts';
import { prepareOutboxSweep } from './outbox.ts';
import { createSliceBudget } from './slice-budget.ts';
import { prepareEntrySweep } from './sweep-entries.ts';
import { prepareRowSweep } from './sweep-rows.ts';

/** Makes what removes the rows that removed sessions have left, a slice at a time, inside the caller's transaction. */
export const prepareSweep = (db: Database): { isNeeded(): boolean; sweepSlice(): Swept } => {
  const oldest = db.prepare<[], number>('SELECT id FROM removed_sessions ORDER BY id LIMIT 1').pluck();
  const sweepEntries = prepareEntrySweep(db);
  const sweepOutbox = prepareOutboxSweep(db);
  const sweepRows = prepareRowSweep(db);
  const forget = ['sessions', 'removed_sessions'].map((table) => db.prepare(`DELETE FROM ${table} WHERE id = ?`));

  return {
    isNeeded: () => oldest.get() !== undefined,
    sweepSlice: () => {
      const budget = createSliceBudget();
      const handedOn = new Map<string, number>();
      const dropped: DroppedCallback[] = [];
      for (let session = oldest.get(); session !== undefined; session = oldest.get()) {
        sweepEntries(session, budget, handedOn);
        sweepOutbox(session, budget, dropped);
        sweepRows(session, budget);
        // With some of the budget left there was nothing more to be found.
        if (!budget.isLeft()) return { handedOn, dropped, isDone: false };
        for (const statement of forget) statement.run(session);
        budget.use(0);
      }
      return { handedOn, dropped, isDone: true };
    },
  };
};
