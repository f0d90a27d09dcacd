import type { TraceEntry } from '../../../contracts/trace.ts';
import { isFailure } from '../history/failure.ts';

/** Moments of a history to return to, most important last. */
const KINDS = ['replan', 'end', 'failure', 'pause', 'question'] as const;

export type MarkKind = (typeof KINDS)[number];

/** Events that leave a question or pause unchanged. */
const WITHOUT_EFFECT: readonly string[] = ['plan.edited', 'result.superseded', 'steer.received'];

/** The mark of an entry; null: none. A question is more important than the events that led to it. */
const markOf = (entry: TraceEntry): MarkKind | null => {
  const { state, event } = entry;
  if (WITHOUT_EFFECT.includes(event.type)) return null;
  if (state === 'awaiting_user') return 'question';
  if (state === 'paused') return 'pause';
  if (isFailure(entry)) return 'failure';
  if (state === 'done' || state === 'cancelled') return 'end';
  return event.type === 'replan.made' ? 'replan' : null;
};

/** A mark on the slider. */
export interface Mark {
  /** The position of its entry in the trace. */
  index: number;
  kind: MarkKind;
}

/** Every mark of a trace, in order. */
export const marksOf = (entries: readonly TraceEntry[]): Mark[] =>
  entries.flatMap((entry, index) => {
    const kind = markOf(entry);
    return kind === null ? [] : [{ index, kind }];
  });

/** The most important mark of each part of the slider: more marks would look like a bar. */
export const thinned = (marks: readonly Mark[], count: number, parts: number): Mark[] => {
  const byWeight = marks.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  return [...new Map(byWeight.map((mark) => [Math.floor((mark.index / count) * parts), mark])).values()];
};
