import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { meaningOf } from '../design/badge.tsx';
import { Button, Icon } from '../design/button.tsx';
import type { ArrowCounts } from '../fold/task-fold.ts';
import { type StateName, states } from '../text/states.ts';
import type { Chart, ChartEdge, ChartNode } from './chart.ts';
import { edgePath, labelPoint } from './edge-path.ts';
import styles from './machine-chart.module.css';
import { stateTitle } from './state-title.ts';
import { machineTexts } from './texts.ts';
import { TransitionList } from './transition-list.tsx';
import { useZoom } from './use-zoom.ts';

/** A task's path through the machine, up to the entry that is looked at. */
export interface MachineTrail {
  /** The state that it is in; null: not opened yet. */
  state: string | null;
  /** How often each transition was taken. */
  counts: ArrowCounts;
  /** Ids of the transitions that the last entry took. */
  latest: readonly string[];
}

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
  const at = labelPoint(edge.points);
  return (
    // Only what the pointer is at: the states have the same for the keyboard.
    <g
      class={`${styles.edge} ${styles[kind]} ${pointed.value === edge.id ? styles.pointed : ''}`}
      data-edge={edge.id}
      data-count={count}
      onPointerEnter={() => {
        pointed.value = edge.id;
      }}
    >
      <path class={styles.line} d={path} markerEnd={`url(#${markers}-${kind})`} />
      <path class={styles.target} d={path} />
      {count > 0 && (
        <text class={styles.count} x={at.x} y={at.y}>
          {count}
        </text>
      )}
    </g>
  );
};

const Node = ({ node, trail, pointed }: { node: ChartNode; trail: MachineTrail; pointed: Signal<string | null> }) => {
  const isActive = node.kind !== 'gate' && node.key === trail.state;
  const isGroup = node.kind === 'group';
  const point = (): void => {
    pointed.value = node.id;
  };
  const meaning = isActive ? (styles[meaningOf(node.key as StateName)] ?? '') : '';
  return (
    // biome-ignore lint/a11y/useSemanticElements: an SVG has no <button>.
    <g
      class={`${styles.node} ${styles[node.kind]} ${isActive ? styles.active : ''} ${meaning}`}
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
      <rect width={node.width} height={node.height} rx={isGroup ? 8 : node.kind === 'gate' ? node.height / 2 : 6} />
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

/** Groups lie behind the edges, states before them, and what was taken before what was not. */
const layersOf = (chart: Chart, trail: MachineTrail) => ({
  groups: chart.nodes.filter(({ kind }) => kind === 'group'),
  edges: chart.edges.toSorted((a, b) => sumOf(a, trail.counts) - sumOf(b, trail.counts)),
  states: chart.nodes.filter(({ kind }) => kind !== 'group'),
});

/** The machine as a statechart, with the path that a task took through it. */
export const MachineChart = ({ chart, trail }: { chart: Chart; trail: ReadonlySignal<MachineTrail> }) => {
  const texts = machineTexts.value;
  const pointed = useSignal<string | null>(null);
  const markers = useId();
  const { view, ref, showWhole, zoomIn, zoomOut, onPointerDown, onKeyDown } = useZoom(chart);
  const { x, y, width, height } = view.value;
  const { groups, edges, states: inner } = layersOf(chart, trail.value);
  const { state } = trail.value;
  const name = state === null ? texts.noState : states.value[state as StateName];
  return (
    <div class={styles.chart}>
      <div class={styles.tools}>
        <Button kind="quiet" aria-label={texts.zoomOut} title={texts.zoomOut} onClick={zoomOut}>
          <Icon name="minus" />
        </Button>
        <Button kind="quiet" aria-label={texts.zoomIn} title={texts.zoomIn} onClick={zoomIn}>
          <Icon name="plus" />
        </Button>
        <Button kind="quiet" aria-label={texts.fit} title={texts.fit} onClick={showWhole}>
          <Icon name="whole" />
        </Button>
      </div>
      {/* Its states take the focus, and so the keys that zoom and move it. */}
      {/* biome-ignore lint/a11y/useSemanticElements: an SVG is no <fieldset>. */}
      <svg
        ref={ref}
        class={styles.svg}
        viewBox={`${x} ${y} ${width} ${height}`}
        role="group"
        aria-label={texts.chart(chart.machine, name)}
        onPointerDown={onPointerDown}
        onKeyDown={onKeyDown}
        onPointerLeave={() => {
          pointed.value = null;
        }}
      >
        <Markers id={markers} />
        {groups.map((node) => (
          <Node key={node.id} node={node} trail={trail.value} pointed={pointed} />
        ))}
        {edges.map((edge) => (
          <Edge key={edge.id} edge={edge} trail={trail.value} markers={markers} pointed={pointed} />
        ))}
        {groups.map((node) => (
          <text key={node.id} class={styles.title} x={node.x + 12} y={node.y + 22}>
            {stateTitle(node)}
          </text>
        ))}
        {inner.map((node) => (
          <Node key={node.id} node={node} trail={trail.value} pointed={pointed} />
        ))}
      </svg>
      <TransitionList chart={chart} pointed={pointed.value} counts={trail.value.counts} />
    </div>
  );
};
