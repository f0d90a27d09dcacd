import type { TaskCall } from '../history/calls.ts';

/** A stretch of the time axis that is drawn at one scale. */
interface Stretch {
  /** In epoch milliseconds. */
  from: number;
  to: number;
  /** Where it begins and how wide it is, as parts of the whole axis. */
  at: number;
  width: number;
  /** A long time in which nothing ran, drawn short. */
  isFolded: boolean;
}

/** A number on the axis. */
export interface Tick {
  /** As a part of the whole axis. */
  at: number;
  /** Since the beginning, in milliseconds. */
  elapsed: number;
}

/** The time axis of a waterfall. */
export interface Axis {
  /** Where a moment is, in epoch milliseconds, as a part of the whole axis from 0 to 1. */
  at: (time: number) => number;
  ticks: readonly Tick[];
  /** Where the axis leaves out time: the middle of each, and how long it is in milliseconds. */
  breaks: readonly { at: number; ms: number }[];
}

/** Shortest pause that is folded, in milliseconds, and as a part of the time in which something runs. */
const [FOLD_MS_MIN, FOLD_PART_MIN] = [5_000, 0.3];

/** The widths of one folded pause and of all of them together, as parts of the time in which something runs. */
const [FOLD_WIDTH, FOLDS_WIDTH_MAX] = [0.16, 0.5];

/** Shortest axis, in milliseconds. */
const AXIS_MS_MIN = 100;

/** Steps between ticks, in milliseconds: those that clocks have. */
const STEPS = [
  ...[100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000],
  ...[1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1_440].map((minutes) => minutes * 60_000),
];

/** Most ticks by the steps, and the least space between two, as a part of the axis. */
const [TICKS_MAX, TICK_SPACE] = [5, 0.11];

/** The same before the end of folded time, whose number is long. */
const FOLD_TICK_SPACE = 0.2;

interface Span {
  from: number;
  to: number;
}

/** The times in which something ran, in order and without overlaps. */
const busySpans = (calls: readonly TaskCall[], until: number): Span[] => {
  const spans: Span[] = [];
  for (const { kind, beginsAt, endsAt } of calls) {
    if (kind === 'wait') continue;
    const to = Math.max(beginsAt, endsAt ?? until);
    const last = spans.at(-1);
    if (last !== undefined && beginsAt <= last.to) last.to = Math.max(last.to, to);
    else spans.push({ from: beginsAt, to });
  }
  return spans;
};

/** The whole time, cut where something begins or ends to run. */
const cut = (spans: readonly Span[], from: number, to: number): (Span & { isBusy: boolean })[] => {
  const pieces: (Span & { isBusy: boolean })[] = [];
  let place = from;
  for (const span of spans) {
    if (span.from > place) pieces.push({ from: place, to: span.from, isBusy: false });
    if (span.to > span.from) pieces.push({ ...span, isBusy: true });
    place = Math.max(place, span.to);
  }
  if (to > place) pieces.push({ from: place, to, isBusy: false });
  return pieces;
};

const stretchesOf = (spans: readonly Span[], from: number, to: number, isFolding: boolean): Stretch[] => {
  const pieces = cut(spans, from, to);
  const busy = pieces.reduce((sum, piece) => sum + (piece.isBusy ? piece.to - piece.from : 0), 0);
  const foldFrom = Math.max(FOLD_MS_MIN, FOLD_PART_MIN * busy);
  const isFolded = (piece: (typeof pieces)[number]): boolean =>
    isFolding && !piece.isBusy && piece.to - piece.from > foldFrom;
  const folds = pieces.filter(isFolded).length;
  const plain = pieces.reduce((sum, piece) => sum + (isFolded(piece) ? 0 : piece.to - piece.from), 0);
  const fold = Math.max(plain, AXIS_MS_MIN) * Math.min(FOLD_WIDTH, FOLDS_WIDTH_MAX / Math.max(1, folds));
  const whole = Math.max(plain + folds * fold, AXIS_MS_MIN);
  const stretches: Stretch[] = [];
  let at = 0;
  for (const piece of pieces) {
    const width = (isFolded(piece) ? fold : piece.to - piece.from) / whole;
    stretches.push({ from: piece.from, to: piece.to, at, width, isFolded: isFolded(piece) });
    at += width;
  }
  return stretches;
};

