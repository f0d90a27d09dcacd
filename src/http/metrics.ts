import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { TurnView } from '../../contracts/http.ts';

/** Bucket bounds in seconds: a command takes milliseconds, a task of many model calls minutes. */
const TURN_SECONDS = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1_800];

/** Counts of what went through this door since the process began; for `/metrics`. No label ever names a session. */
export interface Metrics {
  readonly contentType: string;
  /** All of them in Prometheus' text format. */
  text(): Promise<string>;
  /** Counts a turn once it is finished; until then it counts as running. A `finished` that rejects counts as neither. */
  turn(taken: TurnView, finished: Promise<TurnView>): void;
  /** One trace entry went out on an event stream. */
  eventStreamed(): void;
}

/** Makes counts of its own: two doors in one process share none. */
export const createMetrics = (): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  const turns = new Counter({
    name: 'tripact_turns_total',
    help: 'Turns finished, by how they ended.',
    labelNames: ['status'],
    registers,
  });
  const running = new Gauge({ name: 'tripact_turns_running', help: 'Turns taken in and not finished yet.', registers });
  const seconds = new Histogram({
    name: 'tripact_turn_duration_seconds',
    help: 'Time from taking a turn in to finishing it.',
    buckets: TURN_SECONDS,
    registers,
  });
  const events = new Counter({
    name: 'tripact_events_streamed_total',
    help: 'Trace entries sent on event streams.',
    registers,
  });
  const count = ({ status, created_at, finished_at }: TurnView): void => {
    turns.inc({ status });
    if (finished_at !== null) seconds.observe((Date.parse(finished_at) - Date.parse(created_at)) / 1_000);
  };
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    turn: (taken, finished) => {
      if (taken.finished_at !== null) return count(taken);
      running.inc();
      finished.then(count, () => {}).finally(() => running.dec());
    },
    eventStreamed: () => events.inc(),
  };
};
