import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { meaningOf } from '../design/badge.tsx';
import { Button, Icon } from '../design/button.tsx';
import type { ArrowCounts } from '../fold/task-fold.ts';
import { type StateName, states } from '../text/states.ts';
import { type Chart, type ChartEdge, type ChartNode, edgePath, labelPoint, partOf } from './chart.ts';
import styles from './machine.module.css';
import { machineTexts } from './texts.ts';
import { stateTitle, Table, transitionsOf } from './transitions.tsx';

/** A task's path through the machine, up to the entry that is looked at. */
export interface MachineTrail {
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
  const meaning = isActive && node.key in states.value ? styles[meaningOf(node.key as StateName)] : '';
  const looks = [
    styles.node,
    styles[node.kind],
    isActive ? styles.active : '',
    isVisited ? '' : styles.unvisited,
    meaning,
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: an SVG has no <button>.
    <g
      class={looks.join(' ')}
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
        <text class={styles.name} x={node.width / 2} y={node.height / 2 + (node.effect === null ? 5 : -2)}>
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
export const MachineChart = ({ chart, trail }: { chart: Chart; trail: ReadonlySignal<MachineTrail> }) => {
  const texts = machineTexts.value;
  const pointed = useSignal<string | null>(null);
  const isAll = useSignal(false);
  const zoom = useSignal(1);
  const scrolled = useRef<HTMLElement>(null);
  const markers = useId();
  const { state, counts } = trail.value;
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
  const listed = all.filter(
    ({ arrow, from, to }) => isAll.value || counts.has(arrow.id) || (to !== null && around.includes(from?.id ?? '')),
  );
  const details = all.filter(({ from, to }) => pointed.value === from?.id || pointed.value === `${from?.id}→${to?.id}`);
  const scale = (by: number): void => {
    zoom.value = Math.min(ZOOM_MAX, Math.max(1 / STEP, zoom.value * by));
  };
  const groups = nodes.filter(({ kind }) => kind === 'group');
  const nodeOf = (node: ChartNode) => (
    <Node key={node.id} node={node} isActive={node === active} isVisited={isVisited(node)} pointed={pointed} />
  );
  return (
    <div class={styles.chart}>
      <div class={styles.tools}>
        <label class={styles.switch}>
          <input
            type="checkbox"
            checked={isAll.value}
            onChange={(event) => {
              isAll.value = event.currentTarget.checked;
            }}
          />
          {texts.all}
        </label>
        <Button kind="quiet" aria-label={texts.zoomOut} title={texts.zoomOut} onClick={() => scale(1 / STEP)}>
          <Icon name="minus" />
        </Button>
        <Button kind="quiet" aria-label={texts.zoomIn} title={texts.zoomIn} onClick={() => scale(STEP)}>
          <Icon name="plus" />
        </Button>
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
              <Edge key={edge.id} edge={edge} trail={trail.value} markers={markers} pointed={pointed} />
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
      <ol class={styles.list}>
        {listed.map(({ arrow: { id, event, guard }, from, to }) => (
          <li key={id} data-taken={counts.has(id)}>
            <span>
              {from === null ? texts.anyState : stateTitle(from)} → {to === null ? texts.stays : stateTitle(to)}
            </span>
            <span>
              {counts.has(id)
                ? texts.times(counts.get(id) ?? 0)
                : to !== null && around.includes(from?.id ?? '') && texts.mayBe}
            </span>
            <code>{[event ?? texts.atOnce, guard].filter(Boolean).join(' · ')}</code>
          </li>
        ))}
      </ol>
      <div class={styles.pointedAt} aria-live="polite">
        {isAll.value ? (
          <Table transitions={all} counts={counts} />
        ) : details.length > 0 ? (
          <Table transitions={details} counts={counts} />
        ) : (
          <p>{texts.hint}</p>
        )}
      </div>
    </div>
  );
};
