import type { TraceEntry } from '../../../contracts/trace.ts';

const isFailed = ({ event }: TraceEntry): boolean => {
  switch (event.type) {
    case 'plan.rejected':
    case 'thought.rejected':
    case 'replan.rejected':
    case 'model.unavailable':
    case 'effect.abandoned':
    case 'machine.changed':
      return true;
    case 'observation.recorded':
    case 'verification.finished':
      return !event.ok;
    case 'observations.recorded':
      return event.observations.some(({ ok }) => !ok);
    case 'thought.made':
      return event.outcome === 'blocked';
    case 'replan.made':
      return event.outcome === 'failed';
    default:
      return false;
  }
};

/** True if something went wrong. */
export const isFailure = (entry: TraceEntry): boolean => entry.state === 'failed' || isFailed(entry);
