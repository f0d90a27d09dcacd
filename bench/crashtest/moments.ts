import type { Random } from './random.ts';

/** The moments at which the service is killed, by name. `crashtest --at <name>` uses only that one. */
export const MOMENTS = {
  random: 'at any moment, on average 250 ms after it was ready',
  starting: 'while it starts, before it is ready',
  recovering: 'within 50 ms after it was ready, while it takes up what was open',
  'turn-sent': 'within 5 ms after a turn was sent',
  'command-sent': 'within 5 ms after a slash command was sent',
  'answer-sent': "within 5 ms after the answer to a task's question was sent",
  'cancel-sent': 'within 5 ms after a cancel was sent',
  'turn-acknowledged': 'as the first 2xx of a turn came in',
  'model-asked': 'as a request for an answer came in, before there is one',
  'model-answered': 'as an answer had been handed to its socket',
  'tool-begun': 'as a tool outside had done its work, before it says so',
  'tool-ended': "as a tool's result had been handed to its socket",
  'store-written': 'as the write-ahead log was written to',
} as const;
export type Moment = keyof typeof MOMENTS;

/** Longest pause between a moment and the kill, in milliseconds; 0 if not listed. */
const DELAY_MS_MAX: Partial<Record<Moment, number>> = {
  'turn-sent': 5,
  'command-sent': 5,
  'answer-sent': 5,
  'cancel-sent': 5,
};

/** How often a moment may pass before the kill, so that not only the first occurrence is hit. */
const PASSES_MAX: Partial<Record<Moment, number>> = {
  'turn-acknowledged': 8,
  'model-asked': 40,
  'model-answered': 40,
  'tool-begun': 10,
  'tool-ended': 10,
  'store-written': 150,
};

/** Where everybody who sees a moment reports it. */
export interface Moments {
  /** The moment is now. If it is the awaited one, kills the service, at once or after its delay. */
  passed(moment: Moment): void;
  /** Waits for a moment from now on. Only the last one armed counts. */
  arm(moment: Moment, kill: () => void): void;
  disarm(): void;
}

/** `random` chooses the occurrence that kills, and the delay after it. */
export const createMoments = (random: Random): Moments => {
  let armed: { moment: Moment; left: number; kill: () => void } | null = null;
  let timer: NodeJS.Timeout | undefined;
  const disarm = (): void => {
    armed = null;
    clearTimeout(timer);
  };
  return {
    disarm,
    arm: (moment, kill) => {
      disarm();
      armed = { moment, left: 1 + random.below(PASSES_MAX[moment] ?? 2), kill };
    },
    passed: (moment) => {
      if (armed?.moment !== moment) return;
      armed.left -= 1;
      if (armed.left > 0) return;
      const { kill } = armed;
      disarm();
      const delayMs = random.below((DELAY_MS_MAX[moment] ?? 0) + 1);
      if (delayMs === 0) kill();
      else timer = setTimeout(kill, delayMs);
    },
  };
};
