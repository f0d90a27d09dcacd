import { useEffect } from 'preact/hooks';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { useResource } from '../api/resource.ts';
import { getTask } from '../api/routes.ts';
import { listTrace } from '../api/service-routes.ts';
import { Link } from '../app/link.tsx';
import { taskHref } from '../app/parse-route.ts';
import { query } from '../app/route.ts';
import { Badge, shownState } from '../design/badge.tsx';
import { ShortId } from '../design/copy.tsx';
import { Loaded } from '../design/loaded.tsx';
import { Markdown } from '../design/markdown.tsx';
import { Empty } from '../design/notice.tsx';
import { texts as taskTexts } from '../task/texts.ts';
import { formatNumber } from '../text/numbers.ts';
import styles from './compare.module.css';
import { Paths } from './paths.tsx';
import { texts } from './texts.ts';

interface Side {
  session: string;
  view: TaskView;
  entries: TraceEntry[];
  answer: string | null;
}

const Fact = ({ name, value, isOther }: { name: string; value: string; isOther: boolean }) => (
  <div class={`${styles.fact} ${isOther ? styles.other : ''}`}>
    <dt class="muted">{name}</dt>
    <dd>{value}</dd>
  </div>
);

const tokensOf = ({ usage }: TaskView): number =>
  usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_written_tokens;

/** One of two tasks: how it stands, what it used, its plan and its answer; what the other has otherwise is marked. */
const TaskSummary = ({ title, session, view, answer, other }: Side & { title: string; other: TaskView }) => {
  const steps = new Set(other.plan.map(({ step, status }) => `${status} ${step}`));
  return (
    <section class="card padded stack" aria-label={title}>
      <header class="line">
        <Badge state={shownState(view)} />
        <Link href={taskHref(session, view.id)}>{session}</Link>
        <ShortId id={view.id} />
      </header>
      <h2>{view.goal}</h2>
      <dl class="line">
        <Fact
          name={taskTexts.value.steps}
          value={`${view.step_count} / ${view.step_limit}`}
          isOther={view.step_count !== other.step_count}
        />
        <Fact
          name={taskTexts.value.tokens}
          value={formatNumber.value(tokensOf(view))}
          isOther={tokensOf(view) !== tokensOf(other)}
        />
        {view.cost !== undefined && (
          <Fact
            name={taskTexts.value.cost}
            value={`${view.cost.amount} ${view.cost.currency}`}
            isOther={view.cost.amount !== other.cost?.amount}
          />
        )}
      </dl>
      <h3 class="muted small">{taskTexts.value.plan}</h3>
      {view.plan.length === 0 && <p class="muted">{taskTexts.value.noPlan}</p>}
      <ol>
        {view.plan.map(({ id, step, status }, i) => (
          <li key={`${i}-${id}`} class={`${styles.step} ${steps.has(`${status} ${step}`) ? '' : styles.other}`}>
            <Badge state={status} /> <span>{step}</span>
          </li>
        ))}
      </ol>
      <h3 class="muted small">{texts.value.answer}</h3>
      {answer === null ? <p class="muted">{texts.value.noAnswer}</p> : <Markdown text={answer} />}
    </section>
  );
};

/** How often tasks that go on are loaded again, in milliseconds. */
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
  return { session: entries[0]?.session_id ?? '', view, entries, answer: isOver(view) ? answerIn(entries) : null };
};

const Comparison = ({ left, right }: { left: string; right: string }) => {
  const sides = useResource((signal) => Promise.all([loadSide(left, signal), loadSide(right, signal)]), [left, right]);
  const { reload } = sides;
  const goesOn = sides.loaded.value.value?.some(({ view }) => !isOver(view)) === true;
  useEffect(() => {
    if (!goesOn) return;
    const timer = setInterval(reload, RELOAD_MS);
    return () => clearInterval(timer);
  }, [goesOn, reload]);
  return (
    <Loaded from={sides.loaded.value} onRetry={sides.reload}>
      {([one, other]) => (
        <div class={`${styles.compare} padded stack`}>
          <h1>{texts.value.title}</h1>
          <div class={styles.sides}>
            <TaskSummary title={texts.value.left} {...one} other={other.view} />
            <TaskSummary title={texts.value.right} {...other} other={one.view} />
          </div>
          <Paths left={one.entries} right={other.entries} />
        </div>
      )}
    </Loaded>
  );
};

/** Two tasks side by side, as `?left=` and `?right=` name them. */
export const CompareScreen = () => {
  const left = query.value.get('left');
  const right = query.value.get('right');
  if (left === null || right === null)
    return (
      <Empty title={texts.value.none}>
        <p>{texts.value.noneHint}</p>
      </Empty>
    );
  return <Comparison key={`${left} ${right}`} left={left} right={right} />;
};
