import type { Tripact, TripactOptions } from './embedding.ts';

/**
 * Runs Tripact in this process, on a data folder that no other process has open, with the service's guarantees: what
 * was acknowledged is durable, and open tasks continue at once. Does not listen. Rejects with `CONFIG_INVALID` and
 * `DATA_DIR_LOCKED`.
 */
export const createTripact = async (options: TripactOptions = {}): Promise<Tripact> => {
  // A configuration file imports this entry too and does not need the service.
  const { openTripact } = await import('./open-tripact.ts');
  return openTripact(options);
};
