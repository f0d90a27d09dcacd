import type { ArrowCounts } from '../fold/task-fold.ts';
import { defineTexts } from '../text/language.ts';
import { type StateName, states } from '../text/states.ts';
import type { Chart, ChartArrow, ChartNode } from './chart.ts';
import styles from './machine.module.css';

/** Texts of the machine's chart. */
export const machineTexts = defineTexts({
  chart: [
    (machine: string, state: string) => `Statechart of ${machine}; the task is in the state “${state}”`,
    (machine: string, state: string) => `${machine} 的状态图；任务处于“${state}”状态`,
  ],
  noState: ['not opened yet', '尚未打开'],
  outer: ['Outer loop · the plan', '外循环 · 整个计划'],
  inner: ['Inner loop · one item', '内循环 · 单个步骤'],
  opened: ['opened', '已打开'],
  outerGate: ['what next?', '接下来？'],
  innerGate: ['another round?', '再来一轮？'],
  zoomIn: ['Larger', '放大'],
  zoomOut: ['Smaller', '缩小'],
  all: ['All transitions', '所有转换'],
  mayBe: ['may come next', '接下来可能'],
  hint: ['Point at a state or an arrow to see what leads on from it.', '指向一个状态或箭头，查看它通向哪里。'],
  atOnce: ['at once', '立即'],
  stays: ['stays', '保持不变'],
  times: [(count: number) => `${count}×`, (count: number) => `${count} 次`],
  anyState: ['any state', '任何状态'],
});

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
