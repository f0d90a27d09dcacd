import type { Tripact, TripactOptions } from './embedding.ts';

/**
 * Runs Tripact in this process, on a data folder that no other process has open, with the promises of the service: what was
 * acknowledged is durable, and open tasks go on at once. It listens nowhere. Rejects with `CONFIG_INVALID` and `DATA_DIR_LOCKED`.
 */
export const createTripact = async (options: TripactOptions = {}): Promise<Tripact> => {
  // A configuration file imports this entry too, and needs nothing of the service.
  const { openTripact } = await import('./open-tripact.ts');
  return openTripact(options);
};
