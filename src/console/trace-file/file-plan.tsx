import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Badge } from '../design/badge.tsx';
import { Empty } from '../design/empty.tsx';
import { shownState } from '../design/meaning.ts';
import type { TaskHistory } from '../history/task-history.ts';
import { fileTexts } from './texts.ts';
import styles from './trace-file.module.css';

/** The plan of a trace's task at the entry that is looked at, and what was used up to there. */
export const FilePlan = ({ history }: { history: TaskHistory }) => {
  const texts = fileTexts.value;
  useEffect(() => history.needFold(), [history]);
  const view = useComputed(() => {
    const fold = history.fold.value;
    const index = history.index.value;
    return fold === null || index < 0 || index >= fold.folded.value ? null : fold.viewAt(index);
  }).value;
  if (view === null) return <Empty title={texts.noPlan} />;
  const { plan, usage, step_count, step_limit } = view;
  return (
    <div class={styles.plan}>
      <h2>{view.goal}</h2>
      <p class={styles.facts}>
        <Badge state={shownState(view)} /> {texts.budget(step_count, step_limit)} ·{' '}
        {texts.tokens(usage.input_tokens + usage.output_tokens)}
      </p>
      {plan.length === 0 && <p class={styles.muted}>{texts.noPlan}</p>}
      <ol>
        {plan.map(({ id, step, status, result }) => (
          <li key={id} data-item={id}>
            <p>
              {step} <Badge state={status} />
            </p>
            {result !== null && <p class={styles.muted}>{result}</p>}
          </li>
        ))}
      </ol>
    </div>
  );
};
