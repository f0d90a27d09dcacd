import { queuedTurns, type SessionImage } from '../../session/image.ts';
import type { Activity } from '../../telemetry/port.ts';

/** The turns and effects of the sessions in memory, among which are all that have one open. */
const countOpen = (images: readonly SessionImage[]): Omit<Activity, 'callbacks_pending'> => {
  const effects_open = {
    'model.plan': 0,
    'model.thought': 0,
    'model.replan': 0,
    'tool.call': 0,
    'tool.batch': 0,
    'verify.run': 0,
  };
  for (const { open } of images) if (open !== null) effects_open[open.type] += 1;
  return {
    turns_running: images.reduce((sum, { turns }) => sum + turns.length, 0),
    turns_queued: images.reduce((sum, image) => sum + queuedTurns(image).length, 0),
    effects_open,
  };
};

/** The activity of a process, with its callbacks as they are counted in the store. Never rejects. */
export const readActivity = async (
  images: readonly SessionImage[],
  pendingCallbacks: Promise<number>,
): Promise<Activity> => {
  const callbacks_pending = await pendingCallbacks.catch(() => Number.NaN);
  return { ...countOpen(images), callbacks_pending };
};
