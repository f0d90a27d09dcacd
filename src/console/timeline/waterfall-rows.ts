import type { TraceEntry } from '../../../contracts/trace.ts';
import type { Place, TaskCall } from '../history/calls.ts';

/** The filter of a task's calls. */
export interface CallFilter {
  /** Words that a call must contain, ignoring case; empty: any. */
  search: string;
  /** Calls of models, of tools, waits, what people said, failures, or those of a plan item (`item:` and its id); empty: all. */
  only: string;
}

/** A row of the waterfall; `depth` is how far it stands in. `key` stays the same while a task goes on. */
export type WaterfallRow =
  /** The calls on a plan item. */
  | { type: 'group'; key: string; depth: 0; place: Place; calls: readonly TaskCall[] }
  /** Calls that repeat. */
  | { type: 'run'; key: string; depth: number; calls: readonly TaskCall[] }
  | { type: 'call'; key: string; depth: number; call: TaskCall };

/** The name by which calls count as the same. */
export const sameName = ({ kind, effect }: TaskCall): string => {
  if (effect?.type === 'tool.call') return `tool ${effect.params.tool}`;
  if (effect?.type === 'tool.batch') return `tools ${effect.params.calls.map(({ tool }) => tool).join(' ')}`;
  return effect?.type ?? kind;
};

/** Rows whose calls are shown or hidden against the usual: a group is open, calls that repeat are folded. */
export type Switched = ReadonlySet<string>;

/** How often calls must repeat to share a row. */
const REPEATS_MIN = 3;

const mayRepeat = ({ kind }: TaskCall): boolean => kind === 'model' || kind === 'tool';

/** How many calls from `start` on repeat the first `period` of them: a whole multiple of it. */
const repeated = (names: readonly string[], start: number, period: number): number => {
  let end = start + period;
  while (end < names.length && names[end] === names[end - period]) end += 1;
  return Math.floor((end - start) / period) * period;
};

/** A piece of consecutive calls: one, or several that repeat. */
const piecesOf = (calls: readonly TaskCall[]): (readonly TaskCall[])[] => {
  // What cannot repeat has a name that no other has.
  const names = calls.map((call, i) => (mayRepeat(call) ? sameName(call) : `${i}`));
  const pieces: (readonly TaskCall[])[] = [];
  for (let start = 0; start < calls.length; ) {
    const period = names[start] === names[start + 1] ? 1 : 2;
    const length = repeated(names, start, period);
    const taken = length >= REPEATS_MIN * period ? length : 1;
    pieces.push(calls.slice(start, start + taken));
    start += taken;
  }
  return pieces;
};

/** All text of a call, for the search. */
const textOf = ({ kind, from, to, effect }: TaskCall, entries: readonly TraceEntry[]): string => {
  const asked = kind === 'wait' ? entries[from]!.event : effect;
  return JSON.stringify([
    entries[from]!.seq,
    asked,
    to !== null && [entries[to]!.seq, entries[to]!.event],
  ]).toLowerCase();
};

const passes = (call: TaskCall, only: string): boolean => {
  if (only === '') return true;
  if (only === 'failed') return call.isFailed;
  if (only.startsWith('item:')) return call.place.item === only.slice('item:'.length);
  return call.kind === only;
};

/** The calls that pass a filter. */
export const filteredCalls = (
  calls: readonly TaskCall[],
  entries: readonly TraceEntry[],
  { search, only }: CallFilter,
): readonly TaskCall[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && only === '') return calls;
  return calls.filter((call) => {
    if (!passes(call, only)) return false;
    const text = words.length === 0 ? '' : textOf(call, entries);
    return words.every((word) => text.includes(word));
  });
};

const keyOf = (call: TaskCall): string => `${call.from} ${call.kind}`;

/** Splits where another item begins. */
const groupsOf = (calls: readonly TaskCall[]): (readonly TaskCall[])[] => {
  const groups: TaskCall[][] = [];
  for (const call of calls) {
    const group = groups.at(-1);
    if (group !== undefined && group[0]!.place.item === call.place.item) group.push(call);
    else groups.push([call]);
  }
  return groups;
};

const rowsOfCalls = (calls: readonly TaskCall[], depth: number, switched: Switched): WaterfallRow[] =>
  piecesOf(calls).flatMap((piece): WaterfallRow[] => {
    const single = (call: TaskCall, at: number): WaterfallRow => ({ type: 'call', key: keyOf(call), depth: at, call });
    if (piece.length === 1) return [single(piece[0]!, depth)];
    const key = `run ${keyOf(piece[0]!)}`;
    const run: WaterfallRow = { type: 'run', key, depth, calls: piece };
    return switched.has(key) ? [run, ...piece.map((call) => single(call, depth + 1))] : [run];
  });

/** The rows of some calls in their order: the calls on a plan item in a group, calls that repeat in one row. */
export const waterfallRows = (calls: readonly TaskCall[], switched: Switched): WaterfallRow[] =>
  groupsOf(calls).flatMap((group): WaterfallRow[] => {
    const { place } = group[0]!;
    if (place.item === null) return rowsOfCalls(group, 0, switched);
    const key = `group ${keyOf(group[0]!)}`;
    const head: WaterfallRow = { type: 'group', key, depth: 0, place, calls: group };
    return switched.has(key) ? [head] : [head, ...rowsOfCalls(group, 1, switched)];
  });
