import type { TraceEntry } from '../../contracts/trace.ts';

/** Whether an event is taken from the rest of a message that the model had sent before: no call was made for it. */
export const isRestOfMessage = (event: TraceEntry['event']): boolean =>
  'call' in event && event.call !== undefined && event.message === undefined;
