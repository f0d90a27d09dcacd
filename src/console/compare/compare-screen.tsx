import { useSignal } from '@preact/signals';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { type Alignment, alignTraces } from '../../history/compare.ts';
import { nullIf } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { getTask, listTrace } from '../api/routes.ts';
import { forkOriginOf } from '../api/task-of-session.ts';
import { Badge, meaningOf, Sign, shownState } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Unfold } from '../design/fields.tsx';
import { Boundary, Empty, Loaded, Table } from '../design/loaded.tsx';
import { Markdown } from '../design/markdown.tsx';
import { query, taskHref } from '../state/route.ts';
import { texts as taskTexts } from '../task/texts.ts';
import { eventTitle } from '../text/event-titles.ts';
import { defineTexts } from '../text/language.ts';
import { formatCost, formatNumber } from '../text/numbers.ts';
import { shared } from '../text/shared.ts';
import { states } from '../text/states.ts';
import { entryText } from '../timeline/entry-text.ts';
import styles from './compare.module.css';
import { eventInWords, FirstDifference, valueInWords, whatDiffers } from './first-difference.tsx';

const texts = defineTexts({
  title: ['Two tasks side by side', '两个任务并列对比'],
  none: ['Nothing to compare yet', '还没有可对比的任务'],
  noneHint: [
    'Open a task, and choose “Compare…” or “Fork…” above its plan.',
    '打开一个任务，在计划上方选择“对比…”或“分叉…”。',
  ],
  original: ['Original', '原任务'],
  fork: ['Fork', '分叉'],
  first: ['First task', '第一个任务'],
  second: ['Second task', '第二个任务'],
  answer: ['Answer', '回答'],
  noAnswer: ['No answer yet', '还没有回答'],
  path: ['Entry by entry', '逐条对比'],
  same: [
    (count: number) => (count === 1 ? 'The first entry is the same' : `The first ${count} entries are the same`),
    (count: number) => `前 ${count} 条相同`,
  ],
  thenOtherwise: ['{0}, then they differ', '{0}，之后不同'],
  atOnce: ['They differ from the first entry on', '从第一条起就不同'],
  identical: ['Both are the same so far', '到目前为止两者相同'],
  field: ['Field', '字段'],
  allFields: [
    (count: number) => (count === 1 ? 'The field that differs' : `All ${count} fields that differ`),
    (count: number) => `全部 ${count} 个不同的字段`,
  ],
  otherwise: ['From here on they differ', '从这里开始不同'],
  ended: ['ended here', '到此结束'],
  entryOf: ['entry {0}', '第 {0} 条'],
  openTask: ['Open this task', '打开此任务'],
});

/** Rows shown at a time. */
const ROWS = 100;

