import type { Difference } from '../../engine/replay/replay.ts';
import { Failure } from '../design/notice.tsx';
import { type StateName, states } from '../text/states.ts';
import styles from './fold-progress.module.css';
import type { TaskHistory } from './task-history.ts';
import { historyTexts } from './texts.ts';

/** The machine's own words where there is no value to show. */
const ACCEPTED = /^an event that '(\w+)' accepts$/;
const UNKNOWN_FIELDS = 'the same with fields that no effect has';

const asText = (value: unknown): string => {
  const texts = historyTexts.value;
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  if (value === UNKNOWN_FIELDS) return texts.unknownFields;
  const [, state] = ACCEPTED.exec(value) ?? [];
  return state === undefined ? value : texts.accepted(state in states.value ? states.value[state as StateName] : state);
};

/** The first place where a trace is not what the machine does: what either has there. */
export const DifferenceView = ({ difference: { seq, expected, actual } }: { difference: Difference }) => {
  const texts = historyTexts.value;
  return (
    <div class={`${styles.difference} padded`} role="alert" data-difference={seq}>
      <h2>{texts.difference(seq)}</h2>
      <dl>
        <dt class="muted">{texts.expected}</dt>
        <dd>
          <pre>{asText(expected)}</pre>
        </dd>
        <dt class="muted">{texts.actual}</dt>
        <dd>
          <pre>{asText(actual)}</pre>
        </dd>
      </dl>
      <p>{texts.upTo}</p>
    </div>
  );
};

/** How far a history is folded while it is not whole yet, and where it stops being what the machine does. */
export const FoldProgress = ({ history: { trace, fold, foldError } }: { history: TaskHistory }) => {
  const texts = historyTexts.value;
  const error = trace.error.value ?? foldError.value;
  if (error !== null) return <Failure title={texts.failed} error={error} />;
  const difference = fold.value?.difference.value ?? null;
  if (difference !== null) return <DifferenceView difference={difference} />;
  const [done, all] = [fold.value?.folded.value ?? 0, trace.count.value];
  return done < all ? (
    <div class={styles.progress}>
      <progress value={done} max={all} aria-label={texts.folding(done, all)} />
    </div>
  ) : null;
};
