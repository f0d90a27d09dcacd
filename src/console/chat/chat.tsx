import { useEffect, useMemo } from 'preact/hooks';
import { selectedSeq, selectSeq } from '../app/selection.ts';
import type { TaskProps } from '../app/task-props.ts';
import { Button } from '../design/button.tsx';
import { Empty } from '../design/empty.tsx';
import { Failure } from '../design/failure.tsx';
import { Loading } from '../design/loading.tsx';
import { useHistory } from '../history/task-history.ts';
import styles from './chat.module.css';
import { Controls } from './controls.tsx';
import { type Conversation, openConversation } from './conversation.ts';
import { OutgoingTurns } from './outgoing-turns.tsx';
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
  /** Until when, in epoch milliseconds; null: now. */
  until: number | null;
  /** Does something that adds turns above, and leaves what is seen where it is. */
  keepPlace: (add: () => Promise<void>) => Promise<void>;
}

const Turns = ({ conversation, task, until, keepPlace }: TurnsProps) => {
  const { turns, running, hasEarlier, loadEarlier } = conversation;
  const last = turns.value.findLast(({ kind }) => kind === 'task')?.id;
  return (
    <>
      {hasEarlier.value && <Button onClick={() => void keepPlace(loadEarlier)}>{texts.value.earlier}</Button>}
      {turnsUntil(turns.value, until).map((turn) => (
        <Turn
          key={turn.id}
          turn={turn}
          live={until === null && running.value?.turn === turn.id ? running.value.steps : null}
          isLast={turn.id === last}
          isShown={turn.task_id === task}
        />
      ))}
      {until !== null && (
        <p class={styles.note}>
          {texts.value.past}
          <Button onClick={() => selectSeq(null)}>{texts.value.toNewest}</Button>
        </p>
      )}
    </>
  );
};

/** The turns as they stood at the entry that is looked at. */
const TurnsAtSelection = ({ of, ...rest }: Omit<TurnsProps, 'task' | 'until'> & { of: TaskProps }) => {
  const { trace, index } = useHistory(of);
  const entry = selectedSeq.value === null ? undefined : trace.entries[index.value];
  return <Turns {...rest} task={of.task} until={entry === undefined ? null : Date.parse(entry.at)} />;
};

/** A session's conversation: its turns, what is open, and the field to go on. */
export const Chat = ({ session, task }: { session: string; task: string | null }) => {
  const conversation = useMemo(() => openConversation(session), [session]);
  useEffect(() => conversation.close, [conversation]);
  const { list, content, isAtEnd, goToEnd, keepPlace } = useStickToEnd();
  const { state, error, stream, outgoing } = conversation;
  const isEmpty = state.value === 'new' && outgoing.turns.value.length === 0;
  return (
    <div class={styles.chat}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <div class={styles.list} ref={list} tabIndex={0} role="log" aria-label={texts.value.conversation}>
        <div class={styles.content} ref={content}>
          {state.value === 'loading' && error.value === null && <Loading />}
          {state.value === 'loading' && error.value !== null && (
            <Failure error={error.value} onRetry={conversation.refresh} />
          )}
          {isEmpty && <Welcome send={(input) => outgoing.send({ input })} />}
          {task === null ? (
            <Turns conversation={conversation} task={null} until={null} keepPlace={keepPlace} />
          ) : (
            <TurnsAtSelection key={task} conversation={conversation} of={{ session, task }} keepPlace={keepPlace} />
          )}
          <OutgoingTurns outgoing={outgoing} />
        </div>
      </div>
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
      <Controls conversation={conversation} name={session} />
    </div>
  );
};
