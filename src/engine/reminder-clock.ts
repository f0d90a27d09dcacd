import type { Logger } from 'pino';
import { onceAMinute } from '../lib/once-a-minute.ts';
import type { Asking, OwnerData } from '../store/questions.ts';
import type { Engine } from './port.ts';
import type { SessionKey } from './session-image.ts';

/** Longest that one timer may run, in milliseconds: Node fires at once above 2^31 - 1, and a clock may jump meanwhile. */
const TIMER_MAX_MS = 60_000;

/** Most sessions whose reminders are looked for at once: each of them may have to be loaded. */
const SESSIONS_MAX = 20;

/** Where reminders are kept. `owners` null: those of all. */
export interface Reminders {
  /** When the soonest is due, in epoch milliseconds; null when there is none. */
  nextDue(owners: readonly string[] | null): Asking<number | null>;
  /** Sessions with reminders that are due at `now`, soonest first. */
  sessionsWithDue(owners: readonly string[] | null, now: number, limit: number): Asking<SessionKey[]>;
}

/** Turns reminders into session events when they come due (SPEC 8). */
export type ReminderClock = ReturnType<typeof startReminderClock>;

interface Parts {
  reminders: Reminders;
  ownerData: OwnerData;
  engine: Pick<Engine, 'deliverReminders'>;
  /** Whose reminders are delivered here; null: everybody's. */
  owners?(): readonly string[] | null;
  now(): number;
  log: Logger;
}

/** Starts the clock. A reminder is taken in the commit of its event, so it comes once, also after a restart. */
export const startReminderClock = ({ reminders, ownerData, engine, owners = () => null, now, log }: Parts) => {
  const startedAt = now();
  const isWorthALine = onceAMinute();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const deliver = async (at: number): Promise<void> => {
    const sessions = await ownerData.run(null, () => reminders.sessionsWithDue(owners(), at, SESSIONS_MAX));
    const failed: unknown[] = [];
    // One after the other: each may have to be loaded, with all that its task knows.
    for (const session of sessions)
      await engine.deliverReminders(session, at, startedAt).catch((error: unknown) => failed.push(error));
    if (failed.length > 0) throw failed[0];
  };

  /** Delivers what is due, and comes back when the next one is. */
  const look = async (): Promise<void> => {
    const next = await ownerData.run(null, () => reminders.nextDue(owners()));
    if (next === null) return;
    const at = now();
    if (next <= at) await deliver(at);
    lookIn(next - at);
  };

  const lookIn = (ms: number): void => {
    clearTimeout(timer);
    if (isStopped) return;
    const attempt = (): void => {
      look().catch((error: unknown) => {
        if (isStopped) return;
        if (isWorthALine()) log.error({ err: error }, 'reminders can not be delivered; trying again');
        lookIn(TIMER_MAX_MS);
      });
    };
    timer = setTimeout(attempt, Math.min(Math.max(ms, 0), TIMER_MAX_MS)).unref();
  };

  /** Reads again when the next one is due: a reminder may have been made or changed. Does nothing once stopped. */
  const rearm = (): void => lookIn(0);
  rearm();
  return {
    rearm,
    stop: (): void => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};
