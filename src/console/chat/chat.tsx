import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { FileView, TurnRequest } from '../../../contracts/http.ts';
import type { PendingApproval, TurnView } from '../../../contracts/turn-view.ts';
import { path } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { allItems, getSession } from '../api/routes.ts';
import { openOrigin, type TaskProps } from '../api/task-of-session.ts';
import { Decided } from '../card/decided.tsx';
import { Button } from '../design/button.tsx';
import { Boundary, Empty, Loaded, Loading, lazy } from '../design/loaded.tsx';
import { Time } from '../design/time.tsx';
import { historyOf } from '../history/task-history.ts';
import { SESSIONS, taskHref } from '../state/route.ts';
import { selectedSeq, selectSeq } from '../state/selection.ts';
import { isPhone } from '../state/window.ts';
import styles from './chat.module.css';
import { Composer, focusComposerByItself } from './composer.tsx';
import { askedByDecisions, type Conversation, lastTaken, skippedBehind, turnsUntil } from './conversation.ts';
import { useKeptPlace } from './kept-place.ts';
import type { Outgoing } from './outgoing.ts';
import { type PastQuestion, pastQuestion } from './past-question.ts';
import { PlanFirst, planOptions } from './plan-first.tsx';
import { type Step, stepsByTurn, withForkedSteps } from './steps.ts';
import { texts } from './texts.ts';
import { Said, type TaskNotes, Turn } from './turn.tsx';
import type { KnownSteps } from './turn-steps.tsx';

const OpenCard = lazy(async () => (await import('./open-card.tsx')).OpenCard);
const PastQuestionCard = lazy(async () => (await import('./past-question-card.tsx')).PastQuestionCard);

/** How far from its end a list still counts as scrolled to the end, in pixels. */
const NEAR = 40;

interface OutgoingProps {
  outgoing: Outgoing;
  /** The action that a decision is about. */
  asked: PendingApproval | null;
}

/** Turns being sent, and refused ones with the reason. */
const OutgoingTurns = ({ outgoing: { turns, send, discard }, asked }: OutgoingProps) =>
  turns.value.map(({ key, body, files = [], problem }) => (
    <article key={key} class="stack">
      {body.decision === undefined ? (
        <Said text={[body.input ?? '', ...files].filter((line) => line !== '').join('\n')} />
      ) : (
        <Decided decision={body.decision} action={asked} />
      )}
      {problem === null ? (
        <p class="muted small" role="status">
          {texts.value.sending}
        </p>
      ) : (
        <div class="refusal line" role="alert">
          <strong>{texts.value.notSent}</strong>
          <span>{problem}</span>
          <Button onClick={() => send(body, { key })}>{texts.value.sendAgain}</Button>
          <Button kind="quiet" onClick={() => discard(key)}>
            {texts.value.discard}
          </Button>
        </div>
      )}
    </article>
  ));

/** The session that a forked conversation continues, by its title, and the moment in it. */
const ForkedFrom = ({ session }: { session: string }) => {
  const origin = openOrigin(session);
  const from = origin?.session_id ?? null;
  const { value } = useResource(async () => (from === null ? null : (await getSession(from)).title), [from]).loaded
    .value;
  if (origin === null) return null;
  return (
    <p class="muted small">
      {texts.value.forkedFrom}{' '}
      <a href={taskHref(origin.session_id, origin.task_id, { seq: origin.seq })} dir="auto">
        {value ?? texts.value.original}
      </a>
    </p>
  );
};

/** In place of the turns: the session that the address names is not there. */
const NoSession = () => (
  <Empty title={texts.value.noSession}>
    <p>{texts.value.noSessionHint}</p>
    <a href={SESSIONS}>{texts.value.toList}</a>
  </Empty>
);

interface TurnsProps {
  conversation: Conversation;
  task: string | null;
  /** The selected moment in epoch milliseconds, and the question open at it; null: now. */
  past: { until: number; asked: PastQuestion | null } | null;
  /** The steps of the shown task's turns, by turn; null: its history is not loaded. */
  steps: ReadonlyMap<string, readonly Step[]> | null;
  /** Further facts about the shown task; null: none are known. */
  notes: TaskNotes | null;
  send: (body: TurnRequest) => void;
}

