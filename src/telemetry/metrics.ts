import { madeOnce } from '../lib/once.ts';
import type { Meters, Readings } from './meters.ts';
import type { MetricsSource, Telemetry } from './port.ts';

/** How long after the first count the library is loaded, in milliseconds: by then the first turn has its reply. */
const LOAD_MS = 1_000;

/**
 * Makes an application's metrics: two applications in one process share none. Their library is loaded when they are first read, or some time
 * after the first count; what is counted until then waits. Without the library nothing is counted, and no turn suffers by it.
 */
export const createMetrics = (readings: Readings): MetricsSource & { telemetry: Telemetry } => {
  let meters: Meters | undefined;
  let waiting: ((meters: Meters) => void)[] | null = [];
  let timer: NodeJS.Timeout | undefined;

  const loaded = madeOnce(async (): Promise<Meters> => {
    clearTimeout(timer);
    try {
      const { createMeters } = await import('./meters.ts');
      meters = createMeters(readings);
      for (const count of waiting ?? []) count(meters);
      return meters;
    } finally {
      waiting = null;
    }
  });
  const record = (count: (meters: Meters) => void): void => {
    if (meters !== undefined) return count(meters);
    waiting?.push(count);
    timer ??= setTimeout(() => void loaded().catch(() => {}), LOAD_MS).unref();
  };

  return {
    exposition: async () => (await loaded()).exposition(),
    eventStreamed: () => record((to) => to.eventStreamed()),
    telemetry: {
      committed: (report) => record((to) => to.committed(report)),
      happened: (happening) => record((to) => to.happened(happening)),
      effectStarted: (effect, { model }) => {
        const began = performance.now();
        return {
          run: (perform) => perform(),
          ended: (outcome, usage) => {
            const seconds = (performance.now() - began) / 1_000;
            record((to) => to.effectEnded(effect, outcome, usage, model, seconds));
          },
        };
      },
    },
  };
};
