import type { ArrowCounts } from '../fold/task-fold.ts';
import type { Chart, ChartArrow, ChartNode } from './chart.ts';
import styles from './machine-chart.module.css';
import { stateTitle } from './state-title.ts';
import { machineTexts } from './texts.ts';

/** A transition with where it leads from and to. */
interface Transition {
  arrow: ChartArrow;
  /** Null: any state. */
  from: ChartNode | null;
  /** Null: it stays. */
  to: ChartNode | null;
}

/** Every transition of the machine, in the order of its states. */
const transitionsOf = ({ nodes, edges, everywhere }: Chart): Transition[] => {
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

const Row = ({ arrow: { id, event, guard }, from, to, counts }: Transition & { counts: ArrowCounts }) => {
  const texts = machineTexts.value;
  const count = counts.get(id) ?? 0;
  return (
    <tr class={count > 0 ? styles.was : ''}>
      <td>{from === null ? texts.anyState : stateTitle(from)}</td>
      <td>{event === null ? texts.atOnce : <code>{event}</code>}</td>
      <td>{guard !== null && <code>{guard}</code>}</td>
      <td>{to === null ? texts.stays : stateTitle(to)}</td>
      <td>{count > 0 ? texts.times(count) : '–'}</td>
    </tr>
  );
};

const Table = ({ transitions, counts }: { transitions: readonly Transition[]; counts: ArrowCounts }) => {
  const texts = machineTexts.value;
  return (
    <table class={styles.table}>
      <thead>
        <tr>
          {[texts.from, texts.event, texts.guard, texts.to, texts.count].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {transitions.map((transition) => (
          <Row key={transition.arrow.id} {...transition} counts={counts} />
        ))}
      </tbody>
    </table>
  );
};

/** Of what is pointed at, a state or an edge, event and guard of each transition; and all of them in one table, which says the same as the chart. */
export const TransitionList = ({
  chart,
  pointed,
  counts,
}: {
  chart: Chart;
  pointed: string | null;
  counts: ArrowCounts;
}) => {
  const texts = machineTexts.value;
  const all = transitionsOf(chart);
  const shown = all.filter(({ from, to }) => pointed === from?.id || pointed === `${from?.id}→${to?.id}`);
  return (
    <>
      <div class={styles.pointedAt} aria-live="polite">
        {shown.length === 0 ? <p>{texts.hint}</p> : <Table transitions={shown} counts={counts} />}
      </div>
      <details class={styles.all}>
        <summary>{texts.table}</summary>
        <Table transitions={all} counts={counts} />
      </details>
    </>
  );
};
