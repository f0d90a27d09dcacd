import { chart } from 'virtual:chart';
import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { TaskProps } from '../app/task-of-session.ts';
import { meaningOf } from '../design/badge.tsx';
import { Button, Icon, type IconName } from '../design/button.tsx';
import { Check } from '../design/fields.tsx';
import type { ArrowCounts } from '../fold/task-fold.ts';
import { FoldProgress } from '../history/fold-progress.tsx';
import { type TaskHistory, useHistory } from '../history/task-history.ts';
import { stateAt } from '../history/task-trace.ts';
import { type StateName, states } from '../text/states.ts';
import { type ChartEdge, type ChartNode, edgePath, labelPoint, partOf } from './chart.ts';
import styles from './machine.module.css';
import { machineTexts, stateTitle, Transitions, transitionsOf } from './transitions.tsx';

/** A task's path through the machine, up to the entry that is looked at. */
interface MachineTrail {
  /** The state that it is in; null: not opened yet. */
  state: string | null;
  /** How often each transition was taken. */
  counts: ArrowCounts;
  /** Ids of the transitions that the last entry took. */
  latest: readonly string[];
}

/** How much one press zooms, and how far. At 1 the smallest text has 12 pixels. */
const STEP = 1.25;
const ZOOM_MAX = STEP ** 4;

const sumOf = ({ arrows }: ChartEdge, counts: ArrowCounts): number =>
  arrows.reduce((sum, { id }) => sum + (counts.get(id) ?? 0), 0);

interface EdgeProps {
  edge: ChartEdge;
  trail: MachineTrail;
  markers: string;
  pointed: Signal<string | null>;
}

const Edge = ({ edge, trail, markers, pointed }: EdgeProps) => {
  const count = sumOf(edge, trail.counts);
  const isLatest = edge.arrows.some(({ id }) => trail.latest.includes(id));
  const kind = isLatest ? 'latest' : count > 0 ? 'taken' : 'untaken';
  const path = edgePath(edge.points);
  const { x, y } = labelPoint(edge.points);
  const isPointed = pointed.value === edge.id;
  return (
    // Only what the pointer is at: the states have the same for the keyboard.
    <g
      class={`${styles[kind]} ${isPointed ? styles.pointed : ''}`}
      data-edge={edge.id}
      data-count={count}
      onPointerEnter={() => {
        pointed.value = edge.id;
      }}
    >
      <path class={styles.line} d={path} markerEnd={`url(#${markers}-${kind})`} />
      <path class={styles.target} d={path} />
      {count > 0 && !isPointed && (
        <text class={styles.count} x={x} y={y}>
          {count}
        </text>
      )}
    </g>
  );
};

