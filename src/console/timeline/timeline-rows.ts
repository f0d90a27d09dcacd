import type { Effect } from '../../../contracts/event.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { isFailure } from '../scrubber/marks.ts';
import type { EventType } from '../text/event-titles.ts';

/** The time, tokens and cost of one or more entries of a trace. */
export interface Spent {
  /** Time that models and tools took, in milliseconds. */
  ms: number;
  /** Time that the task waited for its user, in milliseconds. */
  waited: number;
  tokens: number;
  /** The sum of the costs that are known; null: none is. */
  cost: number | null;
  currency: string;
}

/** Nothing yet. */
export const NOTHING_SPENT: Spent = { ms: 0, waited: 0, tokens: 0, cost: null, currency: '' };

/** States in which nothing goes on until the user does something. */
const AT_REST: readonly unknown[] = ['awaiting_user', 'paused', 'done', 'failed', 'cancelled'];

/** The same of an entry, since the one before it in its task; the first took no time. */
export const spentOn = ({ at, event }: TraceEntry, before: TraceEntry | undefined): Spent => {
  const passed = before === undefined ? 0 : Math.max(0, Date.parse(at) - Date.parse(before.at));
  const isRest = AT_REST.includes(before?.state);
  const usage = 'usage' in event ? event.usage : undefined;
  const { input_tokens = 0, output_tokens = 0, cache_read_tokens = 0, cache_written_tokens = 0, cost } = usage ?? {};
  return {
    ms: isRest ? 0 : passed,
    waited: isRest ? passed : 0,
    tokens: input_tokens + output_tokens + cache_read_tokens + cache_written_tokens,
    cost: cost === undefined ? null : Number(cost.amount),
    currency: cost?.currency ?? '',
  };
};

/** Both together. */
export const addSpent = (one: Spent, other: Spent): Spent => ({
  ms: one.ms + other.ms,
  waited: one.waited + other.waited,
  tokens: one.tokens + other.tokens,
  cost: one.cost === null ? other.cost : one.cost + (other.cost ?? 0),
  currency: one.currency || other.currency,
});

/** Which part of its task's work an entry belongs to. */
export type Part = 'planning' | 'item' | 'replanning' | 'verifying';

/** A run of entries of the same part, as the timeline groups them. */
export interface Place {
  part: Part;
  /** The plan item's id; null: an empty plan, or another part. */
  item: string | null;
  /** The round on the item, or the number of the replan or verification; from 1. */
  round: number;
}

const FIRST: Place = { part: 'planning', item: null, round: 1 };

const roundsOf = (effect: Effect, rounds: Map<string, number>): Place | null => {
  const next = (part: Part, item: string | null): Place => {
    const key = `${part} ${item}`;
    const round = (rounds.get(key) ?? 0) + 1;
    rounds.set(key, round);
    return { part, item, round };
  };
  switch (effect.type) {
    case 'model.plan':
      return next('planning', null);
    case 'model.thought':
      return next('item', effect.params.item_id);
    case 'model.replan':
      return next('replanning', null);
    case 'verify.run':
      return next('verifying', null);
    // Acts within the round of its thought.
    case 'tool.call':
      return null;
    default:
      return effect satisfies never;
  }
};

/**
 * Says entry by entry where in its task's work it belongs: with the effect that was asked for before it. Reads what the entries say, and folds
 * nothing. To be given every entry of one task, in order; gives the same object as long as the place is the same.
 */
export const createPlaces = (): ((entry: TraceEntry) => Place) => {
  const rounds = new Map<string, number>();
  let place = FIRST;
  return ({ event, effects }) => {
    if (event.type === 'task.opened') rounds.clear();
    const own = event.type === 'task.opened' ? FIRST : place;
    place = own;
    for (const effect of effects) place = roundsOf(effect, rounds) ?? place;
    // The first plan is asked for by the entry that opens the task.
    if (place.part === 'planning' && place.round === 1) place = FIRST;
    return own;
  };
};

