import type { TaskView } from '../../../contracts/turn-view.ts';
import { Link } from '../app/link.tsx';
import { taskHref } from '../app/parse-route.ts';
import { Badge, shownState } from '../design/badge.tsx';
import { ShortId } from '../design/copy.tsx';
import { Markdown } from '../design/markdown.tsx';
import { formatNumber } from '../text/numbers.ts';
import styles from './compare.module.css';
import { texts } from './texts.ts';

interface TaskSummaryProps {
  title: string;
  session: string;
  view: TaskView;
  answer: string | null;
}

const Fact = ({ name, value, isOther }: { name: string; value: string; isOther: boolean }) => (
  <div class={isOther ? styles.other : ''}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

const tokensOf = ({ usage }: TaskView): number =>
  usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_written_tokens;

/** One of two tasks: how it stands, what it used, its plan and its answer; what the other has otherwise is marked. */
export const TaskSummary = ({ title, session, view, answer, other }: TaskSummaryProps & { other: TaskView }) => {
  const steps = new Set(other.plan.map(({ step, status }) => `${status} ${step}`));
  return (
    <section class={styles.task} aria-label={title}>
      <header class={styles.head}>
        <Badge state={shownState(view)} />
        <Link href={taskHref(session, view.id)}>{session}</Link>
        <ShortId id={view.id} />
      </header>
      <h2>{view.goal}</h2>
      <dl class={styles.facts}>
        <Fact
          name={texts.value.steps}
          value={`${view.step_count} / ${view.step_limit}`}
          isOther={view.step_count !== other.step_count}
        />
        <Fact
          name={texts.value.tokens}
          value={formatNumber.value(tokensOf(view))}
          isOther={tokensOf(view) !== tokensOf(other)}
        />
        {view.cost !== undefined && (
          <Fact
            name={texts.value.cost}
            value={`${view.cost.amount} ${view.cost.currency}`}
            isOther={view.cost.amount !== other.cost?.amount}
          />
        )}
      </dl>
      <h3>{texts.value.plan}</h3>
      {view.plan.length === 0 && <p class={styles.muted}>{texts.value.noPlan}</p>}
      <ol class={styles.plan}>
        {view.plan.map(({ id, step, status }, i) => (
          <li key={`${i}-${id}`} class={steps.has(`${status} ${step}`) ? '' : styles.other}>
            <Badge state={status} /> <span>{step}</span>
          </li>
        ))}
      </ol>
      <h3>{texts.value.answer}</h3>
      {answer === null ? <p class={styles.muted}>{texts.value.noAnswer}</p> : <Markdown text={answer} />}
    </section>
  );
};