/** The events of an edge, in front of all else. */
const Events = ({ edge: { points, arrows } }: { edge: ChartEdge }) => {
  const { x, y } = labelPoint(points);
  const names = [...new Set(arrows.map(({ event }) => event ?? machineTexts.value.atOnce))];
  return (
    <text class={styles.event} x={x} y={y - (names.length - 1) * 8}>
      {names.map((name, i) => (
        <tspan key={name} x={x} dy={i === 0 ? 0 : 16}>
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

const Node = ({ node, isActive, isVisited, pointed }: NodeProps) => {
  const isGroup = node.kind === 'group';
  const point = (): void => {
    pointed.value = node.id;
  };
  const colour = isActive && node.key in states.value ? `var(--${meaningOf(node.key as StateName)})` : undefined;
  const looks = [styles.node, styles[node.kind], isActive ? styles.active : '', isVisited ? '' : styles.unvisited];
  return (
    // biome-ignore lint/a11y/useSemanticElements: an SVG has no <button>.
    <g
      class={looks.join(' ')}
      style={{ '--stroke': colour }}
      data-state={node.id}
      data-active={isActive}
      transform={`translate(${node.x} ${node.y})`}
      role="button"
      aria-label={isGroup ? stateTitle(node) : undefined}
      aria-current={isActive ? 'step' : undefined}
      tabIndex={0}
      onClick={point}
      onFocus={point}
      onPointerEnter={point}
    >
      <rect width={node.width} height={node.height} rx={isGroup ? 10 : node.kind === 'gate' ? node.height / 2 : 8} />
      {!isGroup && (
        <text x={node.width / 2} y={node.height / 2 + (node.effect === null ? 5 : -2)}>
          {stateTitle(node)}
        </text>
      )}
      {/* Between the two words of its name. */}{' '}
      {node.effect !== null && (
        <text class={styles.effect} x={node.width / 2} y={node.height / 2 + 14}>
          {node.effect}
        </text>
      )}
    </g>
  );
};

const Markers = ({ id }: { id: string }) => (
  <defs>
    {['untaken', 'taken', 'latest'].map((kind) => (
      <marker
        key={kind}
        id={`${id}-${kind}`}
        class={styles[`${kind}-head`]}
        viewBox="0 0 8 8"
        refX="7.5"
        refY="4"
        markerWidth="7"
        markerHeight="7"
        markerUnits="userSpaceOnUse"
        orient="auto"
      >
        <path d="M0 0.5 8 4 0 7.5z" />
      </marker>
    ))}
  </defs>
);

/** The machine as a statechart, with the path that a task took through it and what may come next; on a small screen a list of that. */
const MachineChart = ({ trail }: { trail: MachineTrail }) => {
  const texts = machineTexts.value;
  const pointed = useSignal<string | null>(null);
  const isAll = useSignal(false);
  const zoom = useSignal(1);
  const scrolled = useRef<HTMLElement>(null);
  const markers = useId();
  const { state, counts } = trail;
  const { active, around, nodes, edges, box } = partOf(chart, state, (edge) => sumOf(edge, counts) > 0, isAll.value);
  const visited = new Set(edges.filter((edge) => sumOf(edge, counts) > 0).flatMap(({ from, to }) => [from, to]));
  const isVisited = ({ id, kind }: ChartNode): boolean => kind === 'group' || id === active?.id || visited.has(id);
  const name = state === null ? texts.noState : states.value[state as StateName];
  const width = box.width * zoom.value;
  // The active state is in view.
  useEffect(() => {
    const { current: view } = scrolled;
    if (view === null || active === null) return;
    const at = (start: number, size: number, from: number, seen: number) =>
      (start + size / 2 - from) * zoom.value - seen / 2;
    view.scrollTo(
      at(active.x, active.width, box.x, view.clientWidth),
      at(active.y, active.height, box.y, view.clientHeight),
    );
  }, [active?.id, zoom.value, box.x, box.y]);
  const all = transitionsOf(chart);
  const named = edges.find(({ id }) => id === pointed.value);
  const pointedAt = all.filter(
    ({ from, to }) => pointed.value === from?.id || pointed.value === `${from?.id}→${to?.id}`,
  );
  const next = all.filter(({ from, to }) => to !== null && around.includes(from?.id ?? ''));
  const path = all.filter((each) => counts.has(each.arrow.id) || next.includes(each));
  const zoomBy = (icon: IconName, label: string, by: number) => (
    <Button
      kind="quiet"
      aria-label={label}
      title={label}
      onClick={() => {
        zoom.value = Math.min(ZOOM_MAX, Math.max(1 / STEP, zoom.value * by));
      }}
    >
      <Icon name={icon} />
    </Button>
  );
  const groups = nodes.filter(({ kind }) => kind === 'group');
  const nodeOf = (node: ChartNode) => (
    <Node key={node.id} node={node} isActive={node === active} isVisited={isVisited(node)} pointed={pointed} />
  );
  return (
    <div class="padded stack">
      <div class={`${styles.tools} line`}>
        <Check of={isAll}>{texts.all}</Check>
        {zoomBy('minus', texts.zoomOut, 1 / STEP)}
        {zoomBy('plus', texts.zoomIn, STEP)}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section class={styles.scrolled} ref={scrolled} tabIndex={0} aria-label={texts.chart(chart.machine, name)}>
        <svg
          class={styles.svg}
          width={width}
          height={box.height * zoom.value}
          viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
          role="presentation"
          onPointerLeave={() => {
            pointed.value = null;
          }}
        >
          <Markers id={markers} />
          {groups.map(nodeOf)}
          {edges
            .toSorted((a, b) => sumOf(a, counts) - sumOf(b, counts))
            .map((edge) => (
              <Edge key={edge.id} edge={edge} trail={trail} markers={markers} pointed={pointed} />
            ))}
          {groups.map((node) => (
            <text key={node.id} class={styles.title} x={node.x + 12} y={node.y + 22}>
              {stateTitle(node)}
            </text>
          ))}
          {nodes.filter(({ kind }) => kind !== 'group').map(nodeOf)}
          {named !== undefined && <Events edge={named} />}
        </svg>
      </section>
      <p class={`${styles.hint} muted small`}>{texts.hint}</p>
      <Transitions of={isAll.value ? all : pointedAt.length > 0 ? pointedAt : path} counts={counts} next={next} />
    </div>
  );
};

const NOTHING: MachineTrail = { state: null, counts: new Map(), latest: [] };

const trailOf = ({ trace, fold, index }: TaskHistory): MachineTrail => {
  const at = index.value;
  const folded = fold.value;
  if (at < 0) return NOTHING;
  // The states are in the trace itself, so that one need not wait for the fold to see where the task is.
  const state = stateAt(trace.entries, at);
  if (folded === null || at >= folded.folded.value) return { ...NOTHING, state };
  return { state, counts: folded.countsAt(at), latest: folded.arrowsAt(at) };
};

/** The machine, with what a history did with it up to the entry that is looked at. */
export const Machine = ({ history }: { history: TaskHistory }) => {
  useEffect(() => history.needFold(), [history]);
  const trail = useComputed(() => trailOf(history));
  return (
    <>
      <FoldProgress history={history} />
      <MachineChart trail={trail.value} />
    </>
  );
};

/** The machine with a task's state in it. */
export const MachinePane = (of: TaskProps) => <Machine history={useHistory(of)} />;
