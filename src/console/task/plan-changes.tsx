import { useEffect, useMemo } from 'preact/hooks';
import { selectedSeq, selectSeq } from '../app/selection.ts';
import type { TaskProps } from '../app/task-props.ts';
import { Button } from '../design/button.tsx';
import { Loading } from '../design/loading.tsx';
import { Time } from '../design/time.tsx';
import { useHistory } from '../history/task-history.ts';
import { createPlanVersions, hasReplans, type PlanVersion } from './plan-versions.ts';
import styles from './task.module.css';
import { texts } from './texts.ts';

const signs = { kept: ' ', added: '+', removed: '−' };

const Version = ({ version, title }: { version: PlanVersion; title: string }) => {
  const changed = version.differences.filter(({ change }) => change !== 'kept');
  return (
    <li class={styles.version}>
      <div class={styles.line}>
        <Button kind="quiet" aria-pressed={selectedSeq.value === version.seq} onClick={() => selectSeq(version.seq)}>
          {title}
        </Button>
        <Time at={version.at} />
      </div>
      {changed.length === 0 ? (
        <p class={styles.muted}>{texts.value.same}</p>
      ) : (
        <ul class={styles.difference}>
          {version.differences.map(({ step, change }, index) => (
            <li key={index} data-change={change}>
              <span aria-hidden="true">{signs[change]}</span>
              {change !== 'kept' && <span class="visually-hidden">{texts.value[change]}: </span>}
              <span>{step}</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
};

const titles = (versions: readonly PlanVersion[]): string[] => {
  let replans = 0;
  return versions.map(({ by }) => {
    if (by === 'plan') return texts.value.planned;
    if (by === 'edit') return texts.value.edited;
    replans += 1;
    return texts.value.replanned(replans);
  });
};

/** What each replan and each edit changed of the plan; a click looks at that moment. Nothing while there was one plan alone. */
export const PlanChanges = (of: TaskProps) => {
  const history = useHistory(of);
  const versionsOf = useMemo(() => createPlanVersions(history), [history]);
  const isChanged = hasReplans(history);
  useEffect(() => {
    if (isChanged) history.needFold();
  }, [history, isChanged]);
  if (!isChanged) return null;
  const versions = versionsOf();
  const names = titles(versions);
  return (
    <section class={styles.part} aria-labelledby="changes-title">
      <h3 id="changes-title">{texts.value.changes}</h3>
      {versions.length === 0 && <Loading />}
      <ol class={styles.versions}>
        {versions.map((version, index) => (
          <Version key={version.seq} version={version} title={names[index] ?? ''} />
        ))}
      </ol>
    </section>
  );
};
