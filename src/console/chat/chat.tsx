import { useEffect, useMemo } from 'preact/hooks';
import type { TurnRequest } from '../../../contracts/http.ts';
import { selectedSeq, selectSeq } from '../app/selection.ts';
import type { TaskProps } from '../app/task-props.ts';
import { Button } from '../design/button.tsx';
import { Empty, Failure, Loading } from '../design/notice.tsx';
import { useHistory } from '../history/task-history.ts';
import styles from './chat.module.css';
import { ChatHead } from './chat-head.tsx';
import { Controls } from './controls.tsx';
import { type Conversation, openConversation } from './conversation.ts';
import { ForkedFrom } from './forked-from.tsx';
import { OpenQuestion } from './open-question.tsx';
import { OutgoingTurns } from './outgoing-turns.tsx';
import { type PastQuestion, pastQuestion } from './past-question.ts';
import { PastQuestionCard } from './past-question-card.tsx';
import { situationOf } from './situation.ts';
import { useStickToEnd } from './stick-to-end.ts';
import { texts } from './texts.ts';
import { Turn } from './turn.tsx';
import { turnsUntil } from './turns-until.ts';

const Welcome = ({ send }: { send: (input: string) => void }) => (
  <Empty title={texts.value.newTitle}>
    <p>{texts.value.newHint}</p>
    <p>{texts.value.tryThese}</p>
    <div class={styles.examples}>
      {[texts.value.example1, texts.value.example2, texts.value.example3].map((example) => (
        <Button key={example} class={styles.option} onClick={() => send(example)}>
          {example}
        </Button>
      ))}
    </div>
  </Empty>
);

interface TurnsProps {
  conversation: Conversation;
  task: string | null;
  /** The moment that is looked at, in epoch milliseconds, and what was asked then; null: now. */
  past: { until: number; asked: PastQuestion | null } | null;
  send: (body: TurnRequest) => void;
  /** Does something that adds turns above, and leaves what is seen where it is. */
  keepPlace: (add: () => Promise<void>) => Promise<void>;
}

const Turns = ({ conversation, task, past, send, keepPlace }: TurnsProps) => {
  const { turns, running, session, hasEarlier, loadEarlier, outgoing } = conversation;
  const last = turns.value.findLast(({ kind }) => kind === 'task')?.id;
  const shown = turnsUntil(turns.value, past?.until ?? null);
  const isSending = outgoing.turns.value.some(({ problem }) => problem === null);
  const { asking } = situationOf(turns.value, session.value?.active_task ?? null);
  const open = past === null && !isSending ? asking : null;
  /** The turn whose question is shown as a form, and so not as a text besides. */
  const inForm = past?.asked != null ? shown.findLast(({ kind }) => kind === 'task')?.id : open?.id;
  return (
    <>
      {hasEarlier.value && <Button onClick={() => void keepPlace(loadEarlier)}>{texts.value.earlier}</Button>}
      {shown.map((turn) => (
        <Turn
          key={turn.id}
          turn={turn}
          live={past === null && running.value?.turn === turn.id ? running.value.steps : null}
          isLast={turn.id === last}
          isShown={turn.task_id === task}
          isInForm={turn.id === inForm}
        />
      ))}
      <OutgoingTurns outgoing={outgoing} />
      {open !== null && <OpenQuestion turn={open} send={send} />}
      {past?.asked != null && task !== null && <PastQuestionCard task={task} asked={past.asked} />}
      {past !== null && (
        <p class={styles.note}>
          {texts.value.past}
          <Button onClick={() => selectSeq(null)}>{texts.value.toNewest}</Button>
        </p>
      )}
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
  const situation = situationOf(conversation.turns.value, conversation.session.value?.active_task ?? null);
  const isSending = outgoing.turns.value.some(({ problem }) => problem === null);
  const shared = { conversation, send, keepPlace };
  return (
    <div class={styles.chat}>
      <ChatHead session={session} conversation={conversation} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <div class={styles.list} ref={list} tabIndex={0} role="log" aria-label={texts.value.conversation}>
        <div class={styles.content} ref={content}>
          {state.value === 'loading' && error.value === null && <Loading />}
          {state.value === 'loading' && error.value !== null && (
            <Failure error={error.value} onRetry={conversation.refresh} />
          )}
          {isEmpty && <Welcome send={(input) => send({ input })} />}
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
        <Controls session={session} situation={situation} isSending={isSending} send={send} />
      </div>
    </div>
  );
};
