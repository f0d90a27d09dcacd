import type { Activity } from './port.ts';
import { queuedTurns, type SessionImage } from './session-image.ts';

/** Counts it over the sessions in memory, which all those are that have something open. */
export const countActivity = (images: Iterable<SessionImage>, callbacks_pending: number): Activity => {
  const effects_open = { 'model.plan': 0, 'model.thought': 0, 'model.replan': 0, 'tool.call': 0, 'verify.run': 0 };
  let turns_running = 0;
  let turns_queued = 0;
  for (const image of images) {
    turns_running += image.turns.length;
    if (image.turns.length > 0) turns_queued += queuedTurns(image).length;
    if (image.open !== null) effects_open[image.open.type] += 1;
  }
  return { turns_running, turns_queued, effects_open, callbacks_pending };
};
