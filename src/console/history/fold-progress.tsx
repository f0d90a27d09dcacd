import type { Difference } from '../../history/difference.ts';
import { Failure } from '../design/loaded.tsx';
import { defineTexts } from '../text/language.ts';
import { type StateName, states } from '../text/states.ts';
import styles from './fold-progress.module.css';
import type { TaskHistory } from './task-history.ts';

/** Texts about a history that is being folded. */
const historyTexts = defineTexts({
  folding: ['Replaying the history: {0} of {1} entries', '正在重放历史：{1} 条记录中的第 {0} 条'],
  failed: ['The history could not be replayed', '无法重放历史'],
  difference: [
    'Does not replay: at entry {0} the machine gives a different result',
    '无法重放：在第 {0} 条记录处，状态机得出不同结果',
  ],
  upTo: ['Everything before it is shown.', '这里显示此前的内容。'],
  expected: ['The machine gives', '状态机得出'],
  actual: ['The trace says', '轨迹记录为'],
  accepted: ['an event that the state “{0}” accepts', '状态“{0}”可接受的事件'],
  unknownFields: ['the same with fields that no effect has', '相同，但多出任何动作都没有的字段'],
});

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

/** The first difference between a trace and the machine, with both values. */
export const DifferenceView = ({ difference: { seq, expected, actual } }: { difference: Difference }) => {
  const texts = historyTexts.value;
  return (
    <div class={`${styles.difference} padded`} role="alert" data-difference={seq}>
      <h2 class="refusal">{texts.difference(seq)}</h2>
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

/** How far an incomplete history is folded, and where it stops matching the machine. */
export const FoldProgress = ({ history: { count, fold, error } }: { history: TaskHistory }) => {
  const texts = historyTexts.value;
  if (error.value !== null) return <Failure title={texts.failed} error={error.value} />;
  const difference = fold.value?.difference.value ?? null;
  if (difference !== null) return <DifferenceView difference={difference} />;
  const [done, all] = [fold.value?.folded.value ?? 0, count.value];
  return done < all ? (
    <div class={styles.progress}>
      <progress value={done} max={all} aria-label={texts.folding(done, all)} />
    </div>
  ) : null;
};
