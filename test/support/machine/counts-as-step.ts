import type { TraceEntry } from '../../../contracts/trace.ts';

type AnyEvent = TraceEntry['event'];

/** The budget steps of an event. `step_count` is their sum over a task's trace, and nothing else (SPEC 4). */
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
