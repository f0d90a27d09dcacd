import type { SessionImage } from '../../session/image.ts';
import type { OwnerCounts } from '../../session/owner-counts.ts';
import type { Activity } from '../../telemetry/port.ts';

/** The activity of a process: the turns of all owners, and the effects of the sessions in memory, among which are all that have one open. */
export const countActivity = (
  images: Iterable<SessionImage>,
  { unfinished_turns, queued_turns, pending_callbacks }: OwnerCounts,
): Activity => {
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
    turns_running: unfinished_turns,
    turns_queued: queued_turns,
    effects_open,
    callbacks_pending: pending_callbacks,
  };
};
