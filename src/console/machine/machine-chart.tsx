import { chart } from 'virtual:chart';
import { computed, type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { TaskProps } from '../api/task-of-session.ts';
import { meaningOf, Sign } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Loading } from '../design/loaded.tsx';
import { useSize } from '../design/size.ts';
import { FoldProgress } from '../history/fold-progress.tsx';
import { historyOf, stateOf, type TaskHistory } from '../history/task-history.ts';
import { query, setQuery } from '../state/route.ts';
import { isPhone } from '../state/window.ts';
import { formatClock, locale } from '../text/numbers.ts';
import { shell } from '../text/shell.ts';
import { type StateName, states } from '../text/states.ts';
import { arrowWords, hasReason } from './arrow-words.ts';
import {
  type ChartArrow,
  type ChartEdge,
  type ChartNode,
  COUNT,
  countPlaces,
  isWithin,
  keyOf,
  labelPoint,
  sizeOf,
  TITLE,
} from './chart.ts';
import styles from './machine.module.css';
import { machineTexts, stateTitle, Transitions } from './transitions.tsx';

/** How much one press zooms, and the limits, beside the size that fits the pane. */
const STEP = 1.25;
const ZOOM_MAX = STEP ** 8;

/** Largest size that the chart is fitted to: its text stays among the others. */
const FIT_MAX = 1.25;

/** Smallest size that it opens with, in which its text can be read. */
const OPENS_FROM = 0.6;

/** The width of the chart's tool in words, in pixels, in the longest language. */
const TOOL_PX = 112;

/** Space around the fitted chart, in pixels: at its sides, and above and below with the legend. */
const [SIDES, ENDS] = [32, 60];

/** The size of the whole chart. */
const { width: WIDTH, height: HEIGHT } = sizeOf(chart);

/** How often an edge was taken. */
const Count = ({ count, x, y }: { count: number; x: number; y: number }) => {
  const width = COUNT.width + COUNT.digit * String(count).length;
  const { height } = COUNT;
  return (
    <g class={styles.count}>
      <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={height / 2} />
      <text x={x} y={y}>
        {count}
      </text>
    </g>
  );
};

interface EdgeProps {
  edge: ChartEdge;
  kind: 'untaken' | 'next' | 'taken' | 'latest';
  /** How often it was taken. */
  count: number;
  pointed: Signal<string | null>;
}

