import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { TurnRequest } from '../../../contracts/http.ts';
import type { PauseReason } from '../../../contracts/task.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { path, send as request } from '../api/request.ts';
import { useChange } from '../api/resource.ts';
import { getCalls, listCalls } from '../api/routes.ts';
import { Unfold } from '../design/fields.tsx';
import { LoadedPart, Refusal } from '../design/loaded.tsx';
import { Markdown } from '../design/markdown.tsx';
import { formatNumber } from '../text/numbers.ts';
import { answerText } from '../timeline/prompt-text.ts';
import styles from './card.module.css';
import { Act, Card, CardFoot, useCardKeys } from './card.tsx';
import { texts } from './texts.ts';
import { failuresIn, type ToldFailures } from './told-failures.ts';

type Send = (body: TurnRequest) => void;

/** Pause reasons after which the same work is retried; after the others it continues with a new budget. */
const TRIED_AGAIN: readonly PauseReason[] = [
  'model_unavailable',
  'contract_failure',
  'crash_loop',
  'verification_failed',
];

/** Ends a task; the lists and the conversation learn of it by themselves. */
const cancel = (task: string): Promise<unknown> => request(path`/v1/tasks/${task}/cancel`, { method: 'POST' });

/** Takes an item out of its task's plan. */
const drop = (task: string, index: number): Promise<unknown> =>
  request(path`/v1/tasks/${task}/plan`, { method: 'PATCH', body: { edits: [{ kind: 'drop', index }] } });

interface StuckProps {
  label: string;
  title: string;
  task: TaskView;
  /** The words on the first button. */
  again: string;
  goOn: () => void;
  /** Goes on without the item that it is at; null: there is none, or nothing failed. */
  skip: (() => Promise<unknown>) | null;
  changed: () => void;
  children: ComponentChildren;
}

/** A task that does not go on by itself: go on, without what failed, or not at all. */
const StuckCard = ({ label, title, task, again, goOn, skip, changed, children }: StuckProps) => {
  const { problem, change } = useChange(changed);
  const isSent = useSignal(false);
  const once = (make: () => Promise<unknown>) => async (): Promise<void> => {
    isSent.value = true;
    isSent.value = await change(make);
  };
  const first = (): void => void once(async () => goOn())();
  const { press, areOn } = useCardKeys(isSent.value ? {} : { y: first, Enter: first });
  return (
    <Card label={label} title={title} press={press}>
      {children}
      {problem.value !== null && (
        <div class={styles.more}>
          <Refusal error={problem.value} />
        </div>
      )}
      <CardFoot>
        <Act kind="primary" letter="y" isKeyOn={areOn} disabled={isSent.value} onClick={first}>
          {again}
        </Act>
        {skip !== null && (
          <Act disabled={isSent.value} onClick={() => void once(skip)()}>
            {texts.value.skip}
          </Act>
        )}
        <Act
          kind="quiet"
          class={styles.last}
          disabled={isSent.value}
          onClick={() => void once(() => cancel(task.id))()}
        >
          {texts.value.stop}
        </Act>
      </CardFoot>
    </Card>
  );
};

/** The model's last words to a task, or why there are none, verbatim. */
const ModelSaid = ({ task }: { task: string }) => (
  <LoadedPart
    class=""
    load={async (signal) => {
      const last = (await listCalls(task, signal)).at(-1);
      return last === undefined ? [] : getCalls(task, last.effect_id, signal);
    }}
  >
    {(calls) => (
      <pre class="inset" dir="auto">
        {calls.map((call) => answerText(call) || call.failure).join('\n\n') || texts.value.notKept}
      </pre>
    )}
  </LoadedPart>
);

/** Steps that are named of those that are left. */
const LEFT_NAMED = 3;

/** How far the plan is, in a sentence or two; empty: it has no plan yet. */
const progressOf = ({ plan }: TaskView): string => {
  const done = plan.filter(({ status }) => status === 'completed').length;
  const left = plan.filter(({ status }) => status === 'not_started' || status === 'in_progress');
  if (plan.length === 0) return '';
  const names = left
    .slice(0, LEFT_NAMED)
    .map(({ step }) => step)
    .join(', ');
  const more = left.length - LEFT_NAMED;
  const named = more > 0 ? texts.value.leftMore(names, formatNumber.value(more)) : names;
  const parts = [texts.value.doneOf(done, plan.length), left.length > 0 ? texts.value.left(named) : ''];
  return parts.filter((part) => part !== '').join(' ');
};

