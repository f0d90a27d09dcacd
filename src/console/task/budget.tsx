import type { TaskView } from '../../../contracts/turn-view.ts';
import { openForkedAt } from '../api/task-of-session.ts';
import { Meter } from '../design/meter.tsx';
import { spentUntil } from '../history/spent.ts';
import { historyOf } from '../history/task-history.ts';
import { formatCost, formatNumber } from '../text/numbers.ts';
import type { OpenTask } from './live-task.ts';
import styles from './task.module.css';
import { texts } from './texts.ts';

interface BarProps {
  name: string;
  value: string;
  used: number;
  /** The limit of the budget; null: none, and no bar. */
  limit: number | null;
  title?: string;
}

const Bar = ({ name, value, used, limit, title }: BarProps) => (
  <div class={styles.budget} title={title}>
    <span class="muted">{name}</span>
    {limit === null ? <span /> : <Meter label={`${name}: ${value}`} used={used} limit={limit} />}
    <span>{value}</span>
  </div>
);

/** The part of a fork's tokens and money that its origin spent, before the fork. */
const BeforeFork = ({ of }: { of: OpenTask }) => {
  const forkedAt = openForkedAt(of.session);
  if (forkedAt === null) return null;
  const { entries, shownCalls } = historyOf(of);
  const { tokens, cost, currency } = spentUntil(shownCalls.value, entries, forkedAt);
  if (tokens === 0) return null;
  const figures = [
    texts.value.tokensSpent(formatNumber.value(tokens)),
    ...(cost === null ? [] : [formatCost(cost, currency)]),
  ];
  return <p class="muted small">{texts.value.beforeFork(figures.join(' · '))}</p>;
};

interface BudgetProps {
  view: TaskView;
  /** The task in its session; absent: a trace file's. */
  of?: OpenTask | undefined;
}

/** A task's use of steps, tokens and money. */
export const Budget = ({ view, of }: BudgetProps) => {
  const { step_count: count, step_limit: limit, token_limit: tokenLimit, usage, cost, cost_limit: costLimit } = view;
  const written = formatNumber.value;
  const used = [usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_written_tokens];
  const tokens = used.reduce((sum, part) => sum + part, 0);
  const ofLimit = (part: string, whole: string | null) => (whole === null ? part : texts.value.count(part, whole));
  return (
    <section class={`${styles.budgets} stack`} aria-label={texts.value.budget}>
      <h3 class="label">{texts.value.budget}</h3>
      <Bar name={texts.value.steps} value={texts.value.count(count, limit)} used={count} limit={limit} />
      <Bar
        name={texts.value.tokens}
        value={ofLimit(written(tokens), tokenLimit === null ? null : written(tokenLimit))}
        used={tokens}
        limit={tokenLimit}
        title={texts.value.tokensDetail(used.map(written))}
      />
      {cost !== undefined && (
        <Bar
          name={texts.value.cost}
          value={ofLimit(
            formatCost(Number(cost.amount), cost.currency),
            costLimit === undefined ? null : formatCost(Number(costLimit), cost.currency),
          )}
          used={Number(cost.amount)}
          limit={costLimit === undefined ? null : Number(costLimit)}
        />
      )}
      <Bar
        name={texts.value.tools}
        value={texts.value.toolsValue(view.successful_steps, view.failed_steps)}
        used={0}
        limit={null}
      />
      {of !== undefined && <BeforeFork of={of} />}
    </section>
  );
};
