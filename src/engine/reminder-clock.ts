import type { Logger } from 'pino';
import type { AddressedEvent, AppendEvents } from './port.ts';

/** Longest that one timer may run, in milliseconds: Node fires at once above 2^31 - 1, and a clock may jump meanwhile. */
const TIMER_MAX_MS = 60_000;

/** Where reminders are kept. */
export interface Reminders {
  /** When the soonest is due, in epoch milliseconds; null when there is none. */
  nextDue(): number | null;
  /** Takes some that are due, inside the caller's transaction, so that each is given out once; one from before `upSince` is late. */
  takeDue(now: number, upSince: number): AddressedEvent[];
}

/** Fires reminders as session events when they come due (SPEC 8). */
export interface ReminderClock {
  /** Looks again: a reminder may have been made or changed. Does nothing once stopped. */
  rearm(): void;
  stop(): void;
}

interface Parts {
  reminders: Reminders;
  appendEvents: AppendEvents;
  now(): number;
  log: Logger;
}

/** Starts the clock. Each reminder is taken and written down in one transaction, so it fires once, also after a restart. */
export const startReminderClock = ({ reminders, appendEvents, now, log }: Parts): ReminderClock => {
  const startedAt = now();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const fire = (): void => {
    try {
      appendEvents(() => reminders.takeDue(now(), startedAt));
    } catch (error) {
      log.error({ err: error }, 'reminders can not be written; trying again');
      timer = setTimeout(fire, TIMER_MAX_MS);
      return;
    }
    rearm();
  };

  const rearm = (): void => {
    clearTimeout(timer);
    if (isStopped) return;
    const next = reminders.nextDue();
    if (next === null) return;
    timer = setTimeout(fire, Math.min(Math.max(next - now(), 0), TIMER_MAX_MS));
    timer.unref();
  };

  rearm();
  const stop = (): void => {
    isStopped = true;
    clearTimeout(timer);
  };
  return { rearm, stop };
};
