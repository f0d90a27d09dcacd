import { useSignal } from '@preact/signals';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { meaningOf } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Markdown } from '../design/markdown.tsx';
import { states } from '../text/states.ts';
import styles from './task.module.css';
import { texts } from './texts.ts';

type Item = TaskView['plan'][number];

const marks: Record<Item['status'], string> = {
  not_started: '○',
  in_progress: '▸',
  completed: '✓',
  blocked: '!',
  dropped: '–',
};

interface PlanItemProps {
  item: Item;
  isCurrent: boolean;
  /** Another item names it. */
  isNamed: boolean;
}

const PlanItem = ({ item, isCurrent, isNamed }: PlanItemProps) => {
  const { id, step, status, executor, depends_on, result } = item;
  return (
    <li
      class={styles.item}
      data-status={status}
      data-meaning={meaningOf(status)}
      aria-current={isCurrent ? 'step' : undefined}
    >
      <span class={styles.mark} aria-hidden="true" title={states.value[status]}>
        {marks[status]}
      </span>
      <div>
        <span class="visually-hidden">{states.value[status]}: </span>
        <span class={styles.step} dir="auto">
          {step}
        </span>
        <span class={styles.about}>
          {isNamed && <span>{id}</span>}
          {executor !== 'default' && <span>[{executor}]</span>}
          {depends_on.length > 0 && <span>{texts.value.dependsOn(depends_on.join(', '))}</span>}
        </span>
        {result !== null && result !== '' && (
          <details>
            <summary>{texts.value.result}</summary>
            <Markdown text={result} />
          </details>
        )}
      </div>
    </li>
  );
};

/** How many items are drawn before the current one: a task that replans often has thousands that ended. */
const BEFORE_SHOWN = 20;

/** How many more are drawn at once when they are asked for. */
const BEFORE_STEP = 100;

/** A task's plan: what ended last, then what is left, each with its mark; what ended before is shown when it is asked for. */
export const Plan = ({ view }: { view: TaskView }) => {
  const { plan, current_plan_index, state } = view;
  const before = useSignal(BEFORE_SHOWN);
  const hidden = Math.max(0, current_plan_index - before.value);
  const isOver = state === 'done' || state === 'failed' || state === 'cancelled';
  const named = new Set(plan.flatMap(({ depends_on }) => depends_on));
  const completed = plan.filter(({ status }) => status === 'completed').length;
  return (
    <section class={styles.part} aria-labelledby="plan-title">
      <h3 id="plan-title">
        {texts.value.plan}{' '}
        {plan.length > 0 && <span class={styles.muted}>{texts.value.count(completed, plan.length)}</span>}
      </h3>
      {plan.length === 0 ? (
        <p class={styles.muted}>
          {texts.value.noPlan}. {texts.value.noPlanHint}
        </p>
      ) : (
        <>
          {hidden > 0 && (
            <div class={styles.line}>
              <Button
                kind="quiet"
                onClick={() => {
                  before.value += BEFORE_STEP;
                }}
              >
                {texts.value.earlierItems(Math.min(BEFORE_STEP, hidden), hidden)}
              </Button>
            </div>
          )}
          <ol class={styles.plan}>
            {plan.slice(hidden).map((item, place) => (
              <PlanItem
                key={`${hidden + place}-${item.id}`}
                item={item}
                isCurrent={!isOver && hidden + place === current_plan_index}
                isNamed={named.has(item.id)}
              />
            ))}
          </ol>
        </>
      )}
    </section>
  );
};
