import type { Logger } from 'pino';
import { onceAMinute } from '../lib/once-a-minute.ts';
import type { OwnerData } from '../lib/queries.ts';
import type { SessionKey } from '../session/image.ts';
import type { Due } from '../store/port.ts';
import type { Engine } from './port.ts';

/** Longest run of one timer, in milliseconds: Node fires at once above 2^31 - 1, and the clock may jump meanwhile. */
const TIMER_MAX_MS = 60_000;

/** Most sessions fetched at once: each may have to be loaded. */
const SESSIONS_MAX = 20;

/** Delivers due reminders, goals and expiring questions to their sessions (SPEC 6, 8). */
export type DueClock = ReturnType<typeof createDueClock>;

interface Parts {
  due: Due;
  ownerData: OwnerData;
  /** The owners to deliver for; null: all. */
  owners?(): readonly string[] | null;
  now(): number;
  log: Logger;
}

/** The state of a clock: while it runs, the parts that it started with. */
type State = 'idle' | 'stopped' | { readonly engine: Pick<Engine, 'deliverDue'>; readonly startedAt: number };

/** Creates a clock. Due work is taken in the commit of its event, so it comes once, also after a restart. */
export const createDueClock = ({ due, ownerData, owners = () => null, now, log }: Parts) => {
  const isWorthALine = onceAMinute();
  let timer: NodeJS.Timeout | undefined;
  let state: State = 'idle';
  /** Sessions whose delivery failed, and when each is retried, by `performance.now()`. */
  const failed = new Map<SessionKey, number>();

  const isRunning = (): boolean => typeof state === 'object';

  const deliver = async (at: number): Promise<void> => {
    const sessions = await ownerData.run(null, () =>
      due.sessionsWithDue(owners(), at, SESSIONS_MAX, [...failed.keys()]),
    );
    // One after the other: each may have to be loaded, with everything that its task knows.
    for (const session of sessions) {
      if (typeof state === 'string') return;
      await state.engine.deliverDue(session, at, state.startedAt).catch((error: unknown) => {
        if (!isRunning()) return;
        failed.set(session, performance.now() + TIMER_MAX_MS);
        const { session_id } = session;
        if (isWorthALine())
          log.error({ err: error, session_id }, 'due reminders or goals cannot be delivered; trying again');
      });
    }
  };

  /** Delivers due work, and schedules the next check for the next due time or retry. */
  const look = async (): Promise<void> => {
    for (const [session, again] of failed) if (again <= performance.now()) failed.delete(session);
    const next = await ownerData.run(null, () => due.nextDue(owners(), [...failed.keys()]));
    const at = now();
    if (next !== null && next <= at) await deliver(at);
    if (next !== null || failed.size > 0) lookIn((next ?? Number.POSITIVE_INFINITY) - at);
  };

  const lookIn = (ms: number): void => {
    clearTimeout(timer);
    if (!isRunning()) return;
    const attempt = (): void => {
      look().catch((error: unknown) => {
        if (!isRunning()) return;
        if (isWorthALine()) log.error({ err: error }, 'due times cannot be read; trying again');
        lookIn(TIMER_MAX_MS);
      });
    };
    timer = setTimeout(attempt, Math.min(Math.max(ms, 0), TIMER_MAX_MS)).unref();
  };

  /** Reads the next due time again, as something may have been made or changed. Does nothing unless the clock runs. */
  const rearm = (): void => lookIn(0);
  return {
    rearm,
    start: (engine: Pick<Engine, 'deliverDue'>): void => {
      state = { engine, startedAt: now() };
      rearm();
    },
    stop: (): void => {
      state = 'stopped';
      clearTimeout(timer);
    },
  };
};
