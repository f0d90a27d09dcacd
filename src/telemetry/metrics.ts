import { madeOnce } from '../lib/once.ts';
import { createBoundedNames } from './bounded-names.ts';
import { countEffect, type LabelNames } from './count-effect.ts';
import type { Meters, Readings } from './meters.ts';
import type { CommitReport, Exposition, MetricsSource, Telemetry } from './port.ts';

/** Tools that are counted each by its name: more than a service has, but for MCP servers that rename theirs. */
const TOOLS_MAX = 200;

/** Models that are counted each by its name: a server may say another one at each call. */
const MODELS_MAX = 50;

/** How long after the first count the library is loaded, in milliseconds: by then the first turn has its reply. */
const LOAD_MS = 1_000;

const countCommit = (meters: Meters, { duration_ms, steps, turns }: CommitReport): void => {
  meters.commitSeconds.observe(duration_ms / 1_000);
  for (const { event, task } of steps) {
    meters.steps.inc({ event: event.type });
    // An edit of its plan leaves a paused task paused.
    if (task.state === 'paused' && task.context.pause_reason !== null && event.type !== 'plan.edited')
      meters.pauses.inc({ reason: task.context.pause_reason });
  }
  for (const { turn } of turns) {
    if (turn.finished_at === null) continue;
    meters.turns.inc({ status: turn.status });
    meters.turnSeconds.observe((Date.parse(turn.finished_at) - Date.parse(turn.created_at)) / 1_000);
  }
};

/** An application's metrics: what counts the engine's work, and what shows the counts. */
export interface Metrics extends MetricsSource {
  telemetry: Telemetry;
}

/**
 * Makes an application's metrics: two applications in one process share none, but for the process's own. Their library is loaded when they are
 * first read, or some time after the first count; what is counted until then waits. Without the library nothing is counted, and no turn suffers by it.
 */
export const createMetrics = (readings: Readings): Metrics => {
  const names: LabelNames = { model: createBoundedNames(MODELS_MAX), tool: createBoundedNames(TOOLS_MAX) };
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

  const expose = async (): Promise<Exposition> => {
    const { registry } = await loaded();
    const { processRegistry } = await import('./meters.ts');
    return {
      contentType: registry.contentType,
      text: `${await registry.metrics()}\n${await processRegistry().metrics()}`,
    };
  };
  let exposing: Promise<Exposition> | undefined;

  return {
    exposition: () => {
      exposing ??= expose().finally(() => {
        exposing = undefined;
      });
      return exposing;
    },
    eventStreamed: () => record(({ events }) => events.inc()),
    telemetry: {
      committed: (report) => record((to) => countCommit(to, report)),
      commitFailed: () => record(({ commitFailures }) => commitFailures.inc()),
      callbackPosted: (outcome) => record(({ callbackPosts }) => callbackPosts.inc({ outcome })),
      callbackEnded: (outcome) => record(({ callbacks }) => callbacks.inc({ outcome })),
      effectStarted: (effect, { model }) => {
        const began = performance.now();
        return {
          run: (perform) => perform(),
          ended: (outcome) => {
            const seconds = (performance.now() - began) / 1_000;
            record((to) => countEffect(to, names, { effect, outcome, model, seconds }));
          },
        };
      },
    },
  };
};
