import { type Signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { SessionView } from '../../../contracts/http.ts';
import { request } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { useIsOperator } from '../api/role.ts';
import { meaningOf, Sign, shownState } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Choice, Search } from '../design/fields.tsx';
import { Icon } from '../design/icon.tsx';
import { Empty, Loaded, lazy, Table } from '../design/loaded.tsx';
import { Time } from '../design/time.tsx';
import { STATES } from '../list/filter.ts';
import { compareHref, navigate, taskHref } from '../state/route.ts';
import { formatCost, formatNumber } from '../text/numbers.ts';
import { shared } from '../text/shared.ts';
import { states } from '../text/states.ts';
import { tracesTexts } from '../traces/texts.ts';
import styles from '../traces/traces.module.css';

const RerunDialog = lazy(async () => (await import('../reruns/rerun-dialog.tsx')).RerunDialog);

/** How often the list is polled, in milliseconds. */
const EVERY_MS = 5_000;

/** How many more are listed at once. */
const SHOWN_STEP = 50;

/** A session with its last task. */
interface Recorded extends SessionView {
  last_task: NonNullable<SessionView['last_task']>;
}

const hasTask = (session: SessionView): session is Recorded => session.last_task !== null;

const nameOf = ({ title, session_id }: SessionView): string => title ?? session_id;

/** The names of the sessions whose tasks are chosen. */
type Chosen = Signal<ReadonlySet<string>>;

const toggle = (chosen: Chosen, session: string): void => {
  const next = new Set(chosen.peek());
  if (!next.delete(session)) next.add(session);
  chosen.value = next;
};

/** The actions on the chosen tasks. */
const ChosenTasks = ({ tasks, chosen }: { tasks: readonly Recorded[]; chosen: Chosen }) => {
  const words = tracesTexts.value;
  const isOperator = useIsOperator();
  const runsAgain = useSignal(false);
  const [one, other] = tasks.map(({ session_id, last_task }) => `${session_id}/${last_task.id}`);
  const canCompare = tasks.length === 2 && one !== undefined && other !== undefined;
  return (
    <div class={styles.chosen} role="toolbar" aria-label={words.chosen(tasks.length)}>
      <span class="name" role="status">
        {words.chosen(tasks.length)}
      </span>
      <Button
        size="small"
        disabled={!canCompare}
        title={canCompare ? undefined : words.compareHint}
        onClick={() => {
          if (canCompare) navigate(compareHref(one, other));
        }}
      >
        {words.compare}
      </Button>
      {isOperator && (
        <Button
          size="small"
          onClick={() => {
            runsAgain.value = true;
          }}
        >
          {words.rerun}
        </Button>
      )}
      <Button
        size="small"
        icon="close"
        title={words.noLonger}
        onClick={() => {
          chosen.value = new Set();
        }}
      />
      {runsAgain.value && (
        <RerunDialog
          tasks={tasks.map(({ last_task }) => last_task.id)}
          onClose={() => {
            runsAgain.value = false;
          }}
        />
      )}
    </div>
  );
};

const TaskCell = ({ task, chosen }: { task: Recorded; chosen: Chosen }) => (
  <span class={styles.task}>
    <input
      type="checkbox"
      aria-label={tracesTexts.value.choose(nameOf(task))}
      checked={chosen.value.has(task.session_id)}
      onChange={() => toggle(chosen, task.session_id)}
    />
    <a
      class="name clipped"
      href={taskHref(task.session_id, task.last_task.id, { tab: 'timeline' })}
      title={nameOf(task)}
      dir="auto"
      data-row
    >
      {nameOf(task)}
    </a>
  </span>
);

const State = ({ task }: { task: Recorded }) => {
  const state = shownState(task.last_task);
  const meaning = meaningOf(state);
  return (
    <span class={styles.state} data-meaning={meaning}>
      <Sign meaning={meaning} />
      <span class="sentence">{states.value[meaning === 'running' ? 'running' : state]}</span>
    </span>
  );
};

const Feedback = ({ task: { feedback } }: { task: Recorded }) => {
  const words = tracesTexts.value;
  const count = (name: 'up' | 'down') => feedback?.[name] ?? 0;
  return (['up', 'down'] as const).map(
    (name) =>
      count(name) > 0 && (
        <span
          key={name}
          class={styles.rated}
          role="img"
          aria-label={(name === 'up' ? words.ratedUp : words.ratedDown)(count(name))}
        >
          <Icon name={name === 'up' ? 'thumb-up' : 'thumb-down'} /> {count(name)}
        </span>
      ),
  );
};

const costOf = ({ last_task: { cost } }: Recorded): string =>
  cost === undefined ? '–' : formatCost(Number(cost.amount), cost.currency);

const Tasks = ({ tasks, chosen }: { tasks: readonly Recorded[]; chosen: Chosen }) => {
  const words = tracesTexts.value;
  const isRated = tasks.some(({ feedback }) => feedback !== undefined);
  return (
    <Table
      label={words.tasks}
      items={tasks}
      columns={[
        [words.task, (task) => <TaskCell task={task} chosen={chosen} />],
        [words.state, (task) => <State task={task} />],
        ...(isRated ? [[words.feedback, (task: Recorded) => <Feedback task={task} />] as const] : []),
        [words.entries, ({ last_seq }) => formatNumber.value(last_seq), 'numbers'],
        [words.cost, costOf, 'numbers'],
        [words.lastUsed, ({ updated_at }) => <Time at={updated_at} />, 'numbers'],
      ]}
    />
  );
};

/** The tasks of these words and this state, so many at a time; the old list stays until the next one is loaded. */
const useTasks = (words: string, state: string) => {
  const shown = useSignal(SHOWN_STEP);
  const { loaded, reload } = useResource(
    (signal) =>
      request<{ sessions: SessionView[]; next: string | null }>('/v1/sessions', {
        query: { q: words || null, state: state || null, limit: shown.value },
        signal,
      }),
    [words, state, shown.value],
    EVERY_MS,
  );
  const { value, error } = loaded.value;
  const last = useRef(value);
  last.current = value ?? last.current;
  const more = (): void => {
    shown.value += SHOWN_STEP;
  };
  return { from: { value: last.current, error }, reload, more };
};

/** Every session's last task, newest first: one opens its timeline, compares two, or runs several again. */
export const RecordedTasks = () => {
  const words = tracesTexts.value;
  const [typed, state] = [useSignal(''), useSignal('')];
  const chosen: Chosen = useSignal<ReadonlySet<string>>(new Set());
  const { from, reload, more } = useTasks(typed.value.trim(), state.value);
  const isAll = typed.value.trim() === '' && state.value === '';
  return (
    <Loaded from={from} onRetry={reload}>
      {({ sessions, next }) => {
        const tasks = sessions.filter(hasTask);
        if (tasks.length === 0 && isAll) return <Empty title={words.none}>{words.noneHint}</Empty>;
        const picked = tasks.filter(({ session_id }) => chosen.value.has(session_id));
        return (
          <>
            <div class={styles.filters}>
              <Search of={typed} label={words.search} />
              <Choice
                of={state}
                label={words.state}
                any={words.anyState}
                choices={STATES.map((value) => ({ value, title: states.value[value] }))}
              />
              {picked.length > 0 && <ChosenTasks tasks={picked} chosen={chosen} />}
            </div>
            {tasks.length === 0 ? <Empty title={words.noMatch} /> : <Tasks tasks={tasks} chosen={chosen} />}
            {next !== null && (
              <Button kind="quiet" class={styles.more} onClick={more}>
                {shared.value.more}
              </Button>
            )}
          </>
        );
      }}
    </Loaded>
  );
};
