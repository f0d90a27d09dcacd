import type { TraceEntry } from '../../../contracts/trace.ts';

/** Moments of a history to go back to. */
export type MarkKind = 'question' | 'replan' | 'failure' | 'pause' | 'end';

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
    case 'thought.made':
      return event.outcome === 'blocked';
    case 'replan.made':
      return event.outcome === 'failed';
    default:
      return false;
  }
};

/** True where something went wrong. */
export const isFailure = (entry: TraceEntry): boolean => entry.state === 'failed' || isFailed(entry);

/** Events that leave a question or a pause as it was. */
const isWithoutEffect = ({ event }: TraceEntry): boolean =>
  event.type === 'plan.edited' || event.type === 'result.superseded' || event.type === 'steer.received';

/** The mark of an entry; null for none. A question weighs more than the events that led to it. */
export const markOf = (entry: TraceEntry): MarkKind | null => {
  const { state, event } = entry;
  if (isWithoutEffect(entry)) return null;
  if (state === 'awaiting_user') return 'question';
  if (state === 'paused') return 'pause';
  if (isFailure(entry)) return 'failure';
  if (state === 'done' || state === 'cancelled') return 'end';
  return event.type === 'replan.made' ? 'replan' : null;
};

/** A mark on the slider. */
export interface Mark {
  /** The place of its entry in the trace. */
  index: number;
  kind: MarkKind;
}

/** Reads every mark of a trace, in order, as far as it is here; each entry is read once. */
export const createMarks = (entries: readonly TraceEntry[]): (() => readonly Mark[]) => {
  const marks: Mark[] = [];
  let read = 0;
  return () => {
    for (; read < entries.length; read++) {
      const kind = markOf(entries[read]!);
      if (kind !== null) marks.push({ index: read, kind });
    }
    return marks;
  };
};

const WEIGHTS: Record<MarkKind, number> = { question: 5, pause: 4, failure: 3, end: 2, replan: 1 };

/** One mark for each of some hundred parts of the slider, the weightiest of those that lie in it: more of them are no lines but a bar. */
export const thinned = (marks: readonly Mark[], count: number, parts: number): Mark[] => {
  const byPart = new Map<number, Mark>();
  for (const mark of marks) {
    const part = Math.floor((mark.index / count) * parts);
    const other = byPart.get(part);
    if (other === undefined || WEIGHTS[mark.kind] > WEIGHTS[other.kind]) byPart.set(part, mark);
  }
  return [...byPart.values()];
};
