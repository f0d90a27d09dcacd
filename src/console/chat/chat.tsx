import { type Signal, useSignal } from '@preact/signals';
import { Fragment, type RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { TurnRequest } from '../../../contracts/http.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { useChange } from '../api/resource.ts';
import { cancelTask } from '../api/routes.ts';
import { Link } from '../app/link.tsx';
import { taskHref } from '../app/route.ts';
import { selectedSeq, selectSeq } from '../app/selection.ts';
import { openOrigin, type TaskProps } from '../app/task-of-session.ts';
import { Badge, shownState } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Empty, Failure, Loading, lazy, Refusal } from '../design/loaded.tsx';
import { Time } from '../design/time.tsx';
import { useHistory } from '../history/task-history.ts';
import { waiting } from '../inbox/waiting.ts';
import styles from './chat.module.css';
import { Composer } from './composer.tsx';
import {
  type Conversation,
  lastTaken,
  openConversation,
  situationOf,
  skippedBehind,
  turnsUntil,
} from './conversation.ts';
import type { Outgoing } from './outgoing.ts';
import { type PastQuestion, pastQuestion } from './past-question.ts';
import { OpenQuestion, PastQuestionCard } from './questions.tsx';
import { texts } from './texts.ts';
import { Decided, Said, Turn } from './turn.tsx';

/** How far from its end a list still counts as read to the end, in pixels. */
const NEAR = 40;

/** A list that shows its end. */
export interface StickToEnd {
  list: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** True while its end is seen. */
  isAtEnd: Signal<boolean>;
  goToEnd(): void;
  /** Does something that adds to the list's beginning, and leaves what is seen where it is. */
  keepPlace(add: () => Promise<void>): Promise<void>;
}