const pauseTitle = (reason: PauseReason, task: TaskView): string =>
  reason === 'step_limit' ? texts.value.step_limit(task.step_limit) : texts.value[reason];

/** The reason for a pause, in a line. */
export const PauseTitle = ({ task, reason }: Pick<PausedProps, 'task' | 'reason'>) => <>{pauseTitle(reason, task)}</>;

const itemAt = ({ plan, current_plan_index }: TaskView): TaskView['plan'][number] | undefined => {
  const item = plan[current_plan_index];
  return item?.status === 'in_progress' || item?.status === 'not_started' ? item : undefined;
};

interface PausedProps {
  task: TaskView;
  reason: PauseReason;
  /** The service's report of what is done and left; empty: there is none here. */
  report: string;
}

/** The reason for the pause, in a sentence. The model's words and the report so far are a click away. */
const WhatHappened = ({ task, reason, report }: PausedProps) => (
  <>
    <p class={styles.lead} dir="auto">
      {progressOf(task)} {texts.value[`${reason}_more`]}
    </p>
    <div class={`${styles.more} stack`}>
      {report !== '' && <Unfold title={texts.value.report}>{() => <Markdown text={report} />}</Unfold>}
      {TRIED_AGAIN.includes(reason) && (
        <Unfold title={texts.value.modelSaid}>{() => <ModelSaid task={task.id} />}</Unfold>
      )}
    </div>
  </>
);

interface PauseCardProps extends PausedProps {
  send: Send;
  changed: () => void;
  /** The words that resume this task in its session. */
  resume?: string;
}

/** A paused task, which goes on when its user says so. */
export const PauseCard = ({ send, changed, resume = 'continue', ...paused }: PauseCardProps) => {
  const { task, reason } = paused;
  const isTriedAgain = TRIED_AGAIN.includes(reason);
  const goOn = (): void => send({ input: resume });
  const skip = async (): Promise<void> => {
    await drop(task.id, task.current_plan_index);
    goOn();
  };
  return (
    <StuckCard
      label={texts.value.paused}
      title={pauseTitle(reason, task)}
      task={task}
      again={isTriedAgain ? texts.value.retry : texts.value.goOn}
      goOn={goOn}
      skip={isTriedAgain && itemAt(task) !== undefined ? skip : null}
      changed={changed}
    >
      <WhatHappened {...paused} />
    </StuckCard>
  );
};

/** A pause that is over: it says why there was one, and asks nothing. */
export const PastPause = (paused: PausedProps) => (
  <section class="stack" aria-label={texts.value.paused}>
    <p class="name">{pauseTitle(paused.reason, paused.task)}</p>
    {paused.report !== '' && <Unfold title={texts.value.report}>{() => <Markdown text={paused.report} />}</Unfold>}
  </section>
);

interface FailuresProps {
  task: TaskView;
  question: string;
  send: Send;
  changed: () => void;
}

/** Why it failed: the tools' own words, as quotes; else the machine's, as it wrote them. */
const Reasons = ({ told: { reasons, remarks } }: { told: ToldFailures }) => (
  <>
    {remarks !== '' && (
      <div class={styles.lead}>
        <Markdown text={remarks} />
      </div>
    )}
    {reasons.length > 0 && (
      <ul class={`${styles.more} stack`} aria-label={texts.value.why}>
        {reasons.map((reason) => (
          <li key={reason} class={styles.quote} dir="auto">
            {reason}
          </li>
        ))}
      </ul>
    )}
  </>
);

/** An item that failed again and again, so that the machine asks what to do. Other words are written below. */
export const FailuresCard = ({ task, question, send, changed }: FailuresProps) => {
  const step = itemAt(task)?.step ?? task.goal;
  const told = failuresIn(question, step);
  const { failedAgain, failedTimes, retry, tryAgainWords, skipWords } = texts.value;
  return (
    <StuckCard
      label={failedAgain}
      title={told.times === null ? failedAgain : failedTimes(step, told.times)}
      task={task}
      again={retry}
      goOn={() => send({ input: tryAgainWords })}
      skip={async () => send({ input: skipWords })}
      changed={changed}
    >
      <Reasons told={told} />
    </StuckCard>
  );
};