const Edge = ({ edge: { id, points }, kind, count, pointed }: EdgeProps) => {
  const line = points.map(({ x, y }) => `${x},${y}`).join(' ');
  const [before, end] = [points.at(-2)!, points.at(-1)!];
  const turned = (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI;
  const isPointed = pointed.value === id;
  return (
    // Only a pointer needs this: the states offer the same by keyboard.
    <g
      class={`${styles[kind]} ${isPointed ? styles.pointed : ''}`}
      data-edge={id}
      data-count={count}
      onPointerEnter={() => {
        pointed.value = id;
      }}
    >
      <polyline class={styles.line} points={line} />
      <path d="M-7-3.5 0 0-7 3.5z" transform={`translate(${end.x} ${end.y}) rotate(${turned})`} />
      <polyline class={styles.target} points={line} />
    </g>
  );
};

/** The counts of the edges that were taken, in front of the lines. */
const Counts = ({ edges, pointed }: { edges: readonly Omit<EdgeProps, 'pointed'>[]; pointed: string | null }) => {
  const taken = edges.filter(({ count }) => count > 0);
  const places = useMemo(
    () => countPlaces(chart, taken),
    [taken.map(({ edge, count }) => `${edge.id} ${count}`).join()],
  );
  return taken
    .filter(({ edge }) => edge.id !== pointed)
    .map(({ edge, kind, count }) => (
      <g key={edge.id} class={styles[kind]}>
        <Count count={count} {...(places.get(edge.id) ?? labelPoint(edge.points))} />
      </g>
    ));
};

/** The events of an edge, in front of everything else. */
const Events = ({ edge: { from, to, points } }: { edge: ChartEdge }) => {
  const { x, y } = labelPoint(points);
  const arrows = chart.arrows.filter((arrow) => arrow.from === from && arrow.to === to);
  const names = [...new Set(arrows.map(({ event }) => event ?? machineTexts.value.atOnce))];
  return (
    <text class={styles.event} x={x} y={y - names.length * 8 - 8}>
      {names.map((name) => (
        <tspan key={name} x={x} dy={16}>
          {name}
        </tspan>
      ))}
    </text>
  );
};

interface NodeProps {
  node: ChartNode;
  isActive: boolean;
  isVisited: boolean;
  pointed: Signal<string | null>;
}

const Node = ({ node: { id, kind, effect, x, y, width, height }, isActive, isVisited, pointed }: NodeProps) => {
  const isGroup = kind === 'group';
  const point = (): void => {
    pointed.value = id;
  };
  const key = keyOf(id);
  const colour = isActive && key in states.value ? `var(--${meaningOf(key as StateName)})` : undefined;
  const looks = [styles.node, styles[kind], isActive ? styles.active : '', isVisited ? '' : styles.unvisited];
  return (
    // biome-ignore lint/a11y/useSemanticElements: an SVG has no <button>.
    <g
      class={looks.join(' ')}
      style={{ '--stroke': colour }}
      data-state={id}
      data-active={isActive}
      transform={`translate(${x} ${y})`}
      role="button"
      aria-label={isGroup ? stateTitle(id) : undefined}
      aria-current={isActive ? 'step' : undefined}
      tabIndex={0}
      onClick={point}
      onFocus={point}
      onPointerEnter={point}
    >
      <rect width={width} height={height} rx={kind === 'gate' ? height / 2 : isGroup ? 10 : 6} />
      {kind === 'final' && <rect x={3} y={3} width={width - 6} height={height - 6} rx={4} />}
      {!isGroup && (
        <text x={width / 2} y={height / 2 + (effect === null ? 5 : -1)}>
          {stateTitle(id)}
        </text>
      )}
      {/* Between the two words of its name. */}{' '}
      {effect !== null && (
        <text class={styles.effect} x={width / 2} y={height / 2 + 13}>
          {effect}
        </text>
      )}
    </g>
  );
};

/** The part of the machine that is drawn, and what became of it until the selected entry. */
const pathIn = (history: TaskHistory) => {
  // The trace itself has the states, so showing the current one need not wait for the fold.
  const state = stateOf(history);
  const counts: ReadonlyMap<string, number> = history.fold.value?.countsAt(history.index.value) ?? new Map();
  const latest = history.fold.value?.arrowsAt(history.index.value) ?? [];
  const active = chart.nodes.find(({ id, kind }) => keyOf(id) === (state ?? 'opened') && kind !== 'group');
  const isAround = (id: string): boolean => active !== undefined && isWithin(active.id, id);
  // Until the fold knows the task, what the state allows.
  const possible = history.fold.value?.possibleAt(history.index.value) ?? null;
  /** The transitions that may be taken next. */
  const next = chart.arrows.filter(
    ({ id, from, to }) => to !== null && (possible === null ? isAround(from) : possible.has(id)),
  );
  const edges = chart.edges.map((edge) => {
    const own = chart.arrows.filter(({ from, to }) => from === edge.from && to === edge.to);
    const count = own.reduce((sum, { id }) => sum + (counts.get(id) ?? 0), 0);
    const isLatest = own.some(({ id }) => latest.includes(id));
    const open = own.some((arrow) => next.includes(arrow)) ? 'next' : 'untaken';
    const kind = count > 0 ? 'taken' : open;
    return { edge, count, kind: isLatest ? 'latest' : kind } as const;
  });
  return { state, counts, active, edges, next };
};

/** The states that transitions lead to, each with the reasons for it: those of the innermost state first. */
const reasonsByState = (next: readonly ChartArrow[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const reasons = new Map<string, Set<string>>();
  for (const arrow of next.toSorted((one, other) => other.from.length - one.from.length)) {
    const title = stateTitle(arrow.to ?? arrow.from);
    reasons.set(title, (reasons.get(title) ?? new Set()).add(arrowWords(arrow)));
  }
  return reasons;
};

/** The states that may come next after the selected entry, and why each would. */
export const MayComeNext = ({ history }: { history: TaskHistory }) => {
  const { next } = pathIn(history);
  if (next.length === 0) return null;
  const list = new Intl.ListFormat(locale.value, { type: 'disjunction' });
  return (
    <section class="padded stack" aria-label={machineTexts.value.mayComeNext}>
      <h4 class="label">{machineTexts.value.mayComeNext}</h4>
      <dl class={styles.reasons}>
        {[...reasonsByState(next)].map(([title, reasons]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd class="muted">{list.format(reasons)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

/** Every transition is drawn, by `?ways=all`; else those taken, those that may come next, and those of a state that is pointed at. */
const isAll = computed(() => query.value.get('ways') === 'all');

/** The chart's tool, in the line of the views: its icon alone where its words have no room. A phone has a list instead. */
export const MachineTools = () => {
  const { ref, size } = useSize<HTMLDivElement>();
  const title = machineTexts.value.allWays;
  const hasRoom = size.value.width >= TOOL_PX;
  if (isPhone.value) return null;
  return (
    <div class={styles.tools} ref={ref}>
      <Button
        kind="quiet"
        size="small"
        icon={hasRoom ? undefined : 'ways'}
        title={hasRoom ? undefined : title}
        aria-pressed={isAll.value}
        onClick={() => setQuery({ ways: isAll.peek() ? null : 'all' })}
      >
        {hasRoom ? title : undefined}
      </Button>
    </div>
  );
};

const Legend = () => {
  const texts = machineTexts.value;
  const line = (kind: string, title: string) => (
    <span class="line">
      <svg class={kind} viewBox="0 0 24 8" width="24" height="8" aria-hidden="true">
        <path class={styles.line} d="M0 4h24" />
      </svg>
      {title}
    </span>
  );
  return (
    <p class={`${styles.legend} muted small`}>
      {line(String(styles.latest), texts.lastTaken)}
      {line(String(styles.taken), texts.takenOften)}
      {line(String(styles.next), texts.mayBe)}
      {isAll.value && line(String(styles.untaken), texts.notYet)}
    </p>
  );
};

/** The machine as a statechart that fits its pane, with the task's path through it. */
const StateChart = ({ history }: { history: TaskHistory }) => {
  const texts = machineTexts.value;
  const pointed = useSignal<string | null>(null);
  /** How much larger than fitted; null: as it opened. */
  const zoomed = useSignal<number | null>(null);
  const { ref: pane, size } = useSize<HTMLElement>();
  const { state, counts, active, edges: all, next } = pathIn(history);
  const edges = all
    .filter(
      ({ edge: { from, to }, count, kind }) =>
        isAll.value || count > 0 || kind === 'next' || [from, to].includes(pointed.value ?? '-'),
    )
    .sort((a, b) => a.count - b.count);
  const visited = new Set(edges.flatMap(({ edge: { from, to }, count }) => (count > 0 ? [from, to] : [])));
  const { width, height } = size.value;
  const fit = Math.max(0.1, Math.min((width - SIDES) / WIDTH, (height - ENDS) / HEIGHT, FIT_MAX));
  const zoom = zoomed.value ?? Math.max(1, OPENS_FROM / fit);
  const scale = fit * zoom;
  // Keeps the active state in view where the chart is larger than its pane.
  useEffect(() => {
    const { current: view } = pane;
    if (view === null || active === undefined) return;
    const left = (active.x + active.width / 2) * scale - view.clientWidth / 2;
    view.scrollTo(left, (active.y + active.height / 2) * scale - view.clientHeight / 2);
  }, [active, scale]);
  const named = edges.find(({ edge }) => edge.id === pointed.value)?.edge;
  const pointedAt = chart.arrows.filter(({ from, to }) => [from, `${from}→${to}`].includes(pointed.value ?? '-'));
  const zoomTo = (to: number) => (): void => {
    zoomed.value = Math.min(ZOOM_MAX, Math.max(1 / STEP, to));
  };
  const groups = chart.nodes.filter(({ kind }) => kind === 'group');
  const nodeOf = (node: ChartNode) => (
    <Node
      key={node.id}
      node={node}
      isActive={node === active}
      isVisited={node.kind === 'group' || node === active || visited.has(node.id)}
      pointed={pointed}
    />
  );
  return (
    <div
      class={styles.chart}
      onPointerLeave={() => {
        pointed.value = null;
      }}
    >
      <section
        class={styles.scrolled}
        ref={pane}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
        tabIndex={0}
        aria-label={texts.chart(chart.machine, state === null ? texts.noState : states.value[state])}
      >
        <svg
          class={styles.svg}
          width={WIDTH * scale}
          height={HEIGHT * scale}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          role="presentation"
        >
          {groups.map(nodeOf)}
          {edges.map((of) => (
            <Edge key={of.edge.id} {...of} pointed={pointed} />
          ))}
          {groups.map((node) => (
            <text key={node.id} class={styles.title} x={node.x + TITLE.x} y={node.y + TITLE.y}>
              {stateTitle(node.id)}
            </text>
          ))}
          {chart.nodes.filter(({ kind }) => kind !== 'group').map(nodeOf)}
          <Counts edges={edges} pointed={pointed.value} />
          {named !== undefined && <Events edge={named} />}
        </svg>
      </section>
      <div class={styles.zoom}>
        <Button icon="minus" title={texts.zoomOut} onClick={zoomTo(zoom / STEP)} />
        <Button icon="plus" title={texts.zoomIn} onClick={zoomTo(zoom * STEP)} />
        <Button icon="whole" title={texts.fit} onClick={zoomTo(1)} />
      </div>
      {pointedAt.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
        <section class={`${styles.pointedAt} card padded`} tabIndex={0} aria-label={texts.transitions}>
          <Transitions of={pointedAt} counts={counts} next={next} isLong />
        </section>
      )}
      <Legend />
    </div>
  );
};

/** Why the task came into its state, and when, from the last entry that moved it; null: it is not folded so far. */
const reasonIn = ({ entries, fold, index }: TaskHistory): { at: string; words: string } | null => {
  for (let at = index.value; at >= 0; at -= 1) {
    const ids = fold.value?.arrowsAt(at) ?? [];
    const taken = chart.arrows.filter(({ id }) => ids.includes(id));
    if (!taken.some(({ to }) => to !== null)) continue;
    // A transition without event or guard says nothing that the one before it does not.
    const reasons = taken.filter(hasReason).map(arrowWords);
    return { at: entries[at]!.at, words: [...new Set(reasons)].join(machineTexts.value.listed) };
  }
  return null;
};

/** The state of the task, and why it is in it. */
const Now = ({ history }: { history: TaskHistory }) => {
  const texts = machineTexts.value;
  const state = stateOf(history);
  const reason = reasonIn(history);
  return (
    <section class="padded stack" aria-label={texts.now}>
      <h3 class="label">{texts.now}</h3>
      <p class={styles.now}>
        <Sign meaning={state === null ? 'open' : meaningOf(state)} />
        <strong class="sentence">{state === null ? texts.noState : states.value[state]}</strong>
        <span class="muted small">{reason !== null && texts.since(formatClock(Date.parse(reason.at)))}</span>
        <span class="sentence">{reason?.words}</span>
      </p>
    </section>
  );
};

/** Where the task is in the machine, what may come next, and its path so far, as lists. */
const PathList = ({ history }: { history: TaskHistory }) => {
  const { counts, next } = pathIn(history);
  const path = chart.arrows.filter(({ id }) => counts.has(id));
  if (history.count.value === 0) return <Loading />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section class="scrolls" tabIndex={0} aria-label={shell.value.machine}>
      <Now history={history} />
      <MayComeNext history={history} />
      {path.length > 0 && (
        <section class="padded stack" aria-label={machineTexts.value.path}>
          <h3 class="label">{machineTexts.value.path}</h3>
          <Transitions of={path} counts={counts} next={next} />
        </section>
      )}
    </section>
  );
};

/** The machine as a statechart with the task's path through it; on a phone lists. */
export const Machine = ({ history }: { history: TaskHistory }) => (
  <>
    <FoldProgress history={history} />
    {isPhone.value ? <PathList history={history} /> : <StateChart history={history} />}
  </>
);

/** The machine with a task's state in it. */
export const MachinePane = (of: TaskProps) => <Machine history={historyOf(of)} />;
