import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The event loop's delay since the previous report, in milliseconds. */
export interface LoopDelay {
  p99: number;
  max: number;
}

const RESOLUTION_MS = 1;
const NS = 1e6;

/**
 * Loaded into the service by `--import`. Writes the event loop's delay to `LOOP_DELAY_FILE` at each SIGUSR2, and starts
 * anew.
 */
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
process.on('SIGUSR2', () => {
  const report: LoopDelay = { p99: delay.percentile(99) / NS, max: delay.max / NS };
  delay.reset();
  writeFileSync(process.env['LOOP_DELAY_FILE'] ?? '', JSON.stringify(report));
});
