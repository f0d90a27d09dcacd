import type { TraceEntry } from '../../../contracts/trace.ts';

/** A moment of a task from which a user may want to continue differently. */
export interface ForkPoint {
  seq: number;
  kind: 'question' | 'approval' | 'paused' | 'planned' | 'tool' | 'looked';
  /** The question, or the tool that was to run. */
  text: string;
}

const kindOf = ({ event, state, effects }: TraceEntry): Omit<ForkPoint, 'seq'> | null => {
  if (state === 'awaiting_user' && event.type === 'thought.made')
    return event.next_action === null
      ? { kind: 'question', text: event.question ?? '' }
      : { kind: 'approval', text: event.next_action.tool };
  if (state === 'awaiting_user') return { kind: 'question', text: '' };
  if (state === 'paused') return { kind: 'paused', text: '' };
  if (event.type === 'plan.made') return { kind: 'planned', text: '' };
  const [effect] = effects;
  if (effect?.type === 'tool.batch')
    return { kind: 'tool', text: [...new Set(effect.params.calls.map(({ tool }) => tool))].join(', ') };
  return effect?.type === 'tool.call' ? { kind: 'tool', text: effect.params.tool } : null;
};

const isEnded = (state: TraceEntry['state']): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled';

/** The likely moments for a fork, in order. The selected entry is among them if a fork can start there. */
export const forkPoints = (entries: readonly TraceEntry[], looked: number | null): ForkPoint[] => {
  const found = entries.flatMap((entry) => {
    if (isEnded(entry.state)) return [];
    const kind = kindOf(entry);
    if (kind !== null) return [{ seq: entry.seq, ...kind }];
    return entry.seq === looked ? [{ seq: entry.seq, kind: 'looked' as const, text: '' }] : [];
  });
  if (found.length > 0) return found;
  const last = entries.findLast(({ state }) => state !== null && !isEnded(state));
  return last === undefined ? [] : [{ seq: last.seq, kind: 'looked', text: '' }];
};

/** The initially chosen moment: the selected entry, else the last question, else the last moment. */
export const firstPoint = (points: readonly ForkPoint[], looked: number | null): number | null =>
  (
    points.find(({ seq }) => seq === looked) ??
    points.findLast(({ kind }) => kind === 'question' || kind === 'approval') ??
    points.at(-1)
  )?.seq ?? null;
