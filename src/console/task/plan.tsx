import { useSignal } from '@preact/signals';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { type Meaning, meaningOf, Sign } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { jsonIn } from '../design/json-text.ts';
import { lazy } from '../design/loaded.tsx';
import { Markdown } from '../design/markdown.tsx';
import { runningNow } from '../design/time.tsx';
import { addSpent, NOTHING_SPENT, type Spent, spentOn } from '../history/spent.ts';
import type { TaskHistory } from '../history/task-history.ts';
import { formatCost, formatDuration, formatNumber, formatRunning } from '../text/numbers.ts';
import { states } from '../text/states.ts';
import { observationsOf } from '../timeline/observations.ts';
import { type EditPlan, ItemEditor, isLeft, StepForm } from './plan-editor.tsx';
import styles from './task.module.css';
import { texts } from './texts.ts';

const TextTree = lazy(async () => (await import('../design/tree.tsx')).TextTree);

type Item = TaskView['plan'][number];

/** The work on an item. */
interface ItemWork {
  /** True once a tool call succeeded; false if all failed so far; null: none was made. */
  isOk: boolean | null;
  /** Its calls, without what it waited for its user. */
  spent: Spent;
  /** The moment until which its running call is counted, in epoch milliseconds; null: none runs. */
  runsFrom: number | null;
}

/** The work on each item by its id, until the selected moment, as far as the trace is loaded. */
export const workByItem = ({ entries, index, shownCalls }: TaskHistory): ReadonlyMap<string, ItemWork> => {
  const works = new Map<string, ItemWork>();
  const until = Date.parse(entries[index.value]?.at ?? '');
  for (const call of shownCalls.value) {
    const { item } = call.place;
    if (item === null) continue;
    const { isOk, spent, runsFrom } = works.get(item) ?? { isOk: null, spent: NOTHING_SPENT, runsFrom: null };
    const seen = call.kind === 'tool' && call.to !== null ? observationsOf(entries[call.to]!.event) : [];
    works.set(item, {
      isOk: seen.length === 0 ? isOk : isOk === true || seen.some(({ ok }) => ok),
      spent: addSpent(spent, spentOn(call, entries, until)),
      runsFrom: call.endsAt === null && call.kind !== 'wait' ? Math.max(call.beginsAt, until) : runsFrom,
    });
  }
  return works;
};

interface PlanProps {
  view: TaskView;
  works: ReadonlyMap<string, ItemWork>;
  /** The time of a running item goes on: this is no moment of the past. */
  isLive?: boolean;
  /** Edits the plan; absent: it cannot be edited now. */
  edit?: EditPlan | undefined;
}

interface PlanItemProps extends PlanProps {
  index: number;
}

/** Longest result that is shown with its item at once, in characters. */
const RESULT_CHARS_MAX = 280;

/** A result in Markdown, or of JSON as a tree. */
const ResultText = ({ text }: { text: string }) =>
  jsonIn(text) === null ? <Markdown text={text} /> : <TextTree text={text} />;

const Result = ({ text }: { text: string }) =>
  text.length <= RESULT_CHARS_MAX ? (
    <div class={styles.result}>
      <ResultText text={text} />
    </div>
  ) : (
    <details class={styles.result}>
      <summary>{texts.value.result}</summary>
      <ResultText text={text} />
    </details>
  );

/** The sign of an item. The one that is worked on has that of its task. */
const signOf = (status: Item['status'], isInVain: boolean, isCurrent: boolean, task: TaskView): Meaning | 'open' => {
  if (isInVain) return 'failed';
  if (isCurrent && status !== 'completed') return meaningOf(task.state);
  return status === 'not_started' ? 'open' : meaningOf(status);
};

/** The time of an item's calls. The running one's goes on. */
const workedText = ({ spent: { ms }, runsFrom }: ItemWork, isLive: boolean): string => {
  if (!isLive || runsFrom === null) return ms > 0 ? formatDuration(ms) : '';
  return formatRunning(ms + Math.max(0, runningNow.value - runsFrom));
};

/** The time, tokens and money of an item; unknown figures are left out. */
const SpentLine = ({ work, isLive }: { work: ItemWork; isLive: boolean }) => {
  const { tokens, cost, currency } = work.spent;
  const figures = [
    workedText(work, isLive),
    tokens > 0 && texts.value.tokensSpent(formatNumber.value(tokens)),
    cost !== null && formatCost(cost, currency),
  ].filter(Boolean);
  return (
    <span class="number" dir="ltr" title={texts.value.worked}>
      {figures.join(' · ')}
    </span>
  );
};

const isOver = ({ state }: TaskView): boolean => state === 'done' || state === 'failed' || state === 'cancelled';

const PlanItem = ({ view, index, works, isLive = false, edit }: PlanItemProps) => {
  const { plan, current_plan_index } = view;
  const { id, step, status, executor, depends_on, result } = plan[index]!;
  const work = works.get(id);
  const isInVain = status === 'completed' && work?.isOk === false;
  const isCurrent = !isOver(view) && index === current_plan_index;
  return (
    <li class={styles.item} dir="auto" data-status={status} aria-current={isCurrent ? 'step' : undefined}>
      <Sign meaning={signOf(status, isInVain, isCurrent, view)} />
      <div>
        <bdi class="visually-hidden">{states.value[status]}: </bdi>
        <span class={`${styles.step} as-written`}>{step}</span>
        <span class={`line muted small ${status === 'not_started' ? '' : styles.work}`}>
          {isInVain && <bdi class="refusal">{texts.value.inVain}</bdi>}
          {plan.some((other) => other.depends_on.includes(id)) && <bdi>{id}</bdi>}
          {executor !== 'default' && <bdi>[{executor}]</bdi>}
          {depends_on.length > 0 && <bdi>{texts.value.dependsOn(depends_on.join(', '))}</bdi>}
          {work !== undefined && <SpentLine work={work} isLive={isLive} />}
        </span>
        {result !== null && result !== '' && <Result text={result} />}
        {edit !== undefined && isLeft(plan[index]) && <ItemEditor plan={plan} index={index} edit={edit} />}
      </div>
    </li>
  );
};

/** How many items are drawn before the current one: a task that replans often has thousands of ended ones. */
const BEFORE_SHOWN = 20;

/** How many more are drawn on request. */
const BEFORE_STEP = 100;

/** How many of a plan's items are done, in words; empty: it has none. */
export const doneText = ({ plan }: TaskView): string =>
  plan.length === 0 ? '' : texts.value.doneOf(plan.filter(({ status }) => status === 'completed').length, plan.length);

/** A task's plan: the last ended items, then the unfinished ones, each with its mark; earlier ones on request. */
export const Plan = (props: PlanProps) => {
  const { view, edit } = props;
  const { plan, current_plan_index } = view;
  const before = useSignal(BEFORE_SHOWN);
  const hidden = Math.max(0, current_plan_index - before.value);
  return (
    <div class={styles.part}>
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
          <PlanItem key={`${hidden + place}-${id}`} {...props} index={hidden + place} />
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
    </div>
  );
};