const shownValue = (value: unknown): string => {
  if (value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The names of two tasks that are compared. */
type Names = readonly [string, string];

/** Every field of the first differing entries that is not the same, as it is stored. */
const Fields = ({ changes, names }: Pick<Alignment, 'changes'> & { names: Names }) => (
  <Table
    label={texts.value.allFields(changes.length)}
    items={changes}
    columns={[
      [texts.value.field, ({ path }) => <code>{path.join('.')}</code>],
      [names[0], ({ before }) => <del data-change="removed">{shownValue(before)}</del>],
      [names[1], ({ after }) => <ins data-change="added">{shownValue(after)}</ins>],
    ]}
  />
);

const toolOf = ({ event }: TraceEntry): string | undefined =>
  event.type === 'thought.made' ? event.next_action?.tool : undefined;

/** The first difference of two traces, in words; draws nothing if there is none. */
const FirstOfTwo = ({
  left,
  right,
  names,
}: {
  left: readonly TraceEntry[];
  right: readonly TraceEntry[];
  names: Names;
}) => {
  const { same, changes } = alignTraces(left, right);
  const [one, other] = [left[same], right[same]];
  const entry = one ?? other;
  if (entry === undefined) return null;
  const changed = changes.find(({ path: [part] }) => part === 'event');
  const isOneEvent = one !== undefined && other !== undefined && one.event.type === other.event.type;
  if (!isOneEvent || changed === undefined)
    return (
      <FirstDifference
        title="h2"
        what={texts.value.entryOf(entry.seq)}
        sides={[
          [names[0], eventInWords(one?.event)],
          [names[1], eventInWords(other?.event)],
        ]}
      />
    );
  return (
    <FirstDifference
      title="h2"
      what={whatDiffers(one.event, changed.path.map(String).slice(1), toolOf(one))}
      sides={[
        [names[0], valueInWords(changed.before)],
        [names[1], valueInWords(changed.after)],
      ]}
    />
  );
};

interface EntryProps {
  entry: TraceEntry | undefined;
  isKept: boolean;
  /** Its task ended with the entry before. */
  isAfterLast: boolean;
}

const Entry = ({ entry, isKept, isAfterLast }: EntryProps) => {
  if (entry === undefined) return <span class="muted">{isAfterLast && texts.value.ended}</span>;
  const line = (
    <>
      <span class="muted">{entry.seq}</span>
      <span class="muted">{eventTitle(entry.event)}</span>
      <span>{entryText(entry)}</span>
    </>
  );
  const at = { seq: entry.seq, tab: 'timeline' };
  return isKept ? (
    <a class={styles.entry} href={taskHref(entry.session_id, entry.task_id ?? '', at)}>
      {line}
    </a>
  ) : (
    <span class={styles.entry}>{line}</span>
  );
};

interface PathsProps {
  left: readonly TraceEntry[];
  right: readonly TraceEntry[];
  /** The names of both. */
  names: Names;
  /** False: the right one is no task of the service, so its entries have no address. */
  isRightKept?: boolean;
}

/** The entries of both, with equal ones and the changed fields of the first difference folded. */
export const Paths = ({ left, right, names, isRightKept = true }: PathsProps) => {
  const { same, changes } = alignTraces(left, right);
  const rows = useSignal(ROWS);
  const length = Math.max(left.length, right.length);
  const pairs = (from: number, to: number) => (
    <>
      <p class={`${styles.pair} label`}>
        {names.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </p>
      <ol>
        {Array.from({ length: Math.min(to - from, rows.value) }, (_, i) => (
          <li key={from + i} class={`${styles.pair} small`} data-first={from + i === same}>
            <Entry entry={left[from + i]} isKept isAfterLast={from + i === left.length} />
            <Entry entry={right[from + i]} isKept={isRightKept} isAfterLast={from + i === right.length} />
          </li>
        ))}
      </ol>
      {to - from > rows.value && (
        <Button
          onClick={() => {
            rows.value += ROWS;
          }}
        >
          {shared.value.more}
        </Button>
      )}
    </>
  );
  return (
    <section class="stack" aria-label={texts.value.path}>
      <h2>{texts.value.path}</h2>
      {same > 0 && <Unfold title={texts.value.same(same)}>{() => pairs(0, same)}</Unfold>}
      {same === length ? (
        <p class="muted">{texts.value.identical}</p>
      ) : (
        <>
          {changes.length > 0 && (
            <Unfold title={texts.value.allFields(changes.length)}>
              {() => <Fields changes={changes} names={names} />}
            </Unfold>
          )}
          <h3 class="label">{texts.value.otherwise}</h3>
          {pairs(same, length)}
        </>
      )}
    </section>
  );
};

interface Side {
  session: string;
  /** The task that it was forked from; null: it is not a fork. */
  origin: string | null;
  view: TaskView;
  entries: TraceEntry[];
  answer: string | null;
}

/** A figure of a task: its name, its number, and how that is written. */
interface Fact {
  name: string;
  amount: number;
  text: string;
}

/** A task's steps, tokens and cost. */
const factsOf = ({ step_count, step_limit, usage, cost }: TaskView): Fact[] => {
  const tokens = usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_written_tokens;
  const { steps, tokens: tokensName, cost: costName } = taskTexts.value;
  const facts = [
    { name: steps, amount: step_count, text: `${step_count} / ${step_limit}` },
    { name: tokensName, amount: tokens, text: formatNumber.value(tokens) },
  ];
  if (cost === undefined) return facts;
  return [
    ...facts,
    { name: costName, amount: Number(cost.amount), text: formatCost(Number(cost.amount), cost.currency) },
  ];
};

/** By how much an amount is more or less than another, in percent; null: it is neither. */
const changeOf = (amount: number, before: number): string | null => {
  const percent = before === 0 ? 0 : Math.round((100 * (amount - before)) / before);
  return percent === 0 ? null : `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`;
};

interface SummaryProps extends Side {
  title: string;
  other: TaskView;
  /** It is the second one: its figures say how they differ from those of the first. */
  isSecond: boolean;
}

/** One of two tasks: its state, usage, plan and answer; what the other one has not is marked. */
const TaskSummary = ({ title, session, view, answer, other, isSecond }: SummaryProps) => {
  const steps = new Set(other.plan.map(({ step, status }) => `${status} ${step}`));
  const before = factsOf(other);
  const own = isSecond ? 'added' : 'removed';
  return (
    <section class={`compared ${styles.summary}`} aria-label={title}>
      <header class="line">
        <h2>{title}</h2>
        <Badge state={shownState(view)} />
        <span class="fill" />
        <a class="small" href={taskHref(session, view.id)}>
          {texts.value.openTask}
        </a>
      </header>
      {view.goal !== other.goal && (
        <p class="name" dir="auto">
          {view.goal}
        </p>
      )}
      <dl class={styles.facts}>
        {factsOf(view).map(({ name, amount, text }, i) => {
          const change = isSecond && before[i]?.name === name ? changeOf(amount, before[i].amount) : null;
          return (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="number">
                {text} {change !== null && <span class="muted small">{change}</span>}
              </dd>
            </div>
          );
        })}
      </dl>
      <div class="stack">
        <h3 class="label">{taskTexts.value.plan}</h3>
        {view.plan.length === 0 && <p class="muted">{taskTexts.value.noPlan}</p>}
        <ol class="stack">
          {view.plan.map(({ id, step, status }, i) => (
            <li key={`${i}-${id}`} class={`${styles.step} ${steps.has(`${status} ${step}`) ? '' : styles[own]}`}>
              <Sign meaning={status === 'not_started' ? 'open' : meaningOf(status)} />
              <span class="visually-hidden">{states.value[status]}</span>
              <span dir="auto">{step}</span>
            </li>
          ))}
        </ol>
      </div>
      <div class="stack">
        <h3 class="label">{texts.value.answer}</h3>
        {answer === null ? <p class="muted">{texts.value.noAnswer}</p> : <Markdown text={answer} />}
      </div>
    </section>
  );
};

/** How often running tasks are reloaded, in milliseconds. */
const RELOAD_MS = 2_000;

const isOver = ({ state }: TaskView): boolean => state === 'done' || state === 'failed' || state === 'cancelled';

const answerIn = (entries: readonly TraceEntry[]): string | null => {
  const last = entries.findLast(({ event }) => event.type === 'replan.made')?.event;
  return last?.type === 'replan.made' && last.status === 'done' ? last.response : null;
};

/** Loads a task by `session/task`, or by its id alone. */
const loadSide = async (named: string, signal: AbortSignal): Promise<Side> => {
  const task = named.slice(named.indexOf('/') + 1);
  const [view, entries] = await Promise.all([getTask(task, signal), listTrace(task, signal)]);
  const session = entries[0]?.session_id ?? '';
  const origin = await forkOriginOf(session).catch(nullIf(404));
  return { session, origin: origin?.task_id ?? null, view, entries, answer: isOver(view) ? answerIn(entries) : null };
};

const namesOf = (one: Side, other: Side): Names => {
  const { original, fork, first, second } = texts.value;
  if (other.origin === one.view.id) return [original, fork];
  return one.origin === other.view.id ? [fork, original] : [first, second];
};

/** The head of the comparison: its title, and how far both are the same. */
const CompareHead = ({ one, other }: { one: Side; other: Side }) => {
  const { title, same: sameText, thenOtherwise, atOnce, identical } = texts.value;
  const { same } = alignTraces(one.entries, other.entries);
  const isOneGoal = one.view.goal === other.view.goal;
  const isSame = same === Math.max(one.entries.length, other.entries.length);
  const differ = same === 0 ? atOnce : thenOtherwise(sameText(same));
  return (
    <header>
      {isOneGoal && <p class="label">{title}</p>}
      <h1 dir="auto">{isOneGoal ? one.view.goal : title}</h1>
      <p class={styles.verdict}>{isSame ? identical : differ}</p>
    </header>
  );
};

const Comparison = ({ left, right }: { left: string; right: string }) => {
  const goesOn = useSignal(false);
  const load = async (signal: AbortSignal) => {
    const sides = await Promise.all([loadSide(left, signal), loadSide(right, signal)]);
    goesOn.value = !sides.every(({ view }) => isOver(view));
    return sides;
  };
  const { loaded, reload } = useResource(load, [left, right], goesOn.value ? RELOAD_MS : undefined);
  return (
    <Loaded from={loaded.value} onRetry={reload}>
      {([one, other]) => (
        <div class={`${styles.compare} padded`}>
          <Boundary>
            <CompareHead one={one} other={other} />
            <FirstOfTwo left={one.entries} right={other.entries} names={namesOf(one, other)} />
          </Boundary>
          <div class={styles.summaries}>
            <Boundary>
              <TaskSummary title={namesOf(one, other)[0]} {...one} other={other.view} isSecond={false} />
            </Boundary>
            <Boundary>
              <TaskSummary title={namesOf(one, other)[1]} {...other} other={one.view} isSecond />
            </Boundary>
          </div>
          <Boundary>
            <Paths left={one.entries} right={other.entries} names={namesOf(one, other)} />
          </Boundary>
        </div>
      )}
    </Loaded>
  );
};

/** Two tasks side by side, named by `?left=` and `?right=`. */
export const CompareScreen = () => {
  const left = query.value.get('left');
  const right = query.value.get('right');
  if (left === null || right === null) return <Empty title={texts.value.none}>{texts.value.noneHint}</Empty>;
  return <Comparison key={`${left} ${right}`} left={left} right={right} />;
};
