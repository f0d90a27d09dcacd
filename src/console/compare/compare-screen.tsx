import { useEffect } from 'preact/hooks';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { useResource } from '../api/resource.ts';
import { getTask } from '../api/routes.ts';
import { listTrace } from '../api/service-routes.ts';
import { query } from '../app/route.ts';
import { Empty, Failure, Loading } from '../design/notice.tsx';
import styles from './compare.module.css';
import { Paths } from './paths.tsx';
import { TaskSummary } from './task-summary.tsx';
import { texts } from './texts.ts';

interface Side {
  session: string;
  view: TaskView;
  entries: TraceEntry[];
  answer: string | null;
}

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
  const { loaded, reload } = useResource(
    (signal) => Promise.all([loadSide(left, signal), loadSide(right, signal)]),
    [left, right],
  );
  const { value, error } = loaded.value;
  const goesOn = value?.some(({ view }) => !isOver(view)) === true;
  useEffect(() => {
    if (!goesOn) return;
    const timer = setInterval(reload, RELOAD_MS);
    return () => clearInterval(timer);
  }, [goesOn, reload]);
  if (value === undefined) return error === null ? <Loading /> : <Failure error={error} onRetry={reload} />;
  const [one, other] = value;
  return (
    <div class={styles.compare}>
      <h1 class={styles.title}>{texts.value.title}</h1>
      <div class={styles.sides}>
        <TaskSummary title={texts.value.left} {...one} other={other.view} />
        <TaskSummary title={texts.value.right} {...other} other={one.view} />
      </div>
      <Paths left={one.entries} right={other.entries} />
    </div>
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
