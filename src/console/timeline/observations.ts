import type { TraceEntry } from '../../../contracts/trace.ts';

type Event = TraceEntry['event'];

type Seen = Pick<Extract<Event, { type: 'observation.recorded' }>, 'tool' | 'input' | 'ok' | 'result'>;

/** The results of tools that an event brings: one, or several of calls that were made at once. */
export const observationsOf = (event: Event): readonly Seen[] => {
  if (event.type === 'observations.recorded') return event.observations;
  return event.type === 'observation.recorded' ? [event] : [];
};
