import { useSignal } from '@preact/signals';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { meaningOf } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Markdown } from '../design/markdown.tsx';
import { Meter } from '../design/meter.tsx';
import type { TaskHistory } from '../history/task-history.ts';
import { formatNumber } from '../text/numbers.ts';
import { states } from '../text/states.ts';
import { observationsOf } from '../timeline/observations.ts';
import { SpentLine } from '../timeline/spent-line.tsx';
import { addSpent, createPlaces, NOTHING_SPENT, type Spent, spentOn } from '../timeline/timeline-rows.ts';
import { type EditPlan, ItemEditor, isLeft, StepForm } from './plan-editor.tsx';
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
  /** True once a tool call succeeded; false if all failed so far; null: none was made. */
  isOk: boolean | null;
  /** When it began. */
  at: string;
  spent: Spent;
}

/** The work on each item by its id, as far as the trace is loaded. */
export const workByItem = ({ entries, count }: TaskHistory): ReadonlyMap<string, ItemWork> => {
  void count.value;
  const placeOf = createPlaces();
  const works = new Map<string, ItemWork>();
  entries.forEach((entry, i) => {
    const { item } = placeOf(entry);
    if (item === null) return;
    const { isOk, at, spent } = works.get(item) ?? { isOk: null, at: entry.at, spent: NOTHING_SPENT };
    const seen = observationsOf(entry.event);
    works.set(item, {
      isOk: seen.length === 0 ? isOk : isOk === true || seen.some(({ ok }) => ok),
      at,
      spent: addSpent(spent, spentOn(entry, entries[i - 1])),
    });
  });
  return works;
};

interface PlanProps {
  view: TaskView;
  works: ReadonlyMap<string, ItemWork>;
  /** Edits the plan; absent: it cannot be edited now. */
  edit?: EditPlan | undefined;
}

interface PlanItemProps extends PlanProps {
  index: number;
  /** The longest time of an item, in milliseconds. */
  longest: number;
}

const PlanItem = ({ view: { plan, current_plan_index, state }, index, works, edit, longest }: PlanItemProps) => {
  const { id, step, status, executor, depends_on, result } = plan[index]!;
  const work = works.get(id);
  const isInVain = status === 'completed' && work?.isOk === false;
  const isOver = state === 'done' || state === 'failed' || state === 'cancelled';
  return (
    <li
      class={`${styles.item} signed`}
      data-status={status}
      style={{ '--colour': `var(--${isInVain ? 'failed' : meaningOf(status)})` }}
      aria-current={!isOver && index === current_plan_index ? 'step' : undefined}
    >
      <span aria-hidden="true" title={states.value[status]}>
        {isInVain ? '!' : marks[status]}
      </span>
      <div>
        <span class="visually-hidden">{states.value[status]}: </span>
        <span class={`${styles.step} as-written`} dir="auto">
          {step}
        </span>
        <span class="line muted small">
          {isInVain && <span class="refusal">{texts.value.inVain}</span>}
          {plan.some((other) => other.depends_on.includes(id)) && <span>{id}</span>}
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
        {edit !== undefined && isLeft(plan[index]) && <ItemEditor plan={plan} index={index} edit={edit} />}
      </div>
    </li>
  );
};

/** How many items are drawn before the current one: a task that replans often has thousands of ended ones. */
const BEFORE_SHOWN = 20;

/** How many more are drawn on request. */
const BEFORE_STEP = 100;

/** A task's plan: the last ended items, then the unfinished ones, each with its mark; earlier ones on request. */
export const Plan = (props: PlanProps) => {
  const { view, works, edit } = props;
  const { plan, current_plan_index } = view;
  const before = useSignal(BEFORE_SHOWN);
  const hidden = Math.max(0, current_plan_index - before.value);
  const longest = Math.max(0, ...plan.slice(hidden).map(({ id }) => works.get(id)?.spent.ms ?? 0));
  const completed = plan.filter(({ status }) => status === 'completed').length;
  return (
    <section class="padded stack" aria-labelledby="plan-title">
      <h3 id="plan-title" class="muted small">
        {texts.value.plan} {plan.length > 0 && texts.value.count(completed, plan.length)}
      </h3>
      {plan.length === 0 && (
        <p class="muted">
          {texts.value.noPlan}. {texts.value.noPlanHint}
        </p>
      )}
      {hidden > 0 && (
        <Button
          kind="quiet"
          onClick={() => {
            before.value += BEFORE_STEP;
          }}
        >
          {texts.value.earlierItems(Math.min(BEFORE_STEP, hidden), hidden)}
        </Button>
      )}
      <ol>
        {plan.slice(hidden).map(({ id }, place) => (
          <PlanItem key={`${hidden + place}-${id}`} {...props} index={hidden + place} longest={longest} />
        ))}
      </ol>
      {edit !== undefined && (
        <>
          <StepForm
            label={texts.value.newStep}
            submit={texts.value.add}
            save={(step) => edit([{ kind: 'add', step }])}
          />
          <p class="muted small">{texts.value.editHint}</p>
        </>
      )}
    </section>
  );
};

interface BarProps {
  name: string;
  value: string;
  used: number;
  /** The limit of the budget; null: none, and no bar. */
  limit: number | null;
  title?: string;
}

const Bar = ({ name, value, used, limit, title }: BarProps) => (
  <div class={styles.budget} title={title}>
    <span class="muted">{name}</span>
    {limit === null ? <span /> : <Meter label={`${name}: ${value}`} used={used} limit={limit} />}
    <span>{value}</span>
  </div>
);

/** A task's use of steps, tokens and money. */
export const Budget = ({ view }: { view: TaskView }) => {
  const { step_count: count, step_limit: limit, token_limit: tokenLimit, usage, cost, cost_limit: costLimit } = view;
  const written = formatNumber.value;
  const used = [usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_written_tokens];
  const tokens = used.reduce((sum, part) => sum + part, 0);
  const ofLimit = (part: string, whole: string | null) => (whole === null ? part : texts.value.count(part, whole));
  return (
    <section class="padded stack" aria-labelledby="budget-title">
      <h3 id="budget-title" class="muted small">
        {texts.value.budget}
      </h3>
      <Bar name={texts.value.steps} value={texts.value.count(count, limit)} used={count} limit={limit} />
      <Bar
        name={texts.value.tokens}
        value={ofLimit(written(tokens), tokenLimit === null ? null : written(tokenLimit))}
        used={tokens}
        limit={tokenLimit}
        title={texts.value.tokensDetail(used.map(written))}
      />
      {cost !== undefined && (
        <Bar
          name={texts.value.cost}
          value={`${ofLimit(cost.amount, costLimit ?? null)} ${cost.currency}`}
          used={Number(cost.amount)}
          limit={costLimit === undefined ? null : Number(costLimit)}
        />
      )}
      <Bar
        name={texts.value.tools}
        value={texts.value.toolsValue(view.successful_steps, view.failed_steps)}
        used={0}
        limit={null}
      />
    </section>
  );
};
