import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Progress } from '../../../contracts/stream.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { actionTitle } from '../card/action-title.ts';
import { Decided } from '../card/decided.tsx';
import { Badge, shownState } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { toggles } from '../design/fields.tsx';
import { LoadedPart, lazy } from '../design/loaded.tsx';
import { Markdown } from '../design/markdown.tsx';
import { Time } from '../design/time.tsx';
import { taskHref } from '../state/route.ts';
import type { StateName } from '../text/states.ts';
import styles from './chat.module.css';
import { createProgressLines, type ProgressLines, readPast } from './progress-lines.ts';
import { texts } from './texts.ts';

const PastPause = lazy(async () => (await import('../card/pause-card.tsx')).PastPause);
const WholeInput = lazy(async () => (await import('../card/approval-card.tsx')).WholeInput);

type Kind = Progress['kind'];

/** Lines shown of a running turn unless the user asks for all. */
const SHOWN = 8;

/** How many more lines are drawn when asked for: a turn may have thousands. */
const SHOWN_STEP = 200;

const marks: Partial<Record<Kind, string>> = {
  plan: '≡',
  replan: '≡',
  item: '▸',
  action: '→',
  result: '✓',
  rejected: '!',
  failed: '✗',
  question: '?',
  finished: '■',
  paused: '‖',
};

/** Lines with equal neighbours merged and counted. */
const folded = (lines: readonly Progress[]): (Progress & { times: number })[] => {
  const rows: (Progress & { times: number })[] = [];
  for (const line of lines) {
    const last = rows.at(-1);
    if (last?.kind === line.kind && last.text === line.text) last.times += 1;
    else rows.push({ ...line, times: 1 });
  }
  return rows;
};

/** A turn's progress, one line each. Of many lines, the newest, and more on request. */
const StepLines = ({ lines: all, isLive }: { lines: readonly Progress[]; isLive: boolean }) => {
  const lines = useMemo(() => folded(all), [all]);
  const drawn = useSignal(isLive ? SHOWN : SHOWN_STEP);
  const shown = lines.slice(-drawn.value);
  const hidden = lines.length - shown.length;
  return (
    <div class={`${styles.steps} muted`}>
      {hidden > 0 && (
        <Button
          kind="quiet"
          onClick={() => {
            drawn.value += SHOWN_STEP;
          }}
        >
          {hidden > SHOWN_STEP ? texts.value.moreSteps(SHOWN_STEP, lines.length) : texts.value.allSteps(lines.length)}
        </Button>
      )}
      <ol>
        {shown.map(({ kind, text, times }, index) => (
          <li key={hidden + index} class="signed as-written" data-kind={kind}>
            <span aria-hidden="true">{marks[kind] ?? '·'}</span>
            <span dir="auto">
              {text}
              {times > 1 && <span class="muted"> ×{times}</span>}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
};

/** The lines of a finished turn, read on request. */
const PastSteps = ({ turn: { id, task_id } }: { turn: TurnView }) => (
  <LoadedPart
    class=""
    load={async (signal) => {
      const progress = createProgressLines(task_id);
      await readPast(id, progress, signal);
      return progress.lines.peek();
    }}
  >
    {(lines) => <StepLines lines={lines} isLive={false} />}
  </LoadedPart>
);

/** The user's words. */
export const Said = ({ text }: { text: string }) => (
  <p class={`${styles.said} as-written`} dir="auto">
    {text}
  </p>
);

/** The outcome of a turn. A question followed by another turn is no longer open. */
const stateOf = ({ status, task }: TurnView, isLast: boolean): StateName => {
  if (status === 'asking' && !isLast) return 'asked';
  return status === 'answered' && task !== null ? shownState(task) : status;
};

interface TurnProps {
  turn: TurnView;
  /** Its lines so far, if it is running. */
  live: ProgressLines | null;
  /** No later turn has a task, so its question may still be open. */
  isLast: boolean;
  /** Its task is shown beside the conversation. */
  isShown: boolean;
  /** Its question is shown as a form below it. */
  isInForm: boolean;
}

/** The outcome of a turn. */
const Reply = ({ turn, output }: Pick<TurnProps, 'turn'> & { output: string }) => {
  const { kind, status, task, question, approval } = turn;
  if (kind === 'command') return <pre>{output}</pre>;
  if (status === 'paused' && task?.pause_reason != null)
    return <PastPause task={task} reason={task.pause_reason} report={output} />;
  if (approval === null) return <Markdown text={question ?? output} />;
  return (
    <>
      <p dir="auto">{actionTitle(approval)}</p>
      <WholeInput action={approval} way="fields" />
    </>
  );
};

/** One turn: the input, the progress, and the reply. */
export const Turn = ({ turn, live, isLast, isShown, isInForm }: TurnProps) => {
  const areStepsOpen = useSignal(false);
  const { output, task_id, session_id, kind, status, finished_at } = turn;
  return (
    <article class="stack fades" data-turn={turn.id} data-status={status}>
      {turn.decision === undefined ? <Said text={turn.input} /> : <Decided decision={turn.decision} by={turn.by} />}
      {kind === 'goal' && <p class="muted small">{texts.value.scheduled}</p>}
      {status === 'queued' && <p class="muted small">{texts.value.queued}</p>}
      {live !== null && (
        <>
          <p class="line muted small" role="status">
            <Badge state="running" />
            {texts.value.working}
          </p>
          <StepLines lines={live.lines.value} isLive={true} />
          {live.written.value !== '' && <Markdown text={live.written.value} />}
        </>
      )}
      {areStepsOpen.value && <PastSteps turn={turn} />}
      {output !== null && !isInForm && <Reply turn={turn} output={output} />}
      {finished_at !== null && !(isInForm && output === null) && (
        <footer class="line muted small">
          {kind !== 'command' && <Badge state={stateOf(turn, isLast)} />}
          <Time at={finished_at} />
          {task_id !== null && (
            <Button kind="link" aria-expanded={areStepsOpen.value} onClick={toggles(areStepsOpen)}>
              {areStepsOpen.value ? texts.value.hideSteps : texts.value.steps}
            </Button>
          )}
          {task_id !== null && !isShown && <a href={taskHref(session_id, task_id)}>{texts.value.openTask}</a>}
        </footer>
      )}
    </article>
  );
};
