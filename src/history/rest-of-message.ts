import type { TraceEntry } from '../../contracts/trace.ts';

/** Whether an event comes from the rest of an earlier model message, without a call of its own. */
export const isRestOfMessage = (event: TraceEntry['event']): boolean =>
  'call' in event && event.call !== undefined && event.message === undefined;
