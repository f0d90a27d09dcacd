import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { selectedSeq, selectSeq } from '../app/selection.ts';
import { Button } from '../design/button.tsx';
import { Time } from '../design/time.tsx';
import { inSlices } from '../history/slices.ts';
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

/**
 * The changes of each version against the one before, by their seq, as far as the history is folded. Worked out in slices, the ones that
 * are asked for alone, and each once: for every one the machine goes through some entries.
 */
const usePlanDifferences = (
  { fold }: TaskHistory,
  versions: readonly PlanVersion[],
): ReadonlyMap<number, readonly PlanDifference[]> => {
  const known = useMemo(() => new Map<number, readonly PlanDifference[]>(), [fold]);
  const count = useSignal(0);
  const folded = fold.value?.folded.value ?? 0;
  const missing = versions.filter(({ seq, index }) => index < folded && !known.has(seq));
  useEffect(() => {
    let isOver = false;
    void inSlices(() => {
      const version = missing.shift();
      const by = fold.peek();
      if (isOver || version === undefined || by === null) return false;
      const { seq, index } = version;
      const before = index === 0 ? [] : (by.viewAt(index - 1)?.plan ?? []);
      known.set(seq, planDifferences(before, by.viewAt(index)?.plan ?? []));
      count.value = known.size;
      return true;
    });
    return () => {
      isOver = true;
    };
  }, [known, missing.map(({ seq }) => seq).join()]);
  // The component is drawn again as they come.
  void count.value;
  return known;
};

const signs = { kept: ' ', added: '+', removed: '−' };

const Differences = ({ differences }: { differences: readonly PlanDifference[] }) => (
  <ul class={styles.difference}>
    {differences.map(({ step, change }, index) => (
      <li key={index} data-change={change}>
        <span aria-hidden="true">{signs[change]}</span>
        {change !== 'kept' && <span class="visually-hidden">{texts.value[change]}: </span>}
        <span>{step}</span>
      </li>
    ))}
  </ul>
);

interface VersionProps {
  version: PlanVersion;
  title: string;
  /** Undefined: not worked out yet. */
  differences: readonly PlanDifference[] | undefined;
}

const Version = ({ version, title, differences }: VersionProps) => {
  const isSame = differences?.every(({ change }) => change === 'kept') === true;
  return (
    <li class={styles.version} data-version={version.seq}>
      <span>
        <Button
          kind="link"
          title={texts.value.lookAt}
          aria-pressed={selectedSeq.value === version.seq}
          onClick={() => selectSeq(version.seq)}
        >
          {title}
        </Button>
        {isSame && <span class={styles.muted}> · {texts.value.same}</span>}
      </span>
      <Time at={version.at} />
      {differences !== undefined && !isSame && <Differences differences={differences} />}
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
  const differences = usePlanDifferences(history, isChanged ? shown : []);
  if (!isChanged) return null;
  const isPaged = versions.length > VERSIONS_SHOWN;
  const end = start + shown.length;
  let replans = versions.slice(0, start).filter(({ by }) => by === 'replan').length;
  const go = (to: number): void => {
    const isNewest = to >= versions.length - VERSIONS_SHOWN;
    first.value = isNewest && looked === null ? null : Math.max(0, to);
  };
  return (
    <section class={styles.part} aria-labelledby="changes-title">
      <h3 id="changes-title">{texts.value.changes}</h3>
      {isPaged && (
        <div class={styles.line}>
          <Button kind="quiet" disabled={start === 0} onClick={() => go(start - VERSIONS_SHOWN)}>
            {texts.value.earlier}
          </Button>
          <span>{texts.value.versionsShown(start + 1, end, versions.length)}</span>
          <Button kind="quiet" disabled={end === versions.length} onClick={() => go(start + VERSIONS_SHOWN)}>
            {texts.value.later}
          </Button>
        </div>
      )}
      <ol class={styles.versions}>
        {shown.map((version) => {
          if (version.by === 'replan') replans += 1;
          const title = titleOf(version, replans);
          return (
            <Version key={version.seq} version={version} title={title} differences={differences.get(version.seq)} />
          );
        })}
      </ol>
    </section>
  );
};
