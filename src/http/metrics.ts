import { setImmediate } from 'node:timers/promises';
import type { TurnView } from '../../contracts/http.ts';

/** Bucket bounds in seconds: a command takes milliseconds, a task of many model calls minutes. */
const TURN_SECONDS = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1_800];

/** Counts of the requests of this HTTP application since the process started, for `/metrics`. No label ever names a session. */
export interface Metrics {
  /** All of them in Prometheus' text format, and its media type. */
  exposition(): Promise<{ contentType: string; text: string }>;
  /** Counts a turn once it is finished; until then it counts as running. A `finished` that rejects counts as neither. */
  turn(taken: TurnView, finished: Promise<TurnView>): void;
  /** One trace entry went out on an event stream. */
  eventStreamed(): void;
}

/** The counters themselves. Their library is loaded with the first count, and after what is counted has been answered. */
const createCounters = async (running: () => number) => {
  await setImmediate();
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'tripact_turns_running',
    help: 'Turns taken in and not finished yet.',
    registers,
    collect() {
      this.set(running());
    },
  });
  return {
    registry,
    turns: new Counter({
      name: 'tripact_turns_total',
      help: 'Turns finished, by how they ended.',
      labelNames: ['status'],
      registers,
    }),
    seconds: new Histogram({
      name: 'tripact_turn_duration_seconds',
      help: 'Time from taking a turn in to finishing it.',
      buckets: TURN_SECONDS,
      registers,
    }),
    events: new Counter({
      name: 'tripact_events_streamed_total',
      help: 'Trace entries sent on event streams.',
      registers,
    }),
  };
};

type Counters = Awaited<ReturnType<typeof createCounters>>;

/** Creates a set of counts: two applications in one process share none. */
export const createMetrics = (): Metrics => {
  let running = 0;
  let loading: Promise<Counters> | undefined;
  const counters = (): Promise<Counters> => {
    loading ??= createCounters(() => running);
    return loading;
  };
  // Without its library nothing is counted, which `/metrics` then says; no turn suffers by it.
  const record = (one: (counters: Counters) => void): void => void counters().then(one, () => {});
  const count = ({ status, created_at, finished_at }: TurnView): void =>
    record(({ turns, seconds }) => {
      turns.inc({ status });
      if (finished_at !== null) seconds.observe((Date.parse(finished_at) - Date.parse(created_at)) / 1_000);
    });
  return {
    // Counts that wait for the library came first, so they are in.
    exposition: async () => {
      const { registry } = await counters();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    turn: (taken, finished) => {
      if (taken.finished_at !== null) return count(taken);
      running += 1;
      const ended = (): void => {
        running -= 1;
      };
      finished.then(count, () => {}).finally(ended);
    },
    eventStreamed: () => record(({ events }) => events.inc()),
  };
};
