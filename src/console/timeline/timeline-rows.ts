import type { Effect } from '../../../contracts/event.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { isFailure } from '../scrubber/marks.ts';
import type { EventType } from '../text/event-titles.ts';

/** The time, tokens and cost of entries of a trace. */
export interface Spent {
  /** Time of models and tools, in milliseconds. */
  ms: number;
  /** Time that the task waited for its user, in milliseconds. */
  waited: number;
  tokens: number;
  /** The sum of the known costs; null: none is known. */
  cost: number | null;
  currency: string;
}

/** Zero usage. */
export const NOTHING_SPENT: Spent = { ms: 0, waited: 0, tokens: 0, cost: null, currency: '' };

/** States that only the user's action ends. */
const AT_REST: readonly unknown[] = ['awaiting_user', 'paused', 'done', 'failed', 'cancelled'];

/** The usage of an entry since the previous one of its task. The first took no time. */
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

/** The sum of both. */
export const addSpent = (one: Spent, other: Spent): Spent => ({
  ms: one.ms + other.ms,
  waited: one.waited + other.waited,
  tokens: one.tokens + other.tokens,
  cost: one.cost === null ? other.cost : one.cost + (other.cost ?? 0),
  currency: one.currency || other.currency,
});

/** The part of its task's work that an entry belongs to. */
export type Part = 'planning' | 'item' | 'replanning' | 'verifying';

/** A run of entries of the same part, as the timeline groups them. */
export interface Place {
  part: Part;
  /** The plan item's id; null: an empty plan, or another part. */
  item: string | null;
  /** The round on the item, or the number of the replan or verification; from 1. */
  round: number;
}

/** The part that an effect begins. A tool belongs to the round of its thought. */
const parts: Record<Effect['type'], Part | null> = {
  'model.plan': 'planning',
  'model.thought': 'item',
  'model.replan': 'replanning',
  'verify.run': 'verifying',
  'tool.call': null,
  'tool.batch': null,
};

const FIRST: Place = { part: 'planning', item: null, round: 1 };

/**
 * Determines entry by entry where in its task's work it belongs: with the effect that was asked for before it. Reads
 * the entries without folding them. Expects every entry of one task, in order; returns the same object while the place
 * is the same.
 */
export const createPlaces = (): ((entry: TraceEntry) => Place) => {
  const rounds = new Map<string, number>();
  let place = FIRST;
  return ({ event, effects }) => {
    if (event.type === 'task.opened') {
      rounds.clear();
      place = FIRST;
    }
    const own = place;
    for (const effect of effects) {
      const part = parts[effect.type];
      if (part === null) continue;
      const item = effect.type === 'model.thought' ? effect.params.item_id : null;
      const round = (rounds.get(`${part} ${item}`) ?? 0) + 1;
      rounds.set(`${part} ${item}`, round);
      // The entry that opens the task asks for the first plan.
      place = part === 'planning' && round === 1 ? FIRST : { part, item, round };
    }
    return own;
  };
};

/** Which entries are shown. */
export interface TimelineFilter {
  /** Words that an entry must contain, ignoring case; empty: any. */
  search: string;
  /** Its event's type; empty: any. */
  kind: string;
  /** The plan item that it belongs to; empty: any. */
  item: string;
  failedOnly: boolean;
}

/** A row of the timeline: an entry, or a heading where another part of the work begins. */
export interface TimelineRow {
  isHeading: boolean;
  /** The position of the entry in the trace; for a heading, that of the entry below it. */
  index: number;
  place: Place;
  beginsRound: boolean;
  /** The usage of the entry, or of everything below the heading. */
  spent: Spent;
}

/** All text of an entry, for the search. */
const textOf = ({ seq, event, effects }: TraceEntry): string =>
  `${seq} ${JSON.stringify(event)} ${JSON.stringify(effects)}`.toLowerCase();

const isSamePart = (a: Place, b: Place): boolean =>
  a.part === b.part && a.item === b.item && (b.part === 'item' || a.round === b.round);

/** The rows of the entries that pass a filter, their sums, and the plan items and event types of all entries. */
export const timelineRows = (entries: readonly TraceEntry[], filter: TimelineFilter) => {
  const placeOf = createPlaces();
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const items = new Set<string>();
  const kinds = new Set<EventType>();
  const rows: TimelineRow[] = [];
  let heading: TimelineRow | undefined;
  let last: Place | undefined;
  let [shown, longest, sum] = [0, 0, NOTHING_SPENT];
  for (const [index, entry] of entries.entries()) {
    const place = placeOf(entry);
    kinds.add(entry.event.type);
    if (place.item !== null) items.add(place.item);
    if (filter.kind !== '' && entry.event.type !== filter.kind) continue;
    if (filter.item !== '' && place.item !== filter.item) continue;
    if (filter.failedOnly && !isFailure(entry)) continue;
    const text = words.length === 0 ? '' : textOf(entry);
    if (!words.every((word) => text.includes(word))) continue;
    const spent = spentOn(entry, entries[index - 1]);
    if (heading === undefined || last === undefined || !isSamePart(last, place)) {
      heading = { isHeading: true, index, place, beginsRound: false, spent: NOTHING_SPENT };
      rows.push(heading);
    }
    heading.spent = addSpent(heading.spent, spent);
    rows.push({ isHeading: false, index, place, beginsRound: place.part === 'item' && place !== last, spent });
    last = place;
    shown += 1;
    longest = Math.max(longest, spent.ms);
    sum = addSpent(sum, spent);
  }
  return { rows, items, kinds, shown, longest, spent: sum };
};
