import type { TaskView } from '../../../contracts/turn-view.ts';
import { Meter } from '../design/meter.tsx';
import { formatNumber } from '../text/numbers.ts';
import styles from './task.module.css';
import { texts } from './texts.ts';

interface BarProps {
  name: string;
  value: string;
  used: number;
  /** Where the budget ends; null: it has no end, and no bar. */
  limit: number | null;
  title?: string;
}

const Bar = ({ name, value, used, limit, title }: BarProps) => (
  <div class={styles.budget} title={title}>
    <span>{name}</span>
    {limit === null ? <span /> : <Meter label={`${name}: ${value}`} used={used} limit={limit} />}
    <span>{value}</span>
  </div>
);

/** A task's use of steps, tokens and money. */
export const Budget = ({ view }: { view: TaskView }) => {
  const {
    step_count,
    step_limit,
    token_limit: tokenLimit,
    successful_steps,
    failed_steps,
    usage,
    cost,
    cost_limit,
  } = view;
  const written = formatNumber.value;
  const { input_tokens, output_tokens, cache_read_tokens, cache_written_tokens } = usage;
  const tokens = input_tokens + output_tokens + cache_read_tokens + cache_written_tokens;
  return (
    <section class={styles.part} aria-labelledby="budget-title">
      <h3 id="budget-title">{texts.value.budget}</h3>
      <Bar
        name={texts.value.steps}
        value={texts.value.stepsValue(step_count, step_limit)}
        used={step_count}
        limit={step_limit}
      />
      <Bar
        name={texts.value.tokens}
        value={tokenLimit === null ? written(tokens) : texts.value.tokensOf(written(tokens), written(tokenLimit))}
        used={tokens}
        limit={tokenLimit}
        title={texts.value.tokensDetail(
          ...([input_tokens, output_tokens, cache_read_tokens, cache_written_tokens].map((count) => written(count)) as [
            string,
            string,
            string,
            string,
          ]),
        )}
      />
      {cost !== undefined && (
        <Bar
          name={texts.value.cost}
          value={`${cost.amount}${cost_limit === undefined ? '' : ` / ${cost_limit}`} ${cost.currency}`}
          used={Number(cost.amount)}
          limit={cost_limit === undefined ? null : Number(cost_limit)}
        />
      )}
      <Bar
        name={texts.value.tools}
        value={texts.value.toolsValue(successful_steps, failed_steps)}
        used={0}
        limit={null}
      />
    </section>
  );
};
