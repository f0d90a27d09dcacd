import type { OwnerCounts } from './owner-counts.ts';
import type { Activity } from './port.ts';
import type { SessionImage } from './session-image.ts';

/** What goes on: the turns of all owners, and the effects of the sessions in memory, which all those are that have one open. */
export const countActivity = (
  images: Iterable<SessionImage>,
  { unfinished_turns, queued_turns, pending_callbacks }: OwnerCounts,
  webhookPending: number,
): Activity => {
  const effects_open = { 'model.plan': 0, 'model.thought': 0, 'model.replan': 0, 'tool.call': 0, 'verify.run': 0 };
  for (const { open } of images) if (open !== null) effects_open[open.type] += 1;
  const callbacks_pending = pending_callbacks + webhookPending;
  return { turns_running: unfinished_turns, turns_queued: queued_turns, effects_open, callbacks_pending };
};
