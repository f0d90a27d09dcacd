import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Moment, Moments } from './moments.ts';
import type { Random } from './random.ts';
import type { ServiceProcess } from './service-process.ts';

/** How long a named moment is awaited before the service is killed without it, in milliseconds. */
const MOMENT_MS_MAX = 5_000;

/** Mean time to a random kill, and longest time to one in recovery, in milliseconds after the service was ready. */
const RANDOM_MS_MEAN = 250;
const RECOVERING_MS_MAX = 50;

/** Assumed duration of the first start, in milliseconds. */
const START_MS_FIRST = 500;

interface KillerParts {
  service: ServiceProcess;
  moments: Moments;
  random: Random;
  dataDir: string;
}

/** Starts the service and kills it at a moment. Resolves when the process has exited; false: the moment never came. */
export type Killer = (moment: Moment) => Promise<boolean>;

/** Creates a killer. */
export const createKiller = ({ service, moments, random, dataDir }: KillerParts): Killer => {
  let startMs = START_MS_FIRST;

  /** When a moment comes by the clock, in milliseconds since the process was spawned or ready. */
  const clockOf = (moment: Moment): { from: 'spawned' | 'ready'; ms: number } | null => {
    if (moment === 'starting') return { from: 'spawned', ms: random.below(startMs) };
    if (moment === 'recovering') return { from: 'ready', ms: random.below(RECOVERING_MS_MAX + 1) };
    return moment === 'random' ? { from: 'ready', ms: random.exponential(RANDOM_MS_MEAN) } : null;
  };

  const watchLog = (): { close(): void } =>
    watch(dataDir).on('change', (_, name) => {
      if (name === 'tripact.db-wal') moments.passed('store-written');
    });

  return async (moment) => {
    const { promise: killed, resolve } = Promise.withResolvers<void>();
    const kill = (): void => {
      service.kill();
      resolve();
    };
    const clock = clockOf(moment);
    let timer: NodeJS.Timeout | undefined;
    const began = performance.now();
    if (clock?.from === 'spawned') timer = setTimeout(kill, clock.ms);
    await service.start();
    if (moment !== 'starting') startMs = performance.now() - began;
    if (clock?.from === 'ready') timer = setTimeout(kill, clock.ms);
    const log = moment === 'store-written' ? watchLog() : undefined;
    moments.arm(moment, kill);
    const ended = Promise.race([killed, service.ended()]);
    const isHit = await Promise.race([ended.then(() => true), sleep(MOMENT_MS_MAX, false, { ref: false })]);
    clearTimeout(timer);
    moments.disarm();
    log?.close();
    kill();
    await service.ended();
    return isHit;
  };
};
