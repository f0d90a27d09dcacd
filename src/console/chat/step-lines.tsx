import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Sign } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { toggles } from '../design/fields.tsx';
import { Icon, type IconName } from '../design/icon.tsx';
import { runningNow } from '../design/time.tsx';
import { TextTree } from '../design/tree.tsx';
import { toolIcon } from '../history/call-of-tool.ts';
import { selectCall } from '../state/selection.ts';
import { formatDuration, formatRunning } from '../text/numbers.ts';
import { stepTexts } from './step-texts.ts';
import styles from './steps.module.css';
import { failureOf, folded, type Step, tookMs, toolTitle } from './steps.ts';
import { doingOf, toldArgument } from './tool-doings.ts';
import { doingText } from './tool-words.ts';

const iconOf = ({ kind, tool }: Step): IconName => {
  if (kind !== 'tool') return ({ plan: 'plan', thought: 'think', replan: 'replan', check: 'check' } as const)[kind];
  return toolIcon(tool);
};

/** A tool's work in words, or its name as words. */
const toolText = (step: Step): string => {
  const doing = doingOf(step);
  return doing === null ? toolTitle(step.tool) : doingText(doing, step.state === 'done');
};

/** The title of a step, while it runs and after. */
const titleOf = (step: Step): string => {
  const { kind, state, items } = step;
  const texts = stepTexts.value;
  if (kind === 'tool') return toolText(step);
  if (kind === 'check') return state === 'running' ? texts.checking : texts.checked;
  if (state === 'failed') return texts.unusable;
  if (kind === 'plan') return state === 'running' ? texts.planning : texts.planned(items.length);
  if (kind === 'replan') return state === 'running' ? texts.replanning : texts.replanned(items.length);
  return texts.thinking;
};

/** Seconds that count up. Not read aloud: they change all the time. */
const Seconds = ({ began }: { began: number }) => (
  <span aria-hidden="true">{formatRunning(Math.max(0, runningNow.value - began))}</span>
);

const Outcome = ({ run, isLive }: { run: readonly Step[]; isLive: boolean }) => {
  const texts = stepTexts.value;
  const { state, began } = run[0]!;
  if (state === 'running')
    return (
      <>
        {isLive && <Seconds began={began} />}
        <Sign meaning={isLive ? 'running' : 'open'} />
        <span class="visually-hidden">{texts.running}</span>
      </>
    );
  return (
    <>
      {formatDuration(tookMs(run))}
      <Icon name={({ done: 'check', failed: 'close', stopped: 'minus' } as const)[state]} />
      <span class="visually-hidden">{state === 'failed' ? texts.notDone : texts[state]}</span>
    </>
  );
};

/** Most calls of one line that are drawn when it unfolds. */
const INSIDE_MAX = 100;

/** The input and the result of a call. */
const Inside = ({ step, canInspect }: { step: Step; canInspect: boolean }) => {
  const { input, result, items, seq } = step;
  const texts = stepTexts.value;
  return (
    <div class={styles.inside}>
      {items.length > 0 && (
        <ol class={styles.items}>
          {items.map((item, place) => (
            <li key={place} dir="auto">
              {item}
            </li>
          ))}
        </ol>
      )}
      {input !== '' && (
        <>
          <p class="label">{texts.input}</p>
          <TextTree text={input} />
        </>
      )}
      {result !== '' && (
        <>
          <p class="label">{texts.result}</p>
          <TextTree text={result} />
        </>
      )}
      {canInspect && (
        <Button kind="quiet" size="small" onClick={() => selectCall(seq)}>
          {texts.inspect}
        </Button>
      )}
    </div>
  );
};

/** Most arguments that a line names. */
const NAMED_MAX = 6;

/** The arguments that tell the calls of a line from each other, and how many more there are. */
const namesOf = (run: readonly Step[]): string => {
  const names = run.map(toldArgument).filter(Boolean);
  const more = names.length - NAMED_MAX;
  return [...names.slice(0, NAMED_MAX), ...(more > 0 ? [`+${more}`] : [])].join(', ');
};

