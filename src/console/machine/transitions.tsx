import type { ArrowCounts } from '../fold/task-fold.ts';
import { defineTexts } from '../text/language.ts';
import { type StateName, states } from '../text/states.ts';
import type { Chart, ChartArrow, ChartNode } from './chart.ts';
import styles from './machine.module.css';

/** Texts of the machine's chart. */
export const machineTexts = defineTexts(
  {
    chart: (machine: string, state: string) => `Statechart of ${machine}; the task is in the state “${state}”`,
    noState: 'not opened yet',
    outer: 'Outer loop · the plan',
    inner: 'Inner loop · one item',
    opened: 'opened',
    outerGate: 'what next?',
    innerGate: 'another round?',
    zoomIn: 'Larger',
    zoomOut: 'Smaller',
    all: 'All transitions',
    mayBe: 'may come next',
    hint: 'Point at a state or an arrow to see what leads on from it.',
    atOnce: 'at once',
    stays: 'stays',
    times: (count: number) => `${count}×`,
    anyState: 'any state',
  },
  {
    chart: (machine: string, state: string) => `${machine} 的状态图；任务处于“${state}”状态`,
    noState: '尚未打开',
    outer: '外循环 · 整个计划',
    inner: '内循环 · 单个步骤',
    opened: '已打开',
    outerGate: '接下来？',
    innerGate: '再来一轮？',
    zoomIn: '放大',
    zoomOut: '缩小',
    all: '所有转换',
    mayBe: '接下来可能',
    hint: '指向一个状态或箭头，查看它通向哪里。',
    atOnce: '立即',
    stays: '保持不变',
    times: (count: number) => `${count} 次`,
    anyState: '任何状态',
  },
);

/** The name of a state of the chart. */
export const stateTitle = ({ id, key }: ChartNode): string => {
  const texts = machineTexts.value;
  switch (id) {
    case 'outer':
      return texts.outer;
    case 'outer.inner':
      return texts.inner;
    case 'outer.gate':
      return texts.outerGate;
    case 'outer.inner.gate':
      return texts.innerGate;
    case 'opened':
      return texts.opened;
    default:
      return key in states.value ? states.value[key as StateName] : key;
  }
};

/** A transition with where it leads from and to. */
interface Transition {
  arrow: ChartArrow;
  /** Null: any state. */
  from: ChartNode | null;
  /** Null: it stays. */
  to: ChartNode | null;
}

/** Every transition of the machine, in the order of its states. */
export const transitionsOf = ({ nodes, edges, everywhere }: Chart): Transition[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return [
    ...nodes.flatMap((node) => [
      ...edges
        .filter(({ from }) => from === node.id)
        .flatMap(({ to, arrows }) => arrows.map((arrow) => ({ arrow, from: node, to: byId.get(to) ?? null }))),
      ...node.stays.map((arrow) => ({ arrow, from: node, to: null })),
    ]),
    ...everywhere.map((arrow) => ({ arrow, from: null, to: null })),
  ];
};

interface TransitionsProps {
  of: readonly Transition[];
  counts: ArrowCounts;
  /** Those that may be taken next. */
  next: readonly Transition[];
}

/** Transitions with event and condition, and how often each was taken. */
export const Transitions = ({ of, counts, next }: TransitionsProps) => {
  const texts = machineTexts.value;
  return (
    <ol aria-live="polite">
      {of.map((each) => {
        const { arrow, from, to } = each;
        const count = counts.get(arrow.id);
        return (
          <li key={arrow.id} class={`${styles.transition} ${count === undefined ? 'muted' : ''}`}>
            <span>
              {from === null ? texts.anyState : stateTitle(from)} → {to === null ? texts.stays : stateTitle(to)}
            </span>
            <code class="muted">{[arrow.event ?? texts.atOnce, arrow.guard].filter(Boolean).join(' · ')}</code>
            <span>{count === undefined ? next.includes(each) && texts.mayBe : texts.times(count)}</span>
          </li>
        );
      })}
    </ol>
  );
};
