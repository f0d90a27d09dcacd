import { useSignal } from '@preact/signals';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { type Alignment, alignTraces } from '../../history/compare.ts';
import { nullIf } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { getTask, listTrace } from '../api/routes.ts';
import { forkOriginOf } from '../api/task-of-session.ts';
import { Badge, shownState } from '../design/badge.tsx';
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
import { entryText } from '../timeline/entry-text.ts';
import styles from './compare.module.css';

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
  path: ['Path', '经过'],
  same: [
    (count: number) => (count === 1 ? 'The first entry is the same' : `The first ${count} entries are the same`),
    (count: number) => `${count} 条相同`,
  ],
  identical: ['Both are the same so far.', '到目前为止两者经过相同。'],
  differs: ['First difference', '第一处不同'],
  allFields: ['All {0} fields that differ', '全部 {0} 个不同的字段'],
  otherwise: ['From here on they differ', '从这里开始各走各的路'],
  ended: ['ended here', '到此结束'],
});

/** Rows shown at a time. */
const ROWS = 100;

const shownValue = (value: unknown): string => {
  if (value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The names of two tasks that are compared. */
type Names = readonly [string, string];

interface ChangesProps extends Pick<Alignment, 'changes'> {
  /** The first differing entry, of either side. */
  entry: TraceEntry | undefined;
  names: Names;
}

const Fields = ({ changes, entry, names }: ChangesProps) => (
  <Table
    label={texts.value.differs}
    items={changes}
    columns={[
      [
        texts.value.differs,
        ({ path }) => (
          <>
            {entry !== undefined && eventTitle(entry.event)} <code>{path.join('.')}</code>
          </>
        ),
      ],
      [names[0], ({ before }) => <del data-change="removed">{shownValue(before)}</del>],
      [names[1], ({ after }) => <ins data-change="added">{shownValue(after)}</ins>],
    ]}
  />
);

/** The fields of an event that tell what it is. */
const TELLING = ['event.type', 'state', 'step_count'];

/** The fields that differ. Where the events are of two kinds, all others differ too, and are a click away. */
const Changes = ({ changes, ...rest }: ChangesProps) => {
  const pathOf = ({ path }: Alignment['changes'][number]): string => path.join('.');
  if (!changes.some((change) => pathOf(change) === 'event.type')) return <Fields changes={changes} {...rest} />;
  return (
    <>
      <Fields changes={changes.filter((change) => TELLING.includes(pathOf(change)))} {...rest} />
      <Unfold title={texts.value.allFields(changes.length)}>{() => <Fields changes={changes} {...rest} />}</Unfold>
    </>
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

/** The entries of both, with equal ones collapsed and the first difference shown in full. */
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
          {changes.length > 0 && <Changes changes={changes} entry={left[same] ?? right[same]} names={names} />}
          <h3 class="muted small">{texts.value.otherwise}</h3>
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

/** A task's steps, tokens and cost, each with its name. */
const factsOf = ({ step_count, step_limit, usage, cost }: TaskView): ReadonlyMap<string, string> => {
  const tokens = usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_written_tokens;
  const facts = new Map([
    [taskTexts.value.steps, `${step_count} / ${step_limit}`],
    [taskTexts.value.tokens, formatNumber.value(tokens)],
  ]);
  return cost === undefined ? facts : facts.set(taskTexts.value.cost, formatCost(Number(cost.amount), cost.currency));
};

/** One of two tasks: its state, usage, plan and answer; differences from the other are marked. */
const TaskSummary = ({ title, session, view, answer, other }: Side & { title: string; other: TaskView }) => {
  const steps = new Set(other.plan.map(({ step, status }) => `${status} ${step}`));
  const facts = factsOf(other);
  const mark = (isOther: boolean) => (isOther ? styles.other : '');
  return (
    <section class="card padded stack" aria-label={title}>
      <header class="line">
        <span class="label">{title}</span>
        <Badge state={shownState(view)} />
      </header>
      <h2 dir="auto">
        <a class={styles.goal} href={taskHref(session, view.id)}>
          {view.goal}
        </a>
      </h2>
      <dl class="line">
        {[...factsOf(view)].map(([name, value]) => (
          <div key={name} class={`${styles.fact} ${mark(facts.get(name) !== value)}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3 class="muted small">{taskTexts.value.plan}</h3>
      {view.plan.length === 0 && <p class="muted">{taskTexts.value.noPlan}</p>}
      <ol>
        {view.plan.map(({ id, step, status }, i) => (
          <li key={`${i}-${id}`} class={`${styles.step} ${mark(!steps.has(`${status} ${step}`))}`}>
            <Badge state={status} /> <span>{step}</span>
          </li>
        ))}
      </ol>
      <h3 class="muted small">{texts.value.answer}</h3>
      {answer === null ? <p class="muted">{texts.value.noAnswer}</p> : <Markdown text={answer} />}
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
        <div class={`${styles.compare} padded stack`}>
          <h1>{texts.value.title}</h1>
          <div class={styles.sides}>
            <Boundary>
              <TaskSummary title={namesOf(one, other)[0]} {...one} other={other.view} />
            </Boundary>
            <Boundary>
              <TaskSummary title={namesOf(one, other)[1]} {...other} other={one.view} />
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