/** The place of a moment: the last stretch that begins before it has it. */
const placeIn = (stretches: readonly Stretch[], time: number): number => {
  let [low, high] = [0, stretches.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (stretches[middle]!.from <= time) low = middle;
    else high = middle - 1;
  }
  const stretch = stretches[low];
  if (stretch === undefined) return 0;
  const { from, to, at, width } = stretch;
  return at + width * Math.min(1, Math.max(0, (time - from) / Math.max(1, to - from)));
};

const ticksOf = (stretches: readonly Stretch[], begin: number): Tick[] => {
  const plain = stretches.reduce((sum, { from, to, isFolded }) => sum + (isFolded ? 0 : to - from), 0);
  const step =
    STEPS.find((each) => plain / each <= TICKS_MAX) ?? Math.ceil(plain / TICKS_MAX / 86_400_000) * 86_400_000;
  const ticks: Tick[] = [{ at: 0, elapsed: 0 }];
  const put = (tick: Tick): void => {
    if (tick.at - ticks.at(-1)!.at >= TICK_SPACE && tick.at <= 1) ticks.push(tick);
  };
  for (const { from, to, at, width, isFolded } of stretches) {
    // The end of what is left out says more than a round number just before it.
    if (isFolded && at + width - ticks.at(-1)!.at < FOLD_TICK_SPACE && ticks.length > 1) ticks.pop();
    if (isFolded) put({ at: at + width, elapsed: to - begin });
    else
      for (let elapsed = Math.ceil((from - begin) / step) * step; elapsed <= to - begin; elapsed += step)
        put({ at: at + (width * (elapsed - (from - begin))) / (to - from), elapsed });
  }
  return ticks;
};

/**
 * The time axis of calls until a moment, in epoch milliseconds. With `isFolding` long pauses are drawn short, so that
 * what ran can still be seen.
 */
export const axisOf = (calls: readonly TaskCall[], until: number, isFolding: boolean): Axis => {
  const begin = calls[0]?.beginsAt ?? until;
  const stretches = stretchesOf(busySpans(calls, until), begin, Math.max(begin, until), isFolding);
  return {
    at: (time) => placeIn(stretches, time),
    ticks: ticksOf(stretches, begin),
    breaks: stretches
      .filter(({ isFolded }) => isFolded)
      .map(({ from, to, at, width }) => ({ at: at + width / 2, ms: to - from })),
  };
};

/** Where the name of a tick stands beside its mark; `none`: there is no room for it. */
export type LabelSide = 'after' | 'before' | 'none';

/** Least space between two names, in pixels. */
const LABEL_SPACE = 4;

/**
 * Places the names of ticks on an axis of some width, all in pixels: none lies on another or beyond the end. The last one
 * says how long it took and comes first, then they come from the left.
 */
export const labelSides = (labels: readonly { at: number; width: number }[], axisWidth: number): LabelSide[] => {
  const taken: { from: number; to: number }[] = [];
  const sides: LabelSide[] = labels.map(() => 'none');
  const order = labels.map((_, i) => i);
  for (const i of [...order.slice(-1), ...order.slice(0, -1)]) {
    const { at, width } = labels[i]!;
    const side = at + width <= axisWidth ? 'after' : 'before';
    const from = side === 'after' ? at : at - width;
    const isFree = taken.every((other) => from >= other.to + LABEL_SPACE || from + width + LABEL_SPACE <= other.from);
    if (from < 0 || !isFree) continue;
    taken.push({ from, to: from + width });
    sides[i] = side;
  }
  return sides;
};
