import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { useSize } from '../design/size.ts';
import type { TaskCall } from '../history/calls.ts';
import type { Spent } from '../history/spent.ts';
import { formatDuration, formatTick } from '../text/numbers.ts';
import { type Axis, type LabelSide, labelSides } from './axis.ts';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';

/** A bar on the axis; its place and width are parts of the whole axis. */
interface Bar {
  kind: TaskCall['kind'] | 'failed';
  at: number;
  width: number;
}

/** Bars nearer to each other than this are drawn as one, as a part of the axis: a screen shows no more. */
const BAR_PART_MIN = 1 / 600;

/** The bars of calls: of thousands, no more than can be told apart. */
const barsOf = (calls: readonly TaskCall[], axis: Axis, until: number): Bar[] => {
  const bars: Bar[] = [];
  for (const { kind: own, isFailed, beginsAt, endsAt } of calls) {
    const kind = isFailed && own !== 'point' ? 'failed' : own;
    const at = axis.at(beginsAt);
    const end = axis.at(endsAt ?? until);
    const last = bars.at(-1);
    const isNear = last !== undefined && calls.length > 1 && end - last.at < BAR_PART_MIN;
    if (isNear && kind !== 'failed') last.width = Math.max(last.width, end - last.at);
    else bars.push({ kind, at, width: end - at });
  }
  return bars;
};

/** A duration beside a bar stands before it if there is no room behind it, which is from here on. */
const BEFORE_FROM = 0.78;

const percent = (part: number): string => `${(100 * part).toFixed(3)}%`;

interface LaneProps {
  calls: readonly TaskCall[];
  axis: Axis;
  until: number;
  /** Their time, tokens and money together. */
  spent: Spent;
  /** A bracket over all of them in place of their bars. */
  isGroup?: boolean;
}

/**
 * The part of a row on the time axis: the bars of its calls, and how long they worked together. A wait counts only where
 * there is nothing else; the tooltip has both.
 */
export const Lane = ({ calls, axis, until, spent: { ms, waited }, isGroup = false }: LaneProps) => {
  const bars = useMemo(() => barsOf(calls, axis, until), [calls, axis, until]);
  // A bracket ends with the work: a wait after it has its own bar.
  const work = calls.filter(({ kind }) => kind !== 'wait');
  const spanned = isGroup && work.length > 0 ? work : calls;
  const beginsAt = spanned[0]!.beginsAt;
  const endsAt = spanned.reduce((latest, call) => Math.max(latest, call.endsAt ?? until), beginsAt);
  const [begin, end] = [axis.at(beginsAt), axis.at(endsAt)];
  const isPoint = calls.length === 1 && calls[0]!.kind === 'point';
  const isBefore = end > BEFORE_FROM;
  const drawn = isGroup ? [{ kind: 'group', at: begin, width: end - begin }] : bars;
  return (
    <span class={styles.lane}>
      {drawn.map(({ kind, at, width }, i) => (
        <i
          key={i}
          class={styles.bar}
          data-bar={kind}
          style={{ left: percent(at), width: kind === 'point' ? undefined : percent(width) }}
        />
      ))}
      {!isPoint && (
        <em
          class={styles.took}
          data-failed={calls.length === 1 && calls[0]!.isFailed}
          title={
            ms > 0 && waited > 0 ? timelineTexts.value.worked(formatDuration(ms), formatDuration(waited)) : undefined
          }
          style={isBefore ? { right: percent(1 - begin) } : { left: percent(end) }}
        >
          {ms + waited > 0 && formatDuration(ms > 0 ? ms : waited)}
        </em>
      )}
    </span>
  );
};

/** Least space between two strokes that unfold time, as a part of the axis. */
const BREAK_SPACE = 0.05;

interface RulerProps {
  axis: Axis;
  /** When it begins, in words. */
  since: string;
  /** Shows folded time at its whole length. */
  unfold: () => void;
  /** Folds it again; null: none is unfolded. */
  fold: (() => void) | null;
  hasCosts: boolean;
}

/** The head of the waterfall: the time axis, with two strokes where it leaves out time. */
export const Ruler = ({ axis: { ticks, breaks }, since, unfold, fold, hasCosts }: RulerProps) => {
  const texts = timelineTexts.value;
  const { ref, size } = useSize<HTMLSpanElement>();
  const sides = useSignal<readonly LabelSide[]>([]);
  const names = ticks.map(({ elapsed }) => formatTick(elapsed));
  const { width } = size.value;
  // Their widths are known once they are drawn.
  useLayoutEffect(() => {
    const widths = [...(ref.current?.querySelectorAll<HTMLElement>('[data-side]') ?? [])].map(
      (name) => name.offsetWidth,
    );
    sides.value = labelSides(
      ticks.map(({ at }, i) => ({ at: at * width, width: widths[i] ?? 0 })),
      width,
    );
  }, [width, names.join(), ticks.map(({ at }) => at).join()]);
  const shown = breaks.filter(({ at }, i) => i === 0 || at - breaks[i - 1]!.at >= BREAK_SPACE);
  return (
    <div class={`${styles.columns} ${styles.ruler}`}>
      <span class="line">
        {since}
        {fold !== null && (
          <button type="button" class={styles.fold} onClick={fold}>
            {texts.foldWaits}
          </button>
        )}
      </span>
      <span class={styles.axis} ref={ref}>
        {ticks.map(({ at }, i) => (
          <span key={at} class={`${styles.tick} number`} style={{ left: percent(at) }}>
            <span data-side={sides.value[i] ?? 'none'}>{names[i]}</span>
          </span>
        ))}
        {shown.map(({ at, ms }) => (
          <button
            key={at}
            type="button"
            class={styles.break}
            style={{ left: percent(at) }}
            title={texts.unfoldWait(formatDuration(ms))}
            aria-label={texts.unfoldWait(formatDuration(ms))}
            onClick={unfold}
          />
        ))}
      </span>
      <span class={styles.amount}>{texts.tokensHead}</span>
      {hasCosts && <span class={styles.amount}>{texts.costHead}</span>}
    </div>
  );
};

/** The marks of the axis through all rows. */
export const AxisLines = ({ axis: { ticks } }: { axis: Axis }) => (
  <div class={`${styles.columns} ${styles.lines}`} aria-hidden="true">
    <span />
    <span class={styles.lane}>
      {ticks.map(({ at }) => (
        <i key={at} style={{ left: percent(at) }} />
      ))}
    </span>
  </div>
);