interface LineProps {
  /** Calls of the same tool in a row, or one call. */
  run: readonly Step[];
  /** Running steps count their seconds. */
  isLive: boolean;
  /** The inspector can show its entry. */
  canInspect: boolean;
}

/** Some calls in one line, from their request to their result. It unfolds to what went in and what came out. */
const StepLine = ({ run, isLive, canInspect }: LineProps) => {
  const isOpen = useSignal(false);
  const step = run[0]!;
  const names = namesOf(run);
  const why = step.state === 'failed' ? failureOf(step) : '';
  return (
    <details
      class={styles.step}
      data-kind={step.kind}
      data-state={step.state}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary class={styles.line}>
        <Icon name={iconOf(step)} class={styles.icon} />
        <span class={`${styles.title} clipped`} dir="auto">
          {titleOf(step)}
          {run.length > 1 && ` ×${run.length}`}
        </span>
        {names !== '' && (
          <code class={`${styles.argument} clipped`} dir="auto">
            {names}
          </code>
        )}
        {why !== '' && (
          <span class={`${styles.why} clipped`} dir="auto">
            {why}
          </span>
        )}
        <span class={styles.end}>
          <Icon name="right" class="turns" />
          <Outcome run={run} isLive={isLive} />
        </span>
      </summary>
      {isOpen.value &&
        (run.length === 1 ? (
          <Inside step={step} canInspect={canInspect} />
        ) : (
          <div class={styles.runs}>
            {run.slice(-INSIDE_MAX).map((one) => (
              <StepLine key={one.key} run={[one]} isLive={isLive} canInspect={canInspect} />
            ))}
          </div>
        ))}
    </details>
  );
};

/** Lines shown of a turn unless the user asks for more. */
const SHOWN = 12;

/** How many more lines are drawn when asked for: a turn may have thousands. */
const SHOWN_STEP = 200;

interface StepLinesProps {
  steps: readonly Step[];
  isLive: boolean;
  canInspect: boolean;
}

/** A turn's steps, a line each. Of many, the last ones, and more on request. */
export const StepLines = ({ steps, ...rest }: StepLinesProps) => {
  const runs = useMemo(() => folded(steps), [steps]);
  const drawn = useSignal(SHOWN);
  const hidden = Math.max(0, runs.length - drawn.value);
  if (runs.length === 0) return null;
  return (
    <div class={styles.steps}>
      {hidden > 0 && (
        <Button
          kind="quiet"
          class={styles.more}
          onClick={() => {
            drawn.value += SHOWN_STEP;
          }}
        >
          {stepTexts.value.earlier(hidden)}
        </Button>
      )}
      {runs.slice(hidden).map((run) => (
        <StepLine key={run[0]?.key} run={run} {...rest} />
      ))}
    </div>
  );
};

/** A line without a step: something is going on, and there is no call of it yet. */
export const WorkingLine = ({ title }: { title: string }) => (
  <div class={styles.steps}>
    <p class={`${styles.step} ${styles.line}`} data-state="running" role="status">
      <Icon name="think" class={styles.icon} />
      <span class={styles.title}>{title}</span>
      <span class={styles.end}>
        <Sign meaning="running" />
      </span>
    </p>
  </div>
);

interface FoldLineProps {
  /** The steps; null: they are not known before they are unfolded. */
  steps: readonly Step[] | null;
  isOpen: Signal<boolean>;
}

/** All steps of a turn in one line, which unfolds them. */
export const FoldLine = ({ steps, isOpen }: FoldLineProps) => {
  const texts = stepTexts.value;
  const failed = steps?.filter(({ state }) => state === 'failed').length ?? 0;
  return (
    <button type="button" class={styles.fold} aria-expanded={isOpen.value} onClick={toggles(isOpen)}>
      <Icon name="right" class="turns" />
      <span class="name">{steps === null ? texts.someSteps : texts.steps(steps.length)}</span>
      {failed > 0 && <span class={styles.why}>{texts.failed(failed)}</span>}
      {steps !== null && <span class={styles.end}>{formatDuration(tookMs(steps))}</span>}
    </button>
  );
};
