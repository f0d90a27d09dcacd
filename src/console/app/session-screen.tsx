import { Chat } from '../chat/chat.tsx';
import { Button } from '../design/button.tsx';
import { Empty } from '../design/notice.tsx';
import { Tabs } from '../design/tabs.tsx';
import { waitingCount } from '../inbox/waiting.ts';
import { TaskPane } from '../task/task-pane.tsx';
import styles from './app.module.css';
import { lazy } from './lazy.tsx';
import { Link } from './link.tsx';
import { Lists, Panes } from './panes.tsx';
import { HOME } from './parse-route.ts';
import { setQuery } from './route.ts';
import { selectedTab, selectTab } from './selection.ts';
import type { TaskProps } from './task-of-session.ts';
import { useTaskOfSession } from './task-of-session.ts';
import { shell } from './texts.ts';

const MachinePane = lazy(async () => (await import('../machine/machine-pane.tsx')).MachinePane);
const TimelinePane = lazy(async () => (await import('../timeline/timeline-pane.tsx')).TimelinePane);
const TaskActions = lazy(async () => (await import('../export/task-actions.tsx')).TaskActions);

/** The tab that is shown where the address names none. */
const FIRST_TAB = 'plan';

/** The right pane: a task in tabs. */
const TaskTabs = (of: TaskProps) => (
  <Tabs
    label={shell.value.task}
    chosen={selectedTab.value}
    onChoose={selectTab}
    tabs={[
      { name: FIRST_TAB, title: shell.value.plan, render: () => <TaskPane {...of} /> },
      { name: 'machine', title: shell.value.machine, render: () => <MachinePane {...of} /> },
      { name: 'timeline', title: shell.value.timeline, render: () => <TimelinePane {...of} /> },
    ]}
    beside={<TaskActions {...of} />}
  />
);

const Scrubber = lazy(async () => (await import('../scrubber/scrubber.tsx')).Scrubber);

/** A session: its conversation, and beside it one of its tasks. Where there is space for one alone, the tab in the address says which. */
export const SessionScreen = ({ session, chosen }: { session: string; chosen: string | null }) => {
  const task = useTaskOfSession(session, chosen);
  const isTaskShown = selectedTab.value !== null;
  return (
    <>
      <nav class={styles.switch} aria-label={shell.value.views}>
        <Link class={styles.back} href={HOME}>
          ← {shell.value.home}
          {waitingCount.value > 0 && ` (${waitingCount.value})`}
        </Link>
        <Button
          kind={isTaskShown ? 'quiet' : 'normal'}
          aria-pressed={!isTaskShown}
          onClick={() => setQuery({ tab: null })}
        >
          {shell.value.chat}
        </Button>
        <Button kind={isTaskShown ? 'normal' : 'quiet'} aria-pressed={isTaskShown} onClick={() => selectTab(FIRST_TAB)}>
          {shell.value.task}
        </Button>
      </nav>
      <Panes
        view={isTaskShown ? 'task' : 'chat'}
        left={<Lists session={session} />}
        middle={<Chat key={session} session={session} task={task} />}
        right={
          task === null ? (
            <Empty title={shell.value.noTask}>
              <p>{shell.value.noTaskHint}</p>
            </Empty>
          ) : (
            <TaskTabs key={task} session={session} task={task} />
          )
        }
      />
      {task !== null && (
        <div class={isTaskShown ? '' : styles.scrubber}>
          <Scrubber key={task} session={session} task={task} />
        </div>
      )}
    </>
  );
};