/** Which entries are shown. */
export interface TimelineFilter {
  /** Words that an entry must have, in any case; empty: any. */
  search: string;
  /** Its event's type; null: any. */
  kind: string | null;
  /** The plan item that it belongs to; null: any. */
  item: string | null;
  failedOnly: boolean;
}

/** A row of the timeline: a heading where another part of the work begins, with the sum of its entries, or an entry by its place in the trace. */
export type TimelineRow =
  | { type: 'heading'; place: Place; spent: Spent }
  | { type: 'entry'; index: number; place: Place; beginsRound: boolean; spent: Spent };

const isSamePart = (a: Place | undefined, b: Place): boolean =>
  a !== undefined && a.part === b.part && a.item === b.item && (b.part === 'item' || a.round === b.round);

/** Rows of a trace, which takes in entries as they come. */
export interface TimelineRows {
  /** Grows in place. */
  rows: readonly TimelineRow[];
  /** How many of the rows are entries. */
  shown: number;
  /** The sums over all entries that are shown. */
  spent: Spent;
  /** The longest time that one of them took, in milliseconds. */
  longest: number;
  /** Plan items in the order in which they were begun. */
  items: ReadonlySet<string>;
  /** Types of events. */
  kinds: ReadonlySet<EventType>;
  /** Takes in the next entry; false where there is none. */
  takeNext(): boolean;
}

/** All that an entry says, for the search. */
const textOf = ({ seq, event, effects }: TraceEntry): string =>
  `${seq} ${JSON.stringify(event)} ${JSON.stringify(effects)}`.toLowerCase();

const createMatches = ({ search, kind, item, failedOnly }: TimelineFilter) => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (entry: TraceEntry, place: Place): boolean => {
    if (kind !== null && entry.event.type !== kind) return false;
    if (item !== null && (place.part !== 'item' || place.item !== item)) return false;
    if (failedOnly && !isFailure(entry)) return false;
    if (words.length === 0) return true;
    const text = textOf(entry);
    return words.every((word) => text.includes(word));
  };
};

/** Makes the rows of those entries that a filter lets through. Headings without an entry are left out. */
export const createRows = (entries: readonly TraceEntry[], filter: TimelineFilter): TimelineRows => {
  const placeOf = createPlaces();
  const matches = createMatches(filter);
  const items = new Set<string>();
  const kinds = new Set<EventType>();
  const rows: TimelineRow[] = [];
  let last: Place | undefined;
  let heading: { spent: Spent } = { spent: NOTHING_SPENT };
  let taken = 0;
  const result = {
    ...{ rows, items, kinds, shown: 0, spent: NOTHING_SPENT, longest: 0 },
    takeNext: () => {
      const entry = entries[taken];
      if (entry === undefined) return false;
      const index = taken++;
      const place = placeOf(entry);
      kinds.add(entry.event.type);
      if (place.part === 'item' && place.item !== null) items.add(place.item);
      if (!matches(entry, place)) return true;
      const spent = spentOn(entry, entries[index - 1]);
      if (!isSamePart(last, place)) {
        const next: TimelineRow = { type: 'heading', place, spent: NOTHING_SPENT };
        rows.push(next);
        heading = next;
      }
      rows.push({ type: 'entry', index, place, beginsRound: place.part === 'item' && place !== last, spent });
      heading.spent = addSpent(heading.spent, spent);
      result.spent = addSpent(result.spent, spent);
      result.longest = Math.max(result.longest, spent.ms);
      last = place;
      result.shown += 1;
      return true;
    },
  };
  return result;
};

/** The entry that a row shows, or that follows the heading which it is. */
const entryAt = (rows: readonly TimelineRow[], place: number): number => {
  const row = rows[place];
  return row === undefined ? Number.POSITIVE_INFINITY : row.type === 'entry' ? row.index : entryAt(rows, place + 1);
};

/** The row of an entry, or of the last one shown before it; -1: there is none. */
export const rowOfEntry = (rows: readonly TimelineRow[], index: number): number => {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entryAt(rows, middle) <= index) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};
