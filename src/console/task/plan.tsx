import { useSignal } from '@preact/signals';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { meaningOf } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Markdown } from '../design/markdown.tsx';
import { Meter } from '../design/meter.tsx';
import type { TaskTrace } from '../history/task-trace.ts';
import { formatNumber } from '../text/numbers.ts';
import { states } from '../text/states.ts';
import { SpentLine } from '../timeline/spent-line.tsx';
import { addSpent, createPlaces, NOTHING_SPENT, type Spent, spentOn } from '../timeline/timeline-rows.ts';
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

/** The work on an item. */
interface ItemWork {
  /** True once a tool call succeeded, false where all failed so far; null: there was none. */
  isOk: boolean | null;
  /** When it was begun. */
  at: string;
  spent: Spent;
}

/** The work on each item by its id, as far as the trace is here. */
export const workByItem = ({ entries, count }: TaskTrace): ReadonlyMap<string, ItemWork> => {
  void count.value;
  const placeOf = createPlaces();
  const works = new Map<string, ItemWork>();
  entries.forEach((entry, i) => {
    const { item } = placeOf(entry);
    if (item === null) return;
    const { isOk, at, spent } = works.get(item) ?? { isOk: null, at: entry.at, spent: NOTHING_SPENT };
    const { event } = entry;
    works.set(item, {
      isOk: event.type === 'observation.recorded' ? isOk === true || event.ok : isOk,
      ...{ at, spent: addSpent(spent, spentOn(entry, entries[i - 1])) },
    });
  });
  return works;
};

interface PlanItemProps {
  item: Item;
  work: ItemWork | undefined;
  /** The longest time that an item took, in milliseconds. */
  longest: number;
  isCurrent: boolean;
  /** Another item names it. */
  isNamed: boolean;
}

const PlanItem = ({ item, isCurrent, isNamed, work, longest }: PlanItemProps) => {
  const { id, step, status, executor, depends_on, result } = item;
  const isInVain = status === 'completed' && work?.isOk === false;
  return (
    <li
      class={styles.item}
      data-status={status}
      data-meaning={isInVain ? 'failed' : meaningOf(status)}
      aria-current={isCurrent ? 'step' : undefined}
    >
      <span class={styles.mark} aria-hidden="true" title={states.value[status]}>
        {isInVain ? '!' : marks[status]}
      </span>
      <div>
        <span class="visually-hidden">{states.value[status]}: </span>
        <span class={styles.step} dir="auto">
          {step}
        </span>
        <span class={styles.about}>
          {isInVain && <span class={styles.vain}>{texts.value.inVain}</span>}
          {isNamed && <span>{id}</span>}
          {executor !== 'default' && <span>[{executor}]</span>}
          {depends_on.length > 0 && <span>{texts.value.dependsOn(depends_on.join(', '))}</span>}
          {work !== undefined && <SpentLine at={work.at} spent={work.spent} longest={longest} />}
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
export const Plan = ({ view, works }: { view: TaskView; works: ReadonlyMap<string, ItemWork> }) => {
  const { plan, current_plan_index, state } = view;
  const before = useSignal(BEFORE_SHOWN);
  const hidden = Math.max(0, current_plan_index - before.value);
  const isOver = state === 'done' || state === 'failed' || state === 'cancelled';
  const longest = Math.max(0, ...plan.slice(hidden).map(({ id }) => works.get(id)?.spent.ms ?? 0));
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
                work={works.get(item.id)}
                longest={longest}
              />
            ))}
          </ol>
        </>
      )}
    </section>
  );
};

interface BarProps {
  name: string;
  value: string;
  used: number;
  /** Where the budget ends; null: it has no end, and no bar. */
  limit: number | null;
  title?: string;
}

const Bar = ({ name, value, used, limit, title }: BarProps) => (
  <div class={styles.budget} title={title}>
    <span>{name}</span>
    {limit === null ? <span /> : <Meter label={`${name}: ${value}`} used={used} limit={limit} />}
    <span>{value}</span>
  </div>
);

/** A task's use of steps, tokens and money. */
export const Budget = ({ view }: { view: TaskView }) => {
  const {
    step_count,
    step_limit,
    token_limit: tokenLimit,
    successful_steps,
    failed_steps,
    usage,
    cost,
    cost_limit,
  } = view;
  const written = formatNumber.value;
  const { input_tokens, output_tokens, cache_read_tokens, cache_written_tokens } = usage;
  const tokens = input_tokens + output_tokens + cache_read_tokens + cache_written_tokens;
  return (
    <section class={styles.part} aria-labelledby="budget-title">
      <h3 id="budget-title">{texts.value.budget}</h3>
      <Bar
        name={texts.value.steps}
        value={texts.value.stepsValue(step_count, step_limit)}
        used={step_count}
        limit={step_limit}
      />
      <Bar
        name={texts.value.tokens}
        value={tokenLimit === null ? written(tokens) : texts.value.tokensOf(written(tokens), written(tokenLimit))}
        used={tokens}
        limit={tokenLimit}
        title={texts.value.tokensDetail(
          ...([input_tokens, output_tokens, cache_read_tokens, cache_written_tokens].map((count) => written(count)) as [
            string,
            string,
            string,
            string,
          ]),
        )}
      />
      {cost !== undefined && (
        <Bar
          name={texts.value.cost}
          value={`${cost.amount}${cost_limit === undefined ? '' : ` / ${cost_limit}`} ${cost.currency}`}
          used={Number(cost.amount)}
          limit={cost_limit === undefined ? null : Number(cost_limit)}
        />
      )}
      <Bar
        name={texts.value.tools}
        value={texts.value.toolsValue(successful_steps, failed_steps)}
        used={0}
        limit={null}
      />
    </section>
  );
};
