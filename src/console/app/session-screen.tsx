import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Chat } from '../chat/chat.tsx';
import { Button } from '../design/button.tsx';
import { Empty, lazy } from '../design/loaded.tsx';
import { Tabs } from '../design/tabs.tsx';
import { Inbox } from '../inbox/inbox.tsx';
import { waitingCount } from '../inbox/waiting.ts';
import { SessionList } from '../sessions/session-list.tsx';
import { TaskPane } from '../task/task-pane.tsx';
import styles from './app.module.css';
import { Link } from './link.tsx';
import { remembered } from './remembered.ts';
import { HOME, setQuery } from './route.ts';
import { selectedSeq, selectedTab, selectTab } from './selection.ts';
import { type TaskProps, taskOfSession } from './task-of-session.ts';
import { shell } from './texts.ts';

/** Which part is shown where there is space for one alone. */
type View = 'chat' | 'task';

interface Width {
  name: 'left' | 'right';
  /** In pixels. */
  initial: number;
  min: number;
  max: number;
}

const LEFT: Width = { name: 'left', initial: 264, min: 200, max: 480 };
const RIGHT: Width = { name: 'right', initial: 500, min: 320, max: 1_000 };

/** How far an arrow key moves a separator, in pixels. */
const KEY_STEP = 24;

const stored = { left: remembered('width.left'), right: remembered('width.right') };

const within = ({ min, max }: Width, width: number): number => Math.round(Math.min(max, Math.max(min, width)));

const useWidth = (of: Width) => {
  const text = stored[of.name].read();
  const width = useSignal(text === null || Number.isNaN(Number(text)) ? of.initial : within(of, Number(text)));
  const set = (next: number): void => {
    width.value = within(of, next);
    stored[of.name].write(String(width.value));
  };
  return { width, set };
};

interface SeparatorProps {
  of: Width;
  width: number;
  set: (width: number) => void;
}

/** The line between two panes, which is moved by pointer or by arrow keys. */
const Separator = ({ of, width, set }: SeparatorProps) => {
  const direction = of.name === 'left' ? 1 : -1;
  const drag = (down: PointerEvent): void => {
    const line = down.currentTarget as HTMLElement;
    line.setPointerCapture(down.pointerId);
    const move = (event: PointerEvent): void => set(width + direction * (event.clientX - down.clientX));
    line.addEventListener('pointermove', move);
    line.addEventListener('lostpointercapture', () => line.removeEventListener('pointermove', move), { once: true });
  };
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(width + direction * step);
  };
  return (
    // A separator that can be moved is a control, unlike a plain rule.
    // biome-ignore lint/a11y/useSemanticElements: <hr> takes no focus and no value.
    <div
      role="separator"
      tabIndex={0}
      class={styles.separator}
      aria-orientation="vertical"
      aria-label={of.name === 'left' ? shell.value.resizeLeft : shell.value.resizeRight}
      aria-valuenow={width}
      aria-valuemin={of.min}
      aria-valuemax={of.max}
      onPointerDown={drag}
      onKeyDown={key}
      onDblClick={() => set(of.initial)}
    />
  );
};

interface PanesProps {
  left: ComponentChildren;
  middle: ComponentChildren;
  /** Nothing: the middle has its space. */
  right?: ComponentChildren;
  view: View;
}

/** Two or three panes side by side, whose widths this browser remembers; one alone where there is no more space. */
const Panes = ({ left, middle, right, view }: PanesProps) => {
  const first = useWidth(LEFT);
  const second = useWidth(RIGHT);
  const style = { '--left': `${first.width.value}px`, '--right': `${second.width.value}px` };
  const hasRight = right !== undefined && right !== null;
  return (
    <main
      class={`${styles.panes} ${hasRight ? '' : styles.alone}`}
      data-view={view}
      data-past={selectedSeq.value !== null}
      style={style}
    >
      <nav class={`${styles.pane} ${styles.left}`} aria-label={shell.value.lists}>
        <div class={`column ${styles.inner}`}>{left}</div>
        <Separator of={LEFT} width={first.width.value} set={first.set} />
      </nav>
      <section class={`${styles.pane} ${styles.middle}`} aria-label={shell.value.chat}>
        <div class={`column ${styles.inner}`}>{middle}</div>
      </section>
      {hasRight && (
        <section class={`${styles.pane} ${styles.right}`} aria-label={shell.value.task}>
          <Separator of={RIGHT} width={second.width.value} set={second.set} />
          <div class={`column ${styles.inner}`}>{right}</div>
        </section>
      )}
    </main>
  );
};

const MachinePane = lazy(async () => (await import('../machine/machine-chart.tsx')).MachinePane);
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
  const task = taskOfSession(session, chosen);
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
        left={
          <>
            <Inbox session={session} />
            <SessionList session={session} />
          </>
        }
        middle={<Chat key={session} session={session} task={task} />}
        right={
          task === null ? (
            <Empty title={shell.value.noTask}>{shell.value.noTaskHint}</Empty>
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
