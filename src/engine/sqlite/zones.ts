import type { Statements } from './statements.ts';

/** Zones kept in memory, so that performing an effect reads nothing: those of sessions that were busy lately. */
const ZONES_KEPT = 1_000;

/** The sessions' time zones, by the session's row. */
export interface Zones {
  of(sessionRow: number): string;
  /** A turn came at `now` (epoch milliseconds): the session was used, and its zone may be another. Runs in the turn's transaction. */
  use(sessionRow: number, now: number, timezone: string | undefined): void;
}

/** Makes the memory of zones; what a transaction that fails had set is read anew. */
export const createZones = (statements: Statements): Zones => {
  const known = new Map<number, string>();
  return {
    of: (sessionRow) => {
      const kept = known.get(sessionRow);
      if (kept !== undefined) return kept;
      const zone = statements.sessionById.get(sessionRow)!.timezone;
      if (known.size >= ZONES_KEPT) known.clear();
      known.set(sessionRow, zone);
      return zone;
    },
    use: (sessionRow, now, timezone) => {
      if (timezone !== undefined) known.delete(sessionRow);
      statements.useSession.run(now, timezone ?? null, sessionRow);
    },
  };
};
