import Database from 'better-sqlite3';
import type { Engine } from '../../../src/engine/port.ts';
import type { Seam } from './crash-seams.ts';
import { type SqliteSetup, type SqliteTestEngine, startSqliteEngine } from './sqlite-engine.ts';

/** One service through all its crashes: each process that dies is followed by the next on the same data folder. */
export interface Lives {
  /** The seams that were passed so far, in all lives. */
  readonly seams: readonly Seam[];
  /** Uses the service until it answers; a use that a crash interrupts is repeated in the next life. */
  use<Value>(ask: (engine: Engine) => Promise<Value>): Promise<Value>;
  /** The life that goes on now. */
  current(): SqliteTestEngine;
  /** Throws where the outcome of this effect is in the store already. */
  assertNoOutcome(effectId: string): void;
}

/** Starts the first life. `diesAt` is called with the number of each seam, counted from 1 over all lives. */
export const beginLives = (
  setup: Omit<SqliteSetup, 'diesAt'> & { dataDir: string },
  diesAt: (nth: number) => boolean,
): Lives => {
  const seams: Seam[] = [];
  let death = Promise.withResolvers<null>();
  let isDead = true;
  let opened: SqliteTestEngine | undefined;

  const passes = (seam: Seam): boolean => {
    seams.push(seam);
    if (!diesAt(seams.length)) return false;
    isDead = true;
    death.resolve(null);
    return true;
  };

  const living = (): SqliteTestEngine => {
    while (isDead || opened === undefined) {
      isDead = false;
      death = Promise.withResolvers();
      try {
        opened = startSqliteEngine({ ...setup, diesAt: passes });
      } catch (error) {
        // It may die while it opens: then it is started once more.
        if (!isDead) throw error;
      }
    }
    return opened;
  };

  return {
    seams,
    current: living,
    use: async (ask) => {
      for (;;) {
        const { engine } = living();
        const died = death.promise;
        try {
          const answer = await Promise.race([ask(engine).then((value) => ({ value })), died]);
          if (answer !== null) return answer.value;
        } catch (error) {
          if (!isDead) throw error;
        }
      }
    },
    assertNoOutcome: (effectId) => {
      const db = new Database(`${setup.dataDir}/tripact.db`, { readonly: true });
      try {
        const found = db.prepare("SELECT count(*) FROM entries WHERE event ->> 'effect_id' = ?").pluck().get(effectId);
        if (found !== 0) throw new Error(`effect ${effectId} is performed again after its outcome was stored`);
      } finally {
        db.close();
      }
    },
  };
};
