import type { TraceEntry } from '../../../contracts/trace.ts';

type Event = TraceEntry['event'];

type Seen = Pick<
  Extract<Event, { type: 'observation.recorded' }>,
  'tool' | 'input' | 'ok' | 'result' | 'left_out' | 'files'
>;

/** The tool results in an event: one, or several of simultaneous calls. */
export const observationsOf = (event: Event): readonly Seen[] => {
  if (event.type === 'observations.recorded') return event.observations;
  return event.type === 'observation.recorded' ? [event] : [];
};
