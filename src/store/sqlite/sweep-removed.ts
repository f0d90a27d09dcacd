import type { Database } from 'better-sqlite3';
import type { DroppedCallback } from '../../engine/outbox/message.ts';
import type { Swept } from '../port.ts';
import { prepareOutboxSweep } from './outbox.ts';
import { createSliceBudget, SLICE_ROWS } from './slice-budget.ts';
import { prepareEntrySweep } from './sweep-entries.ts';
import { prepareRowSweep } from './sweep-rows.ts';

/** Removes the rows that removed sessions have left. */
export interface Sweep {
  /** Some of those sessions. To be asked outside of a transaction: one that is removed in the same as its rows go may still have its folder when the process dies. */
  listed(): number[];
  /** Removes a slice of what they left, inside the caller's transaction. */
  sweepSlice(listed: readonly number[]): Swept;
}

/** Makes it. */
export const prepareSweep = (db: Database): Sweep => {
  const listed = db.prepare<[], number>(`SELECT id FROM removed_sessions ORDER BY id LIMIT ${SLICE_ROWS}`).pluck();
  const sweepEntries = prepareEntrySweep(db);
  const sweepOutbox = prepareOutboxSweep(db);
  const sweepRows = prepareRowSweep(db);
  const forget = ['sessions', 'removed_sessions'].map((table) => db.prepare(`DELETE FROM ${table} WHERE id = ?`));

  return {
    listed: () => listed.all(),
    sweepSlice: (sessions) => {
      const budget = createSliceBudget();
      const handedOn = new Map<string, number>();
      const dropped: DroppedCallback[] = [];
      for (const session of sessions) {
        sweepEntries(session, budget, handedOn);
        sweepOutbox(session, budget, dropped);
        sweepRows(session, budget);
        // With some of the budget left there was nothing more to be found.
        if (!budget.isLeft()) return { handedOn, dropped, isDone: false };
        for (const statement of forget) statement.run(session);
        budget.use(0);
      }
      return { handedOn, dropped, isDone: sessions.length < SLICE_ROWS };
    },
  };
};
