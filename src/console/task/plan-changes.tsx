import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../design/button.tsx';
import { Time } from '../design/time.tsx';
import { entriesUntil, type TaskHistory } from '../history/task-history.ts';
import { selectedSeq, selectSeq } from '../state/selection.ts';
import { type PlanVersion, planDifferences, planVersions } from './plan-versions.ts';
import styles from './task.module.css';
import { texts } from './texts.ts';

/** A version. A click selects its moment; its changes are shown once the history is folded so far. */
const Version = ({ version: { entry, index, replans }, history }: { version: PlanVersion; history: TaskHistory }) => {
  const { planned, edited, replanned, same, lookAt, ...changes } = texts.value;
  const after = history.fold.value?.viewAt(index)?.plan;
  const differences = after && planDifferences(history.fold.value?.viewAt(index - 1)?.plan ?? [], after);
  const isSame = differences?.every(({ change }) => change === 'kept') === true;
  const { type } = entry.event;
  return (
    <li class="stack" data-version={entry.seq}>
      <span class="line muted">
        <Button
          kind="link"
          class="fill"
          title={lookAt}
          aria-pressed={selectedSeq.value === entry.seq}
          onClick={() => selectSeq(entry.seq)}
        >
          {type === 'plan.made' ? planned : type === 'plan.edited' ? edited : replanned(replans)}
          {isSame && ` · ${same}`}
        </Button>
        <Time at={entry.at} />
      </span>
      {differences !== undefined && !isSame && (
        <ul class={styles.difference}>
          {differences.map(({ step, change }, place) => (
            <li key={place} data-change={change}>
              {change !== 'kept' && <span class="visually-hidden">{changes[change]}: </span>}
              {step}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
};

/** Most versions drawn at once: a task may replan thousands of times. */
const SHOWN = 10;

/** The changes of each replan and edit to the plan, a page at a time. Renders nothing for a single plan. */
export const PlanChanges = ({ history }: { history: TaskHistory }) => {
  const versions = planVersions(entriesUntil(history));
  const isChanged = versions.some(({ entry }) => entry.event.type !== 'plan.made');
  /** How many pages back from the newest. */
  const chosen = useSignal(0);
  const looked = selectedSeq.value;
  useEffect(() => {
    chosen.value = 0;
  }, [looked]);
  if (!isChanged) return null;
  const back = Math.min(chosen.value, Math.floor((versions.length - 1) / SHOWN));
  const end = versions.length - back * SHOWN;
  const start = Math.max(0, end - SHOWN);
  const page = (title: string, by: number, isLast: boolean) => (
    <Button
      kind="quiet"
      disabled={isLast}
      onClick={() => {
        chosen.value = back + by;
      }}
    >
      {title}
    </Button>
  );
  return (
    <section class={styles.part} aria-labelledby="changes-title">
      <h3 id="changes-title" class="label">
        {texts.value.changes}
      </h3>
      {versions.length > SHOWN && (
        <div class="line muted small">
          {page(texts.value.earlier, 1, start === 0)}
          <span>{texts.value.versionsShown(start + 1, end, versions.length)}</span>
          {page(texts.value.later, -1, back === 0)}
        </div>
      )}
      <ol class="stack">
        {versions.slice(start, end).map((version) => (
          <Version key={version.entry.seq} version={version} history={history} />
        ))}
      </ol>
    </section>
  );
};
