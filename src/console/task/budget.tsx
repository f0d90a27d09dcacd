import type { TaskView } from '../../../contracts/http.ts';
import { language } from '../text/language.ts';
import styles from './task.module.css';
import { texts } from './texts.ts';

/** From which part of its limit on a budget is shown as nearly used up. */
const NEARLY = 0.8;

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
    {limit === null ? (
      <span />
    ) : (
      <meter
        aria-label={`${name}: ${value}`}
        class={styles.meter}
        min={0}
        max={Math.max(limit, used)}
        high={limit * NEARLY}
        optimum={0}
        value={used}
      />
    )}
    <span>{value}</span>
  </div>
);

/** What a task used of its steps, tokens and money. */
export const Budget = ({ view }: { view: TaskView }) => {
  const { step_count, step_limit, token_limit: tokenLimit, successful_steps, failed_steps, usage, cost } = view;
  const written = new Intl.NumberFormat(language.value === 'zh' ? 'zh-CN' : 'en').format;
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
        <Bar name={texts.value.cost} value={`${cost.amount} ${cost.currency}`} used={0} limit={null} />
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
