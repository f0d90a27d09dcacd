import type { FileView } from '../../../contracts/http.ts';
import type { PendingApproval, TurnView } from '../../../contracts/turn-view.ts';
import { Decided, Undecided } from '../card/decided.tsx';
import { Badge, shownState } from '../design/badge.tsx';
import { lazy } from '../design/loaded.tsx';
import { Time } from '../design/time.tsx';
import { SentFiles } from '../files/sent-files.tsx';
import { taskHref } from '../state/route.ts';
import { formatCost } from '../text/numbers.ts';
import type { StateName } from '../text/states.ts';
import answerStyles from './answer.module.css';
import { Answer, AnswerSoFar } from './answer.tsx';
import styles from './chat.module.css';
import { AnswerFeedback } from './feedback.tsx';
import type { Step } from './steps.ts';
import { texts } from './texts.ts';
import type { TurnEntries } from './turn-entries.ts';
import { type KnownSteps, TurnSteps } from './turn-steps.tsx';

const PastPause = lazy(async () => (await import('../card/pause-card.tsx')).PastPause);
const AnswerNotes = lazy(async () => (await import('./answer-notes.tsx')).AnswerNotes);

/** The user's words. */
export const Said = ({ text }: { text: string }) => (
  <p class={`${styles.said} as-written`} dir="auto">
    {text}
  </p>
);

/** The outcome of a turn. */
const stateOf = ({ status, task }: TurnView): StateName =>
  status === 'answered' && task !== null ? shownState(task) : status;

/** Facts about a task that its turns don't have: its steps, and the files of its session. */
export interface TaskNotes {
  steps: readonly Step[];
  files: readonly FileView[];
}

interface TurnProps {
  turn: TurnView;
  /** Null: they are not known. */
  notes: TaskNotes | null;
  /** Its entries so far, if it is running. */
  live: TurnEntries | null;
  known: KnownSteps;
  /** The action that its decision is about; null: it decides about none, or it is not loaded. */
  action: PendingApproval | null;
  /** A decision on its action follows, and says what it was about. */
  isDecided: boolean;
  /** Its task is shown beside the conversation. */
  isShown: boolean;
  /** Its question is shown as a form below it. */
  isInForm: boolean;
  /** Gets it with its user's feedback; null: none can be given, as in the past. */
  rated: ((turn: TurnView) => void) | null;
}

/** States that the reply or the header says already. */
const SAID_ELSEWHERE: readonly StateName[] = ['done', 'answered', 'paused', 'asking', 'running'];

/** How a turn ended, where its reply does not say it, and when. */
const Ended = ({ turn, isShown }: Pick<TurnProps, 'turn' | 'isShown'>) => {
  const { finished_at, kind, task, task_id, session_id } = turn;
  const state = stateOf(turn);
  const cost = turn.status === 'answered' ? task?.cost : undefined;
  if (finished_at === null) return null;
  return (
    <>
      {kind !== 'command' && !SAID_ELSEWHERE.includes(state) && <Badge state={state} />}
      <Time at={finished_at} />
      {cost !== undefined && (
        <span class={`${answerStyles.cost} number`} title={texts.value.cost}>
          {formatCost(Number(cost.amount), cost.currency)}
        </span>
      )}
      {task_id !== null && !isShown && <a href={taskHref(session_id, task_id)}>{texts.value.openTask}</a>}
    </>
  );
};

/** A reply that is not an answer: a command's output, why the task is paused, the action that one was asked about. */
const OtherReply = ({ turn, output }: Pick<TurnProps, 'turn'> & { output: string }) => {
  const { kind, status, task, approval } = turn;
  if (kind === 'command') return <pre>{output}</pre>;
  if (status === 'paused' && task?.pause_reason != null)
    return <PastPause task={task} reason={task.pause_reason} report={output} />;
  return approval === null ? null : <Undecided action={approval} at={turn.finished_at} />;
};

const isAnswer = ({ kind, status, approval, task }: TurnView): boolean =>
  kind !== 'command' && approval === null && !(status === 'paused' && task?.pause_reason != null);

/** The outcome of a turn, and below it when it came. */
const Reply = ({ turn, notes, isInForm, isDecided, rated, ...of }: Omit<TurnProps, 'live' | 'known' | 'action'>) => {
  const { output, question } = turn;
  const ended = <Ended turn={turn} {...of} />;
  if (isInForm || isDecided) return null;
  if (output !== null && isAnswer(turn)) {
    const hasNotes = turn.status === 'answered' && notes?.steps.some(({ kind }) => kind === 'tool') === true;
    return (
      <Answer text={question ?? output} notes={hasNotes && <AnswerNotes turn={turn} answer={output} {...notes} />}>
        {ended}
        {rated !== null && <AnswerFeedback turn={turn} rated={rated} />}
      </Answer>
    );
  }
  return (
    <>
      {output !== null && <OtherReply turn={turn} output={output} />}
      {turn.finished_at !== null && turn.approval === null && <footer class="line muted small">{ended}</footer>}
    </>
  );
};

/** One turn: the input, the steps, and the reply. */
export const Turn = ({ turn, live, known, action, ...of }: TurnProps) => {
  const { kind, status, decision, by, created_at } = turn;
  return (
    <article class={`${styles.turn} fades`} data-turn={turn.id} data-status={status}>
      {decision === undefined ? (
        <Said text={turn.input} />
      ) : (
        <Decided decision={decision} action={action} by={by} at={created_at} />
      )}
      {turn.files !== undefined && <SentFiles session={turn.session_id} files={turn.files} />}
      {kind === 'goal' && <p class="muted small">{texts.value.scheduled}</p>}
      {status === 'queued' && <p class="muted small">{texts.value.queued}</p>}
      {status !== 'queued' && <TurnSteps turn={turn} live={live} {...known} />}
      {live !== null && live.written.value !== '' && <AnswerSoFar text={live.written.value} />}
      <Reply turn={turn} {...of} />
    </article>
  );
};
