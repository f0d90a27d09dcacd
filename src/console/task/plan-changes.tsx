import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { selectedSeq, selectSeq } from '../app/selection.ts';
import { Button } from '../design/button.tsx';
import { Time } from '../design/time.tsx';
import type { TaskHistory } from '../history/task-history.ts';
import {
  createPlanVersions,
  firstShown,
  type PlanDifference,
  type PlanVersion,
  planDifferences,
  VERSIONS_SHOWN,
} from './plan-versions.ts';
import styles from './task.module.css';
import { texts } from './texts.ts';

/** The changes of each version against the one before; none before the history is folded up to there. */
const useDifferences = ({ fold }: TaskHistory, versions: readonly PlanVersion[]) => {
  const by = fold.value;
  const count = versions.filter(({ index }) => index < (by?.folded.value ?? 0)).length;
  return useMemo(() => {
    const planAt = (index: number) => by?.viewAt(index)?.plan ?? [];
    return versions
      .slice(0, count)
      .map(({ index }) => planDifferences(index === 0 ? [] : planAt(index - 1), planAt(index)));
  }, [by, count, versions[0]?.seq]);
};

interface VersionProps {
  version: PlanVersion;
  title: string;
  /** Undefined: not worked out yet. */
  differences: readonly PlanDifference[] | undefined;
}

const Version = ({ version: { seq, at }, title, differences }: VersionProps) => {
  const isSame = differences?.every(({ change }) => change === 'kept') === true;
  return (
    <li class="stack" data-version={seq}>
      <span class="line muted">
        <Button
          kind="link"
          class="fill"
          title={texts.value.lookAt}
          aria-pressed={selectedSeq.value === seq}
          onClick={() => selectSeq(seq)}
        >
          {title}
          {isSame && ` · ${texts.value.same}`}
        </Button>
        <Time at={at} />
      </span>
      {differences !== undefined && !isSame && (
        <ul class={styles.difference}>
          {differences.map(({ step, change }, index) => (
            <li key={index} data-change={change}>
              {change !== 'kept' && <span class="visually-hidden">{texts.value[change]}: </span>}
              {step}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
};

/** The name of a version; `replans` is how many replans there were, that one included. */
const titleOf = ({ by }: PlanVersion, replans: number): string =>
  by === 'plan' ? texts.value.planned : by === 'edit' ? texts.value.edited : texts.value.replanned(replans);

/** The changes that each replan and each edit made to the plan, some of them at a time; a click looks at that moment. Nothing for one plan alone. */
export const PlanChanges = ({ history }: { history: TaskHistory }) => {
  const versionsOf = useMemo(() => createPlanVersions(history.trace.entries), [history]);
  const first = useSignal<number | null>(null);
  void history.trace.count.value;
  const versions = versionsOf();
  const isChanged = versions.some(({ by }) => by !== 'plan');
  useEffect(() => {
    if (isChanged) history.needFold();
  }, [history, isChanged]);
  // Only when another entry is looked at does the list move there: its reader may have gone on to other versions.
  const looked = selectedSeq.value;
  useEffect(() => {
    first.value = looked === null ? null : firstShown(versions, first.peek(), looked);
  }, [looked, history.trace.isWhole.value]);
  const start = firstShown(versions, first.value, null);
  const shown = versions.slice(start, start + VERSIONS_SHOWN);
  const differences = useDifferences(history, isChanged ? shown : []);
  if (!isChanged) return null;
  const isPaged = versions.length > VERSIONS_SHOWN;
  const end = start + shown.length;
  let replans = versions.slice(0, start).filter(({ by }) => by === 'replan').length;
  const go = (to: number): void => {
    const isNewest = to >= versions.length - VERSIONS_SHOWN;
    first.value = isNewest && looked === null ? null : Math.max(0, to);
  };
  return (
    <section class="padded stack" aria-labelledby="changes-title">
      <h3 id="changes-title" class="muted small">
        {texts.value.changes}
      </h3>
      {isPaged && (
        <div class="line muted small">
          <Button kind="quiet" disabled={start === 0} onClick={() => go(start - VERSIONS_SHOWN)}>
            {texts.value.earlier}
          </Button>
          <span>{texts.value.versionsShown(start + 1, end, versions.length)}</span>
          <Button kind="quiet" disabled={end === versions.length} onClick={() => go(start + VERSIONS_SHOWN)}>
            {texts.value.later}
          </Button>
        </div>
      )}
      <ol class="stack">
        {shown.map((version, i) => {
          if (version.by === 'replan') replans += 1;
          const title = titleOf(version, replans);
          return <Version key={version.seq} version={version} title={title} differences={differences[i]} />;
        })}
      </ol>
    </section>
  );
};