/** Histories up to here are waited for, so that their steps are there with the words around them, in entries. */
const AWAITED_MAX = 1_000;

/** How many entries a session has. */
const lengthOf = ({ session }: Conversation): number => session.value.value?.last_seq ?? 0;

const Turns = ({ conversation, task, past, steps, notes, send }: TurnsProps) => {
  const { turns, skipped, running, situation, outgoing } = conversation;
  const { asking, active, isPaused } = situation.value;
  const isOpen = past === null && !outgoing.turns.value.some(({ problem }) => problem === null);
  const last = lastTaken(turns.value);
  /** The turn that waits for its user now. */
  const waits = asking ?? (isPaused ? (last ?? null) : null);
  const shown = turnsUntil(turns.value, past?.until ?? null);
  /** The turn whose question is shown as a form, and therefore not as text too. */
  const inForm = past?.asked != null ? lastTaken(shown)?.id : isOpen && waits?.id;
  const asked = askedByDecisions(shown);
  /** The turns whose actions were decided, or are about to be. */
  const decided = new Set([...asked.values()].map(({ id }) => id));
  if (asking !== null && outgoing.turns.value.some(({ body, problem }) => body.decision && problem === null))
    decided.add(asking.id);
  const knownOf = (turn: TurnView): KnownSteps => ({
    steps: turn.task_id === task ? steps && (steps.get(turn.id) ?? []) : null,
    isFolded: (isPhone.value && typeof inForm === 'string') || lengthOf(conversation) > AWAITED_MAX,
    isNow: past === null,
  });
  return (
    <>
      {shown.map((turn, i) => (
        <Fragment key={turn.id}>
          <Boundary>
            <Turn
              turn={turn}
              live={past === null && running.value?.turn === turn.id ? running.value.progress : null}
              known={knownOf(turn)}
              notes={turn.task_id === task ? notes : null}
              action={asked.get(turn.id)?.approval ?? null}
              isDecided={decided.has(turn.id)}
              isShown={turn.task_id === task}
              isInForm={turn.id === inForm}
              rated={past === null ? conversation.rated : null}
            />
          </Boundary>
          {past === null &&
            skippedBehind(skipped.value, turn, shown[i + 1]).map(({ seq, at, goal, reason }) => (
              <p key={seq} class="muted small">
                {texts.value.skipped(goal, reason ?? texts.value.unfinished)} <Time at={at} />
              </p>
            ))}
        </Fragment>
      ))}
      {isOpen && waits !== null && (
        <Boundary key={waits.id}>
          <OpenCard turn={waits} active={active} send={send} changed={conversation.reload} />
        </Boundary>
      )}
      {past?.asked != null && task !== null && (
        <Boundary key={past.asked.seq}>
          <PastQuestionCard task={task} asked={past.asked} />
        </Boundary>
      )}
    </>
  );
};

/** A session's files, read again once a turn of the task has ended; none where no tool was called. */
const useFiles = (session: string, ended: string | null): readonly FileView[] => {
  const { value } = useResource(
    async (signal) => (ended === null ? [] : allItems<FileView>(path`/v1/sessions/${session}/files`, 'files', signal)),
    [session, ended],
  ).loaded.value;
  const last = useRef<readonly FileView[]>([]);
  last.current = value ?? last.current;
  return last.current;
};

/** The turns in their state at the selected entry. */
const TurnsAtSelection = ({
  of,
  ...rest
}: Omit<TurnsProps, 'task' | 'past' | 'steps' | 'notes'> & { of: TaskProps }) => {
  const { entries, index, count, error, shownCalls } = historyOf(of);
  const entry = selectedSeq.value === null ? undefined : entries[index.value];
  const past = entry && { until: Date.parse(entry.at), asked: pastQuestion(entries, index.value) };
  const { turns, hasEarlier } = rest.conversation;
  const ofTask = turns.value.filter(({ task_id }) => task_id === of.task);
  const steps = useMemo(() => {
    const byTurn = stepsByTurn(entries, shownCalls.value);
    return hasEarlier.value ? byTurn : withForkedSteps(byTurn, ofTask);
  }, [entries, shownCalls.value, ofTask.length, hasEarlier.value]);
  const isLoaded = count.value > 0;
  const all = useMemo(() => [...steps.values()].flat(), [steps]);
  const ended = ofTask.at(-1)?.finished_at ?? null;
  const files = useFiles(of.session, all.some(({ kind }) => kind === 'tool') ? ended : null);
  if (!isLoaded && error.value === null && lengthOf(rest.conversation) <= AWAITED_MAX) return <Loading />;
  return (
    <Turns
      {...rest}
      task={of.task}
      past={past ?? null}
      steps={isLoaded ? steps : null}
      notes={isLoaded ? { steps: all, files } : null}
    />
  );
};

