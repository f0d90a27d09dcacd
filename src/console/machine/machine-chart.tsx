import { chart } from 'virtual:chart';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { TaskProps } from '../api/task-of-session.ts';
import { meaningOf } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Check } from '../design/fields.tsx';
import { FoldProgress } from '../history/fold-progress.tsx';
import { historyOf, stateOf, type TaskHistory } from '../history/task-history.ts';
import { type StateName, states } from '../text/states.ts';
import { type ChartEdge, type ChartNode, isWithin, keyOf, labelPoint, partOf } from './chart.ts';
import styles from './machine.module.css';
import { machineTexts, stateTitle, Transitions } from './transitions.tsx';

/** How much one press zooms, and the limits. At 1 the smallest text has 12 pixels. */
const STEP = 1.25;
const ZOOM_MAX = STEP ** 4;

interface EdgeProps {
  edge: ChartEdge;
  kind: 'untaken' | 'taken' | 'latest';
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
      {count > 0 && !isPointed && (
        <text class={styles.count} {...labelPoint(points)}>
          {count}
        </text>
      )}
    </g>
  );
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
      <rect width={width} height={height} rx={kind === 'gate' ? height / 2 : 8} />
      {!isGroup && (
        <text x={width / 2} y={height / 2 + (effect === null ? 5 : -2)}>
          {stateTitle(id)}
        </text>
      )}
      {/* Between the two words of its name. */}{' '}
      {effect !== null && (
        <text class={styles.effect} x={width / 2} y={height / 2 + 14}>
          {effect}
        </text>
      )}
    </g>
  );
};

/**
 * The machine as a statechart, with the task's path through it and its possible next transitions; on a small screen a
 * list of them.
 */
export const Machine = ({ history }: { history: TaskHistory }) => {
  const texts = machineTexts.value;
  const pointed = useSignal<string | null>(null);
  const isAll = useSignal(false);
  const zoom = useSignal(1);
  const scrolled = useRef<HTMLElement>(null);
  // The trace itself has the states, so showing the current one need not wait for the fold.
  const state = stateOf(history);
  const counts: ReadonlyMap<string, number> = history.fold.value?.countsAt(history.index.value) ?? new Map();
  const latest = history.fold.value?.arrowsAt(history.index.value) ?? [];
  const active = chart.nodes.find(({ id, kind }) => keyOf(id) === (state ?? 'opened') && kind !== 'group');
  const isAround = (id: string): boolean => active !== undefined && isWithin(active.id, id);
  const edges = chart.edges
    .map((edge) => {
      const own = chart.arrows.filter(({ from, to }) => from === edge.from && to === edge.to);
      const count = own.reduce((sum, { id }) => sum + (counts.get(id) ?? 0), 0);
      const isLatest = own.some(({ id }) => latest.includes(id));
      const kind = count > 0 ? 'taken' : 'untaken';
      return { edge, count, kind: isLatest ? 'latest' : kind } as const;
    })
    .filter(({ edge, count }) => isAll.value || count > 0 || isAround(edge.from))
    .sort((a, b) => a.count - b.count);
  const drawn = edges.map(({ edge }) => edge);
  const { nodes, x, y, width, height } = partOf(chart, drawn, active?.id, isAll.value);
  const visited = new Set(edges.flatMap(({ edge: { from, to }, count }) => (count > 0 ? [from, to] : [])));
  const scale = zoom.value;
  // Keeps the active state in view.
  useEffect(() => {
    const { current: view } = scrolled;
    if (view === null || active === undefined) return;
    const left = (active.x + active.width / 2 - x) * scale - view.clientWidth / 2;
    view.scrollTo(left, (active.y + active.height / 2 - y) * scale - view.clientHeight / 2);
  }, [active, scale, x, y]);
  const named = drawn.find(({ id }) => id === pointed.value);
  const pointedAt = chart.arrows.filter(({ from, to }) => [from, `${from}→${to}`].includes(pointed.value ?? '-'));
  const next = chart.arrows.filter(({ from, to }) => to !== null && isAround(from));
  const path = chart.arrows.filter((arrow) => counts.has(arrow.id) || next.includes(arrow));
  const zoomBy = (by: number) => (): void => {
    zoom.value = Math.min(ZOOM_MAX, Math.max(1 / STEP, scale * by));
  };
  const groups = nodes.filter(({ kind }) => kind === 'group');
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
    <>
      <FoldProgress history={history} />
      <div class="padded stack">
        <div class={`${styles.tools} line`}>
          <Check of={isAll}>{texts.all}</Check>
          <Button icon="minus" title={texts.zoomOut} onClick={zoomBy(1 / STEP)} />
          <Button icon="plus" title={texts.zoomIn} onClick={zoomBy(STEP)} />
        </div>
        <section
          class={styles.scrolled}
          ref={scrolled}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
          tabIndex={0}
          aria-label={texts.chart(chart.machine, state === null ? texts.noState : states.value[state])}
        >
          <svg
            class={styles.svg}
            width={width * scale}
            height={height * scale}
            viewBox={`${x} ${y} ${width} ${height}`}
            role="presentation"
            onPointerLeave={() => {
              pointed.value = null;
            }}
          >
            {groups.map(nodeOf)}
            {edges.map((of) => (
              <Edge key={of.edge.id} {...of} pointed={pointed} />
            ))}
            {groups.map((node) => (
              <text key={node.id} class={styles.title} x={node.x + 12} y={node.y + 22}>
                {stateTitle(node.id)}
              </text>
            ))}
            {nodes.filter(({ kind }) => kind !== 'group').map(nodeOf)}
            {named !== undefined && <Events edge={named} />}
          </svg>
        </section>
        <p class={`${styles.hint} muted small`}>{texts.hint}</p>
        <Transitions
          of={isAll.value ? chart.arrows : pointedAt.length > 0 ? pointedAt : path}
          counts={counts}
          next={next}
        />
      </div>
    </>
  );
};

/** The machine with a task's state in it. */
export const MachinePane = (of: TaskProps) => <Machine history={historyOf(of)} />;
