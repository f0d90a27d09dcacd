import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { SessionView } from '../../../contracts/http.ts';
import { useResource } from '../api/resource.ts';
import { useIsOperator } from '../api/role.ts';
import { listSessions, nameOf } from '../api/sessions.ts';
import { meaningOf, Sign, shownState } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Choice, Search } from '../design/fields.tsx';
import { Icon } from '../design/icon.tsx';
import { Empty, Loaded, lazy, Table } from '../design/loaded.tsx';
import { Time } from '../design/time.tsx';
import { STATES } from '../list/filter.ts';
import { compareHref, navigate, query, setQuery, taskHref } from '../state/route.ts';
import { language } from '../text/language.ts';
import { formatCost, formatNumber } from '../text/numbers.ts';
import { shared } from '../text/shared.ts';
import { states } from '../text/states.ts';
import {
  type Column,
  inOrder,
  isNewestFirst,
  type Order,
  orderBy,
  orderIn,
  type Recorded,
  sortOf,
} from '../traces/order.ts';
import { tracesTexts } from '../traces/texts.ts';
import styles from '../traces/traces.module.css';

const RerunDialog = lazy(async () => (await import('../reruns/rerun-dialog.tsx')).RerunDialog);

/** How often the list is polled, in milliseconds. */
const EVERY_MS = 5_000;

/** The same of a list that another order took whole. */
const SORTED_EVERY_MS = 30_000;

/** How many more are listed at once. */
const SHOWN_STEP = 50;

const hasTask = (session: SessionView): session is Recorded => session.last_task !== null;

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

const Cost = ({ task: { last_task } }: { task: Recorded }) =>
  last_task.cost === undefined ? (
    <span class={styles.unknown}>–</span>
  ) : (
    formatCost(Number(last_task.cost.amount), last_task.cost.currency)
  );

/** The number of entries, with its unit where no column says it. */
const Entries = ({ task: { last_seq } }: { task: Recorded }) => (
  <>
    {formatNumber.value(last_seq)}
    <span class={styles.unit}> {tracesTexts.value.entriesUnit(last_seq)}</span>
  </>
);

interface TasksProps {
  tasks: readonly Recorded[];
  chosen: Chosen;
  order: Order;
}

const Tasks = ({ tasks, chosen, order }: TasksProps) => {
  const words = tracesTexts.value;
  const isRated = order.column === 'feedback' || tasks.some(({ feedback }) => feedback !== undefined);
  const all: [Column, (task: Recorded) => ComponentChildren, 'numbers'?][] = [
    ['task', (task) => <TaskCell task={task} chosen={chosen} />],
    ['state', (task) => <State task={task} />],
    ['feedback', (task) => <Feedback task={task} />],
    ['entries', (task) => <Entries task={task} />, 'numbers'],
    ['cost', (task) => <Cost task={task} />, 'numbers'],
    ['used', ({ updated_at }) => <Time at={updated_at} />, 'numbers'],
  ];
  const columns = all.filter(([name]) => name !== 'feedback' || isRated);
  return (
    <Table
      label={words.tasks}
      class={styles.tasks}
      items={tasks}
      columns={columns.map(([name, ...column]) => [words[name], ...column] as const)}
      order={{
        by: words[order.column],
        isDescending: order.isDescending,
        choose: (title) => {
          const column = columns.find(([name]) => words[name] === title)?.[0] ?? order.column;
          setQuery({ sort: sortOf(orderBy(column, order)) });
        },
      }}
    />
  );
};

/**
 * The tasks of these words and this state in an order, so many at a time; the old list stays until the next one is
 * loaded. The API has the newest first: another order takes all of them.
 */
const useTasks = (words: string, state: string, order: Order) => {
  const shown = useSignal(SHOWN_STEP);
  const isNewest = isNewestFirst(order);
  const count = isNewest ? shown.value : Number.POSITIVE_INFINITY;
  const { loaded, reload } = useResource(
    async (signal) => {
      const query = { q: words || null, state: state || null };
      const { sessions, hasMore } = await listSessions({ query, count, signal });
      return { tasks: inOrder(sessions.filter(hasTask), order), hasMore, order };
    },
    [words, state, count, sortOf(order), language.value],
    isNewest ? EVERY_MS : SORTED_EVERY_MS,
  );
  const { value, error } = loaded.value;
  const last = useRef(value);
  last.current = value ?? last.current;
  const more = (): void => {
    shown.value += SHOWN_STEP;
  };
  const listed = last.current && {
    ...last.current,
    shown: last.current.tasks.slice(0, shown.value),
    hasMore: last.current.hasMore || last.current.tasks.length > shown.value,
  };
  return { from: { value: listed, error }, reload, more };
};

/**
 * Every session's last task, in any order: one opens its timeline, compares two, or runs several again. Below them,
 * once they are there, its children.
 */
export const RecordedTasks = ({ children }: { children: ComponentChildren }) => {
  const words = tracesTexts.value;
  const [typed, state] = [useSignal(''), useSignal('')];
  const chosen: Chosen = useSignal<ReadonlySet<string>>(new Set());
  const { from, reload, more } = useTasks(typed.value.trim(), state.value, orderIn(query.value.get('sort')));
  const isAll = typed.value.trim() === '' && state.value === '';
  return (
    <Loaded from={from} onRetry={reload}>
      {({ tasks, shown, hasMore, order }) => {
        if (tasks.length === 0 && isAll)
          return (
            <>
              <Empty title={words.none}>{words.noneHint}</Empty>
              {children}
            </>
          );
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
            {tasks.length === 0 ? (
              <Empty title={words.noMatch} />
            ) : (
              <Tasks tasks={shown} chosen={chosen} order={order} />
            )}
            {hasMore && (
              <Button kind="quiet" class={styles.more} onClick={more}>
                {shared.value.more}
              </Button>
            )}
            {children}
          </>
        );
      }}
    </Loaded>
  );
};