/** Keeps the end of a growing list in view unless its reader has scrolled away. */
export const useStickToEnd = (): StickToEnd => {
  const list = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useSignal(true);
  const goToEnd = (): void => {
    if (list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  };
  useEffect(() => {
    const { current: element } = list;
    if (element === null || content.current === null) return;
    const onScroll = (): void => {
      isAtEnd.value = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    const grown = new ResizeObserver(() => {
      if (isAtEnd.peek()) goToEnd();
    });
    grown.observe(content.current);
    grown.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      grown.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);
  const keepPlace = async (add: () => Promise<void>): Promise<void> => {
    const { current: element } = list;
    const before = element?.scrollHeight ?? 0;
    isAtEnd.value = false;
    await add();
    requestAnimationFrame(() => {
      if (element !== null) element.scrollTop += element.scrollHeight - before;
    });
  };
  return { list, content, isAtEnd, goToEnd, keepPlace };
};

const PastControls = lazy(async () => (await import('../scrubber/scrubber.tsx')).PastControls);

/** The line above a conversation: its title, what that does now, and the button that ends its task. */
const ChatHead = ({ conversation }: { conversation: Conversation }) => {
  const { problem, change } = useChange(() => {
    conversation.refresh();
    waiting.refresh();
  });
  const active: TaskView | null = conversation.session.value?.active_task ?? null;
  const { stoppable, isPaused } = situationOf(conversation.turns.value, active);
  return (
    <header class={`${styles.head} line`}>
      <h2 class="clipped" dir="auto">
        {conversation.session.value?.title ?? texts.value.newTitle}
      </h2>
      {active !== null ? <Badge state={shownState(active)} /> : isPaused && <Badge state="paused" />}
      <Refusal error={problem.value} />
      {stoppable !== null && (
        <Button kind="danger" title={texts.value.stopHint} onClick={() => void change(() => cancelTask(stoppable))}>
          {texts.value.stop}
        </Button>
      )}
    </header>
  );
};

/** Turns being sent, and those that were refused, with why. */
export const OutgoingTurns = ({ outgoing }: { outgoing: Outgoing }) => (
  <>
    {outgoing.turns.value.map(({ key, body, problem }) => (
      <article key={key} class="stack">
        {body.decision === undefined ? <Said text={body.input ?? ''} /> : <Decided decision={body.decision} />}
        {problem === null ? (
          <p class="muted small" role="status">
            {texts.value.sending}
          </p>
        ) : (
          <div class={`${styles.refused} line`} role="alert">
            <strong>{texts.value.notSent}</strong>
            <span>{problem}</span>
            <Button onClick={() => outgoing.sendAgain(key)}>{texts.value.sendAgain}</Button>
            <Button kind="quiet" onClick={() => outgoing.discard(key)}>
              {texts.value.discard}
            </Button>
          </div>
        )}
      </article>
    ))}
  </>
);

/** Says what a forked conversation goes on from. */
const ForkedFrom = ({ session }: { session: string }) => {
  const origin = openOrigin(session);
  if (origin === null) return null;
  return (
    <p class="muted small">
      {texts.value.forkedFrom}{' '}
      <Link href={taskHref(origin.session, origin.task, { seq: origin.seq })}>{texts.value.original}</Link>
    </p>
  );
};

interface TurnsProps extends Pick<StickToEnd, 'keepPlace'> {
  conversation: Conversation;
  task: string | null;
  /** The moment that is looked at, in epoch milliseconds, and what was asked then; null: now. */
  past: { until: number; asked: PastQuestion | null } | null;
  send: (body: TurnRequest) => void;
}

const Turns = ({ conversation, task, past, send, keepPlace }: TurnsProps) => {
  const { turns, skipped, running, session, hasEarlier, loadEarlier, outgoing } = conversation;
  const last = lastTaken(turns.value)?.id;
  const shown = turnsUntil(turns.value, past?.until ?? null);
  const isSending = outgoing.turns.value.some(({ problem }) => problem === null);
  const { asking, isPaused } = situationOf(turns.value, session.value?.active_task ?? null);
  const open = past === null && !isSending ? asking : null;
  /** The turn whose question is shown as a form, and so not as a text besides. */
  const inForm = past?.asked != null ? lastTaken(shown)?.id : open?.id;
  return (
    <>
      {hasEarlier.value && <Button onClick={() => void keepPlace(loadEarlier)}>{texts.value.earlier}</Button>}
      {shown.map((turn, i) => (
        <Fragment key={turn.id}>
          <Turn
            turn={turn}
            live={past === null && running.value?.turn === turn.id ? running.value.steps : null}
            isLast={turn.id === last}
            isShown={turn.task_id === task}
            isInForm={turn.id === inForm}
            goOn={
              past === null && isPaused && !isSending && turn.id === last ? () => send({ input: 'continue' }) : null
            }
          />
          {past === null &&
            skippedBehind(skipped.value, turn, shown[i + 1]).map(({ seq, at, goal, reason }) => (
              <p key={seq} class="muted small">
                {texts.value.skipped(goal, reason ?? texts.value.unfinished)} <Time at={at} />
              </p>
            ))}
        </Fragment>
      ))}
      <OutgoingTurns outgoing={outgoing} />
      {open !== null && <OpenQuestion turn={open} send={send} />}
      {past?.asked != null && task !== null && <PastQuestionCard task={task} asked={past.asked} />}
    </>
  );
};

/** The turns as they stood at the entry that is looked at. */
const TurnsAtSelection = ({ of, ...rest }: Omit<TurnsProps, 'task' | 'past'> & { of: TaskProps }) => {
  const { trace, index } = useHistory(of);
  const entry = selectedSeq.value === null ? undefined : trace.entries[index.value];
  const past =
    entry === undefined ? null : { until: Date.parse(entry.at), asked: pastQuestion(trace.entries, index.value) };
  return <Turns {...rest} task={of.task} past={past} />;
};

/** A session's conversation: its turns, what is open, and the field to go on. */
export const Chat = ({ session, task }: { session: string; task: string | null }) => {
  const conversation = useMemo(() => openConversation(session), [session]);
  useEffect(() => conversation.close, [conversation]);
  const { list, content, isAtEnd, goToEnd, keepPlace } = useStickToEnd();
  const { state, error, stream, outgoing } = conversation;
  const isEmpty = state.value === 'new' && outgoing.turns.value.length === 0;
  const send = (body: TurnRequest): void => {
    // Its reply is at the end.
    selectSeq(null);
    goToEnd();
    // A form that is sent goes away, and would take the focus with it.
    if (list.current?.contains(document.activeElement) === true) list.current.focus();
    outgoing.send(body);
  };
  const { mode, asking } = situationOf(conversation.turns.value, conversation.session.value?.active_task ?? null);
  const open = asking?.approval ?? null;
  const refuse = ({ input }: { input: string }): void => {
    const reason = input === '' ? {} : { reason: input };
    if (input.startsWith('/')) send({ input });
    else if (open !== null) send({ decision: { type: 'reject', approval: open.id, ...reason } });
    // The keys of a next question work at once.
    list.current?.focus();
  };
  const shared = { conversation, send, keepPlace };
  return (
    <div class={`${styles.chat} fill`}>
      <ChatHead conversation={conversation} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <div class={`${styles.list} fill`} ref={list} tabIndex={0} role="log" aria-label={texts.value.conversation}>
        <div class={`${styles.content} stack`} ref={content}>
          {state.value === 'loading' &&
            (error.value === null ? <Loading /> : <Failure error={error.value} onRetry={conversation.refresh} />)}
          {isEmpty && (
            <Empty title={texts.value.newTitle}>
              <p>{texts.value.newHint}</p>
            </Empty>
          )}
          {state.value === 'ready' && !conversation.hasEarlier.value && <ForkedFrom session={session} />}
          {task === null ? (
            <Turns {...shared} task={null} past={null} />
          ) : (
            <TurnsAtSelection key={task} {...shared} of={{ session, task }} />
          )}
        </div>
      </div>
      <div class={styles.below}>
        {!isAtEnd.value && (
          <Button class={styles.newest} onClick={goToEnd}>
            {texts.value.newest}
          </Button>
        )}
        {stream.value === 'lost' && (
          <p class={styles.lost} role="status">
            {texts.value.lost}
          </p>
        )}
        <div class={`${styles.controls} stack`}>
          {task !== null && selectedSeq.value !== null ? (
            <PastControls session={session} task={task} />
          ) : open === null ? (
            <Composer draft={session} mode={mode} send={send} />
          ) : (
            <Composer draft={`reason.${asking?.id}`} mode="refuse" send={refuse} />
          )}
        </div>
      </div>
    </div>
  );
};
