import { useEffect, useMemo } from 'preact/hooks';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { ApiProblem } from '../api/request.ts';
import { closeFeed } from '../api/session-feed.ts';
import { taskOfSession } from '../api/task-of-session.ts';
import { Chat } from '../chat/chat.tsx';
import { type Conversation, lastTaken, openConversation } from '../chat/conversation.ts';
import { Sign } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Boundary, Empty, Loading, lazy } from '../design/loaded.tsx';
import type { Tab } from '../design/tabs.tsx';
import { askedOf } from '../inbox/waiting.ts';
import { InspectorHead, Sheet } from '../sheet/sheet.tsx';
import { SESSIONS } from '../state/route.ts';
import { selectedSeq, selectedTab, selectTab, taskDialog } from '../state/selection.ts';
import { type OpenTask, useOpenTask } from '../task/live-task.ts';
import { shell } from '../text/shell.ts';
import styles from './session.module.css';
import { SessionHead } from './session-head.tsx';
import { texts } from './texts.ts';

const Inspector = lazy(async () => (await import('./inspector.tsx')).Inspector);
const MachinePane = lazy(async () => (await import('../machine/machine-chart.tsx')).MachinePane);
const TimelinePane = lazy(async () => (await import('../timeline/timeline-pane.tsx')).TimelinePane);
const MachineTools = lazy(async () => (await import('../machine/machine-chart.tsx')).MachineTools);
const TimelineTools = lazy(async () => (await import('../timeline/timeline-pane.tsx')).TimelineTools);
const TaskDialogs = lazy(async () => (await import('../export/task-dialogs.tsx')).TaskDialogs);
const PauseTitle = lazy(
  async () => (await import('../card/pause-card.tsx')).PauseTitle,
  () => null,
);
const Scrubber = lazy(async () => (await import('../scrubber/scrubber.tsx')).Scrubber);

/** Focuses what waits, once the conversation shows it. */
const focusAsked = (): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-asked]')?.focus());
};

/** The reason why a task waits, as its card says it. */
const WaitsFor = ({ task, question }: { task: TaskView; question: string | null }) => {
  if (task.state === 'paused' && task.pause_reason !== null)
    return <PauseTitle task={task} reason={task.pause_reason} />;
  return <>{askedOf(task, question)}</>;
};

/** In the views that don't show the card: that something waits, and the way to it. Decides nothing. */
const WaitingStrip = ({ conversation }: { conversation: Conversation }) => {
  const { asking, active, isPaused } = conversation.situation.value;
  const task = active ?? lastTaken(conversation.turns.value)?.task ?? null;
  const isElsewhere = selectedTab.value === 'timeline' || selectedTab.value === 'machine';
  if (!isElsewhere || selectedSeq.value !== null || (asking === null && !isPaused)) return null;
  return (
    <div class={styles.strip}>
      <Sign meaning="waiting" />
      <span class="name clipped fill" dir="auto">
        {task === null ? texts.value.waits : <WaitsFor task={task} question={asking?.question ?? null} />}
      </span>
      <Button
        onClick={() => {
          selectTab('conversation');
          focusAsked();
        }}
      >
        {texts.value.review}
      </Button>
    </div>
  );
};

/** In the place of a session that is not there: it says so, and leads back. */
const DeadLink = () => (
  <div class={styles.dead}>
    <Empty title={texts.value.deadLink}>
      <p>{texts.value.deadLinkHint}</p>
      <a href={SESSIONS}>{texts.value.toList}</a>
    </Empty>
  </div>
);

interface ContentProps {
  conversation: Conversation;
  of: OpenTask | null;
}

const Content = ({ conversation, of }: ContentProps) => {
  const { session } = conversation;
  const isGone = of?.live.loaded.value.error instanceof ApiProblem && of.live.loaded.value.error.status === 404;
  const conversationView: Tab = {
    name: 'conversation',
    title: shell.value.conversation,
    render: () => <Chat conversation={conversation} task={of?.task ?? null} />,
  };
  /** Nothing is known of the session yet: what will be there has its place kept. */
  const isLoading = session.value.value === undefined && session.value.error === null;
  const noTask = isLoading ? <Loading /> : <Empty title={texts.value.noTask}>{texts.value.noTaskHint}</Empty>;
  const { timeline, machine } = shell.value;
  if (isGone && session.value.value === null) return <DeadLink />;
  const views: Tab[] = [
    conversationView,
    {
      name: 'timeline',
      title: timeline,
      render: () => (of === null ? noTask : <TimelinePane {...of} />),
      tools: of === null ? undefined : () => <TimelineTools {...of} />,
    },
    {
      name: 'machine',
      title: machine,
      render: () => (of === null ? noTask : <MachinePane {...of} />),
      tools: of === null ? undefined : () => <MachineTools />,
    },
  ];
  return (
    <>
      <Sheet
        head={<SessionHead conversation={conversation} of={of} />}
        views={views}
        inspector={
          of === null ? (
            <>
              <InspectorHead title={shell.value.plan} />
              {noTask}
            </>
          ) : (
            <Inspector {...of} />
          )
        }
        strip={<WaitingStrip conversation={conversation} />}
        hasSlider={of !== null || isLoading}
        slider={of !== null && <Scrubber session={of.session} task={of.task} />}
      />
      {of !== null && taskDialog.value !== null && (
        <Boundary>
          <TaskDialogs session={of.session} task={of.task} />
        </Boundary>
      )}
    </>
  );
};

const OpenSession = ({ session, chosen }: SessionScreenProps) => {
  const conversation = useMemo(() => openConversation(session), [session]);
  useEffect(conversation.follow, [conversation]);
  const of = useOpenTask(session, taskOfSession(session, chosen));
  return <Content conversation={conversation} of={of} />;
};

interface SessionScreenProps {
  session: string;
  /** The task in the address; null: the newest one. */
  chosen: string | null;
}

/** A session: one of its tasks as conversation, waterfall or statechart, and its plan or a call beside that. */
export const SessionScreen = (props: SessionScreenProps) => {
  useEffect(() => closeFeed, []);
  return (
    <main class={styles.screen}>
      <Boundary key={props.session}>
        <OpenSession {...props} />
      </Boundary>
    </main>
  );
};
