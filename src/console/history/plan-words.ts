import type { TraceEntry } from '../../../contracts/trace.ts';

type PlanItems = Extract<TraceEntry['event'], { type: 'plan.made' }>['plan'];

/** The steps of a plan as an event has it, in words. */
export const wordsOf = (plan: PlanItems): string[] => plan.map((item) => (typeof item === 'string' ? item : item.step));

/** Whether a replan left the rest of a plan as it was. */
export const isRestOf = (planned: readonly string[], next: readonly string[]): boolean =>
  next.length <= planned.length && next.every((step, i) => step === planned[planned.length - next.length + i]);
