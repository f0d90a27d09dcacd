import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../design/button.tsx';
import { entriesUntil, type TaskHistory } from '../history/task-history.ts';
import { selectedSeq, selectSeq } from '../state/selection.ts';
import { formatClock } from '../text/numbers.ts';
import { type PlanVersion, planDifferences, planVersions } from './plan-versions.ts';
import styles from './task.module.css';
import { texts } from './texts.ts';

interface VersionProps {
  version: PlanVersion;
  history: TaskHistory;
}

/** A change. A click selects its moment; what it added and removed is shown once the history is folded so far. */
const Version = ({ version: { entry, index, replans }, history }: VersionProps) => {
  const { edited, replanned, lookAt, same, ...words } = texts.value;
  const after = history.fold.value?.viewAt(index)?.plan;
  const differences = after && planDifferences(history.fold.value?.viewAt(index - 1)?.plan ?? [], after);
  const changes = differences?.filter(({ change }) => change !== 'kept');
  const title = entry.event.type === 'plan.edited' ? edited : replanned(replans);
  return (
    <li class="stack" data-version={entry.seq}>
      <span class={`${styles.version} label`}>
        <Button
          kind="link"
          title={lookAt}
          aria-pressed={selectedSeq.value === entry.seq}
          onClick={() => selectSeq(entry.seq)}
        >
          {title}
        </Button>
        <time dateTime={entry.at}>{formatClock(Date.parse(entry.at))}</time>
      </span>
      {changes?.length === 0 && <p class="muted">{same}</p>}
      {changes !== undefined && changes.length > 0 && (
        <ul class={styles.difference}>
          {changes
            .toSorted((one, other) => Number(other.change === 'removed') - Number(one.change === 'removed'))
            .map(({ step, change }, place) => (
              <li key={place} data-change={change} dir="auto">
                <span class="visually-hidden" dir="ltr">
                  {words[change === 'added' ? 'added' : 'removed']}:{' '}
                </span>
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

/** The changes of the plan by each replan and edit, a page at a time. Renders nothing for a plan that stayed. */
export const PlanChanges = ({ history }: { history: TaskHistory }) => {
  const versions = planVersions(entriesUntil(history));
  /** How many pages back from the newest. */
  const chosen = useSignal(0);
  const looked = selectedSeq.value;
  useEffect(() => {
    chosen.value = 0;
  }, [looked]);
  if (versions.length === 0) return null;
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
      <h3 id="changes-title" class="visually-hidden">
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
