import { useEffect } from 'preact/hooks';
import { closeFeed } from '../api/session-feed.ts';
import { type TaskProps, taskOfSession } from '../api/task-of-session.ts';
import { Chat } from '../chat/chat.tsx';
import { Button } from '../design/button.tsx';
import { Boundary, Empty, lazy } from '../design/loaded.tsx';
import { Tabs } from '../design/tabs.tsx';
import { Inbox } from '../inbox/inbox.tsx';
import { waitingCount } from '../inbox/waiting.ts';
import { SessionList } from '../sessions/session-list.tsx';
import { remembered } from '../state/remembered.ts';
import { HOME, setQuery } from '../state/route.ts';
import { selectedSeq, selectedTab, selectTab } from '../state/selection.ts';
import { TaskPane } from '../task/task-pane.tsx';
import { shell } from '../text/shell.ts';
import styles from './app.module.css';

/** The outer panes, with their widths in pixels. */
const SIDES = {
  left: { initial: 264, min: 200, max: 480, toRight: 1, width: remembered<string>('width.left', '264') },
  right: { initial: 500, min: 320, max: 1_000, toRight: -1, width: remembered<string>('width.right', '500') },
};

/** How far an arrow key moves a separator, in pixels. */
const KEY_STEP = 24;

/** The line beside an outer pane, which pointer or arrow keys move. */
const Separator = ({ side }: { side: 'left' | 'right' }) => {
  const { initial, min, max, toRight, width } = SIDES[side];
  const set = (next: number): void => {
    width.value = String(Math.round(Math.min(max, Math.max(min, next))));
  };
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(Number(width.peek()) + toRight * step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: <hr> takes no focus and no value, and a line that can be moved is a control.
    <div
      role="separator"
      tabIndex={0}
      class={styles.separator}
      aria-orientation="vertical"
      aria-label={side === 'left' ? shell.value.resizeLeft : shell.value.resizeRight}
      aria-valuenow={Number(width.value)}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientX }) => {
        if (currentTarget.hasPointerCapture(pointerId)) set(side === 'left' ? clientX : innerWidth - clientX);
      }}
      onKeyDown={key}
      onDblClick={() => set(initial)}
    />
  );
};

const MachinePane = lazy(async () => (await import('../machine/machine-chart.tsx')).MachinePane);
const TimelinePane = lazy(async () => (await import('../timeline/timeline-pane.tsx')).TimelinePane);
const TaskActions = lazy(async () => (await import('../export/task-actions.tsx')).TaskActions);
const Scrubber = lazy(async () => (await import('../scrubber/scrubber.tsx')).Scrubber);

/** The tab that is shown if the address names none. */
const FIRST_TAB = 'plan';

/** A task in tabs. */
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
    beside={
      <Boundary>
        <TaskActions {...of} />
      </Boundary>
    }
  />
);

/**
 * A session: its conversation, and beside it one of its tasks. If there is room for only one, the tab in the address
 * decides.
 */
export const SessionScreen = ({ session, chosen }: { session: string; chosen: string | null }) => {
  const task = taskOfSession(session, chosen);
  const isTaskShown = selectedTab.value !== null;
  useEffect(() => closeFeed, []);
  const widths = { '--left': `${SIDES.left.width.value}px`, '--right': `${SIDES.right.width.value}px` };
  const view = (name: 'chat' | 'task', isShown: boolean, tab: string | null) => (
    <Button kind={isShown ? 'normal' : 'quiet'} aria-pressed={isShown} onClick={() => setQuery({ tab })}>
      {shell.value[name]}
    </Button>
  );
  return (
    <>
      <nav class={styles.switch} aria-label={shell.value.views}>
        <a href={HOME}>
          ← {shell.value.home}
          {waitingCount.value > 0 && ` (${waitingCount.value})`}
        </a>
        {view('chat', !isTaskShown, null)}
        {view('task', isTaskShown, selectedTab.value ?? FIRST_TAB)}
      </nav>
      <main
        class={styles.panes}
        data-view={isTaskShown ? 'task' : 'chat'}
        data-past={selectedSeq.value !== null}
        style={widths}
      >
        <nav class="column" aria-label={shell.value.lists}>
          <Boundary>
            <Inbox session={session} />
          </Boundary>
          <Boundary>
            <SessionList session={session} />
          </Boundary>
        </nav>
        <Separator side="left" />
        <section class="card column" aria-label={shell.value.chat}>
          <Boundary key={session}>
            <Chat session={session} task={task} />
          </Boundary>
        </section>
        <Separator side="right" />
        <section class="card column" aria-label={shell.value.task}>
          {task === null ? (
            <Empty title={shell.value.noTask}>{shell.value.noTaskHint}</Empty>
          ) : (
            <Boundary key={task}>
              <TaskTabs session={session} task={task} />
            </Boundary>
          )}
        </section>
      </main>
      {task !== null && (
        <div class={isTaskShown ? '' : styles.scrubber}>
          <Boundary key={task}>
            <Scrubber session={session} task={task} />
          </Boundary>
        </div>
      )}
    </>
  );
};
