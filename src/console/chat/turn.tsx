import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { Link } from '../app/link.tsx';
import { taskHref } from '../app/parse-route.ts';
import { Badge, shownState } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { ShortId } from '../design/copy.tsx';
import { Markdown } from '../design/markdown.tsx';
import { Failure, Loading } from '../design/notice.tsx';
import { Time } from '../design/time.tsx';
import type { StateName } from '../text/states.ts';
import styles from './chat.module.css';
import { readPast } from './read-past.ts';
import { StepLines } from './step-lines.tsx';
import { createSteps, type Steps } from './steps.ts';
import { texts } from './texts.ts';

/** The lines of a finished turn, read when they are asked for. */
const PastSteps = ({ turn }: { turn: TurnView }) => {
  const steps = useMemo(() => createSteps(turn.task_id), [turn.id]);
  const state = useSignal<'loading' | 'ready' | { error: unknown }>('loading');
  useEffect(() => {
    const closed = new AbortController();
    readPast(turn.id, steps, closed.signal).then(
      () => {
        state.value = 'ready';
      },
      (error: unknown) => {
        state.value = { error };
      },
    );
    return () => closed.abort();
  }, [turn.id, steps]);
  if (typeof state.value === 'object') return <Failure error={state.value.error} />;
  if (state.value === 'loading' && steps.lines.value.length === 0) return <Loading />;
  return <StepLines lines={steps.lines.value} isLive={false} />;
};

export const Said = ({ text }: { text: string }) => (
  <div class={styles.said}>
    <p dir="auto">{text}</p>
  </div>
);

/** The outcome of a turn; a question that something came after is not open any more. */
const stateOf = ({ status, task }: TurnView, isLast: boolean): StateName => {
  if (status === 'asking' && !isLast) return 'asked';
  return status === 'answered' && task !== null ? shownState(task) : status;
};

interface TurnProps {
  turn: TurnView;
  /** Its lines so far, where it runs now. */
  live: Steps | null;
  /** Nothing that a task answers came after it: what it asks may still be open. */
  isLast: boolean;
  /** Its task is the one that is shown beside the conversation. */
  isShown: boolean;
  /** Its question is shown as a form below it. */
  isInForm: boolean;
}

/** One turn: what was said, what was done, and the reply. */
export const Turn = ({ turn, live, isLast, isShown, isInForm }: TurnProps) => {
  const areStepsOpen = useSignal(false);
  const { output, task_id, session_id, status, finished_at } = turn;
  const state = stateOf(turn, isLast);
  return (
    <article class={styles.turn} data-turn={turn.id} data-status={status}>
      <Said text={turn.input} />
      {status === 'queued' && <p class={styles.note}>{texts.value.queued}</p>}
      {live !== null && (
        <div class={styles.live}>
          <p class={styles.note} role="status">
            <Badge state="running" />
            {texts.value.working}
          </p>
          <StepLines lines={live.lines.value} isLive={true} />
          {live.written.value !== '' && <Markdown text={live.written.value} />}
        </div>
      )}
      {areStepsOpen.value && <PastSteps turn={turn} />}
      {output !== null &&
        !isInForm &&
        (turn.kind === 'command' ? <p class={styles.ran}>{output}</p> : <Markdown text={turn.question ?? output} />)}
      {finished_at !== null && !(isInForm && output === null) && (
        <footer class={styles.foot}>
          {turn.kind === 'task' && <Badge state={state} />}
          <Time at={finished_at} />
          {task_id !== null && (
            <Button
              kind="link"
              aria-expanded={areStepsOpen.value}
              onClick={() => {
                areStepsOpen.value = !areStepsOpen.value;
              }}
            >
              {areStepsOpen.value ? texts.value.hideSteps : texts.value.steps}
            </Button>
          )}
          {task_id !== null && !isShown && <Link href={taskHref(session_id, task_id)}>{texts.value.openTask}</Link>}
          <ShortId id={turn.id} />
        </footer>
      )}
    </article>
  );
};
