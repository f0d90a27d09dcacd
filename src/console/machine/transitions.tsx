import { defineTexts } from '../text/language.ts';
import { states } from '../text/states.ts';
import { arrowWords, hasReason } from './arrow-words.ts';
import { type ChartArrow, keyOf } from './chart.ts';
import styles from './machine.module.css';

/** Texts of the machine's chart. */
export const machineTexts = defineTexts({
  chart: ['Statechart of {0}; the task is in the state “{1}”', '{0} 的状态图；任务处于“{1}”状态'],
  noState: ['not opened yet', '尚未打开'],
  open: ['Open task', '未结束的任务'],
  working: ['At work', '进行中'],
  outer: ['Outer loop · the plan', '外循环 · 整个计划'],
  inner: ['Inner loop · one item', '内循环 · 单个计划项'],
  opened: ['opened', '已打开'],
  outerGate: ['what next?', '接下来？'],
  innerGate: ['another round?', '再来一轮？'],
  budgetSpent: ['budget spent', '预算已用完'],
  zoomIn: ['Larger', '放大'],
  zoomOut: ['Smaller', '缩小'],
  fit: ['Fit to the pane', '适合窗格'],
  allWays: ['All transitions', '所有转移'],
  transitions: ['Its transitions', '它的转移'],
  path: ['The path so far', '到目前为止的路径'],
  lastTaken: ['last taken', '最近一次'],
  takenOften: ['taken, how often', '已经过的次数'],
  notYet: ['not yet', '尚未经过'],
  now: ['Where it is', '所处状态'],
  since: ['since {0}', '自 {0}'],
  listed: [', ', '，'],
  mayComeNext: ['May come next', '接下来可能'],
  mayBe: ['may come next', '接下来可能'],
  atOnce: ['at once', '立即'],
  stays: ['stays', '保持不变'],
  times: ['{0}×', '{0} 次'],
  anyState: ['any state', '任何状态'],
});

/** The name of a state of the chart, or of a group. */
export const stateTitle = (id: string): string => {
  const texts = machineTexts.value;
  const titles: Record<string, string> = {
    '': texts.anyState,
    open: texts.open,
    working: texts.working,
    opened: texts.opened,
    outer: texts.outer,
    'open.working.outer.gate': texts.outerGate,
    budget_spent: texts.budgetSpent,
    inner: texts.inner,
    'open.working.outer.inner.gate': texts.innerGate,
    ...states.value,
  };
  return titles[id] ?? titles[keyOf(id)] ?? id;
};

interface TransitionsProps {
  of: readonly ChartArrow[];
  /** How often each was taken, by its id. */
  counts: ReadonlyMap<string, number>;
  /** Those that may be taken next. */
  next: readonly ChartArrow[];
  /** Also with event and guard as the machine's definition names them, and for what is left where no other is taken. */
  isLong?: boolean;
}

/** Transitions with the reason for each, and how often each was taken. */
export const Transitions = ({ of, counts, next, isLong = false }: TransitionsProps) => {
  const texts = machineTexts.value;
  return (
    <ol aria-live="polite">
      {of.map((arrow) => {
        const { id, event, guard, from, to } = arrow;
        const count = counts.get(id);
        return (
          <li key={id} class={`${styles.transition} ${count === undefined ? 'muted' : ''}`}>
            <span>
              {stateTitle(from)} → {to === null ? texts.stays : stateTitle(to)}
            </span>
            <span class="small">{count === undefined ? next.includes(arrow) && texts.mayBe : texts.times(count)}</span>
            <span class="muted small">{(isLong || hasReason(arrow)) && arrowWords(arrow)}</span>
            {isLong && <code class="muted small">{[event, guard].filter(Boolean).join(' · ')}</code>}
          </li>
        );
      })}
    </ol>
  );
};
