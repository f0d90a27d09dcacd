import type { TraceEntry } from '../../../contracts/trace.ts';

type AnyEvent = TraceEntry['event'];

/** The budget that an event uses; `step_count` is the sum of it over a task's trace, and nothing else (SPEC 4). */
export const stepsOf = (event: AnyEvent): number => {
  if (event.type === 'observations.recorded') return event.observations.length;
  return countsAsStep(event) ? 1 : 0;
};

const countsAsStep = (event: AnyEvent): boolean =>
  event.type === 'thought.made' ||
  event.type === 'thought.rejected' ||
  event.type === 'replan.made' ||
  event.type === 'replan.rejected' ||
  event.type === 'observation.recorded';