/** A session's conversation: its turns, its open question, and the field to continue. */
export const Chat = ({ conversation, task }: { conversation: Conversation; task: string | null }) => {
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useSignal(true);
  const { onClickCapture, scrolled, forget } = useKeptPlace(list);
  const { name: session, feed, outgoing, hasEarlier } = conversation;
  const goToEnd = (): void => {
    forget();
    list.current?.scrollTo(0, 0);
  };
  useEffect(() => {
    outgoing.isFocusDue.value = false;
  }, [outgoing.isFocusDue.value]);
  const send = (body: TurnRequest, files: readonly File[] = []): void => {
    // The reply is at the end.
    selectSeq(null);
    goToEnd();
    // A form that is sent disappears and would take the focus with it.
    if (list.current?.contains(document.activeElement) === true) list.current.focus();
    focusComposerByItself();
    outgoing.send(body, { files });
  };
  const { mode, asking } = conversation.situation.value;
  const { value: known, error } = conversation.session.value;
  /** On a phone the height of the field depends on what the session waits for: it moves nothing if it comes with that. */
  const isFieldDue = !isPhone.value || known !== undefined || error !== null;
  const approval = asking?.approval ?? null;
  const refuse = ({ input }: { input: string }): void => {
    if (input.startsWith('/')) send({ input });
    else if (approval !== null)
      send({ decision: { type: 'reject', approval: approval.id, ...(input !== '' && { reason: input }) } });
  };
  const begin = (body: TurnRequest & { input: string }, files: readonly File[]): void =>
    send({ ...planOptions(body.input), ...body }, files);
  return (
    <div class="column">
      <div
        ref={list}
        class={`${styles.list} fill`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
        tabIndex={0}
        role="log"
        aria-label={texts.value.messages}
        onClickCapture={onClickCapture}
        onScroll={({ currentTarget }) => {
          isAtEnd.value = currentTarget.scrollTop > -NEAR;
          scrolled();
        }}
      >
        <div class={`${styles.content} stack`}>
          <Loaded from={conversation.session.value} onRetry={conversation.reload}>
            {(view) => (
              <>
                {view === null && !outgoing.wasSent.value && <NoSession />}
                {hasEarlier.value ? (
                  <Button onClick={() => void conversation.loadEarlier()}>{texts.value.earlier}</Button>
                ) : (
                  <ForkedFrom session={session} />
                )}
                <Boundary key={task}>
                  {task === null ? (
                    <Turns conversation={conversation} send={send} task={null} past={null} steps={null} notes={null} />
                  ) : (
                    <TurnsAtSelection conversation={conversation} send={send} of={{ session, task }} />
                  )}
                </Boundary>
              </>
            )}
          </Loaded>
          <Boundary>
            <OutgoingTurns outgoing={outgoing} asked={approval} />
          </Boundary>
        </div>
      </div>
      <div class={styles.below}>
        {!isAtEnd.value && (
          <Button class={styles.newest} onClick={goToEnd}>
            {texts.value.newest}
          </Button>
        )}
        {feed.state.value === 'lost' && (
          <p class={styles.lost} role="status">
            {texts.value.lost}
          </p>
        )}
        {isFieldDue && (task === null || selectedSeq.value === null) && (
          <div class={styles.controls}>
            <Composer
              draft={mode === 'refuse' ? `reason.${asking?.id}` : session}
              mode={mode}
              send={mode === 'refuse' ? refuse : mode === 'goal' ? begin : send}
              tools={mode === 'goal' && <PlanFirst />}
              isFocused={outgoing.isFocusDue.value}
              isNew={known === null && outgoing.turns.value.length === 0}
            />
          </div>
        )}
      </div>
    </div>
  );
};
