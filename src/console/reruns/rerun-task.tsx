import type { RerunLane, RerunTask } from '../../../contracts/rerun.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { listTrace, readTrace } from '../api/routes.ts';
import { Paths } from '../compare/compare-screen.tsx';
import { eventInWords, FirstDifference, valueInWords, whatDiffers } from '../compare/first-difference.tsx';
import { type Meaning, Sign } from '../design/badge.tsx';
import { Unfold } from '../design/fields.tsx';
import { Icon } from '../design/icon.tsx';
import { Boundary, LoadedPart } from '../design/loaded.tsx';
import { Markdown } from '../design/markdown.tsx';
import { TextTree } from '../design/tree.tsx';
import { taskHref } from '../state/route.ts';
import { formatNumber } from '../text/numbers.ts';
import { costText, endDetail, outcomeText, tokensIn } from './lane-text.ts';
import styles from './reruns.module.css';
import { texts } from './texts.ts';
import { triedLane } from './verdict.ts';

/** The meaning of a run's outcome to the user; of the recording, and of a run that was stopped, none. */
const meaningOfLane = ({ same }: RerunLane): Meaning => (same === null ? 'neutral' : same ? 'done' : 'failed');

/** The event of a lane's first difference, of either side. */
const eventOf = ({ recorded, came, path }: NonNullable<RerunLane['first_difference']>) =>
  path === undefined ? ((recorded ?? came) as TraceEntry['event']) : null;

/** Where a run first went on otherwise than the recording. */
const Difference = ({ task, lane }: { task: RerunTask; lane: RerunLane }) => {
  const { first_difference: difference } = lane;
  if (difference === null) return null;
  const { seq, path, recorded, came, recorded_type } = difference;
  const isWhole = eventOf(difference) !== null;
  const event = (isWhole ? eventOf(difference) : { type: recorded_type }) as TraceEntry['event'];
  const inWords = (value: unknown): string =>
    isWhole ? eventInWords(value as TraceEntry['event'] | null) : valueInWords(value);
  const words = texts.value;
  return (
    <FirstDifference
      title="h3"
      what={
        isWhole
          ? seq === null
            ? words.afterLast
            : words.entry(seq)
          : whatDiffers(event, path?.split('.') ?? [], lane.ended?.call?.tool)
      }
      sides={[
        [words.recorded, inWords(recorded)],
        [words[lane.lane], inWords(came)],
      ]}
    >
      {seq !== null && task.source === null && (
        <a
          class={`small ${styles.link}`}
          href={taskHref(task.session_id, task.task_id, { tab: 'timeline', call: seq })}
        >
          {words.openEntry(seq)}
        </a>
      )}
    </FirstDifference>
  );
};

/** The steps, calls, tokens, cost and refused answers of a run, in a line. */
const figuresOf = ({ steps, calls, usage, cost, misses }: RerunLane): string => {
  const words = texts.value;
  const tokens = tokensIn(usage) + usage.output_tokens;
  return [
    `${words.steps} ${steps}`,
    `${words.calls} ${calls}`,
    `${words.tokens} ${formatNumber.value(tokens)}`,
    cost === undefined ? '' : costText(cost),
    misses === 0 ? '' : `${words.refused} ${misses}`,
  ]
    .filter(Boolean)
    .join(' · ');
};

/** The user's rating of the recorded answer. */
const Rated = ({ feedback = [] }: Pick<RerunTask, 'feedback'>) => {
  const last = feedback.at(-1);
  if (last === undefined) return null;
  return (
    <p class={`line small ${styles.rated}`}>
      <Icon name={last.rating === 'down' ? 'thumb-down' : 'thumb-up'} />
      <span>{last.rating === 'down' ? texts.value.ratedDown : texts.value.ratedUp}</span>
    </p>
  );
};

/** The calls that may change something: those that ran, and the one that nobody had recorded, which did not. */
const Writes = ({ lane: { writes, ended } }: { lane: RerunLane }) => {
  const refused = ended?.kind === 'unrecorded_call' ? ended.call : undefined;
  return (
    <div class="stack">
      <h4 class="label">{texts.value.writes}</h4>
      {writes.length === 0 && refused === undefined && <p class="small muted">{texts.value.noWrites}</p>}
      <ol class="stack">
        {[...writes, ...(refused === undefined ? [] : [refused])].map((call, i) => (
          <li key={i} class="small">
            <p class="line">
              <code>{call.tool}</code>
              {call === refused && <span class={styles.notRun}>{texts.value.notRun}</span>}
            </p>
            <TextTree text={call.input} />
          </li>
        ))}
      </ol>
    </div>
  );
};

const Answer = ({ lane: { response, reworded } }: { lane: RerunLane }) => (
  <div class="stack">
    <h4 class="label">{texts.value.answer}</h4>
    {response === null ? <p class="small muted">{texts.value.noAnswer}</p> : <Markdown text={response} />}
    {reworded.length > 0 && (
      <>
        <h4 class="label">{texts.value.reworded}</h4>
        <ul class="stack">
          {reworded.map(({ came, answer }, i) => (
            <li key={i} class="small" dir="auto">
              {came} <span class="muted">{texts.value.gotAnswer(answer)}</span>
            </li>
          ))}
        </ul>
      </>
    )}
  </div>
);

interface LaneProps {
  task: RerunTask;
  lane: RerunLane;
  /** The figures of the only task are in the table above. */
  hasFigures: boolean;
}

/** One run of a task: how it ended, what it took, wrote and said. The same of all runs stands at the same height. */
const Lane = ({ task, lane, hasFigures }: LaneProps) => {
  const words = texts.value;
  const recorded = task.lanes.find((each) => each.lane === 'recorded');
  const detail = endDetail(lane);
  return (
    <section class={`compared ${styles.lane}`} aria-label={words[lane.lane]}>
      <header>
        <h3>{words[lane.lane]}</h3>
        <p class="small muted clipped">{lane.model ?? '–'}</p>
      </header>
      <div class="stack">
        <p class={`${styles.outcome} name`} data-same={lane.same ?? undefined}>
          {lane.lane !== 'recorded' && <Sign meaning={meaningOfLane(lane)} />}
          <span class="sentence">{outcomeText(lane, recorded)}</span>
        </p>
        {detail !== '' && <p class="small as-written">{detail}</p>}
        {lane.lane === 'recorded' && <Rated feedback={task.feedback} />}
        {hasFigures && <p class="small muted number">{figuresOf(lane)}</p>}
      </div>
      <Writes lane={lane} />
      <Answer lane={lane} />
    </section>
  );
};

/** The entries of the recording and of a run, from the first difference on. They are loaded when they are asked for. */
const EntryByEntry = ({ task, lane, trace }: { task: string; lane: RerunLane; trace: string }) => (
  <Unfold title={texts.value.entryByEntry(texts.value[lane.lane])}>
    {() => (
      <Boundary>
        <LoadedPart
          class="stack"
          load={(signal) => Promise.all([listTrace(task, signal), readTrace(trace, { signal })])}
        >
          {([left, right]) => (
            <Paths
              left={left}
              right={right}
              names={[texts.value.recorded, texts.value[lane.lane]]}
              isRightKept={false}
            />
          )}
        </LoadedPart>
      </Boundary>
    )}
  </Unfold>
);

const Changes = ({ changes }: Pick<RerunTask, 'changes'>) =>
  changes.length === 0 ? null : (
    <div class="stack">
      <h3 class="label">{texts.value.changes}</h3>
      <ul>
        {changes.map(({ what, name, recorded, now }) => (
          <li key={`${what} ${name}`} class="small">
            {texts.value[what === 'model' ? 'what_model' : what]} <code>{name}</code>{' '}
            <span class="muted">
              {recorded ?? texts.value.nothing} → {now ?? texts.value.nothing}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );

/** The runs of a task: where the one it is about parts from the recording, then all of them side by side. */
const Runs = ({ task, isAlone }: { task: RerunTask; isAlone: boolean }) => {
  const tried = triedLane(task);
  return (
    <div class={styles.runs}>
      {tried !== undefined && <Difference task={task} lane={tried} />}
      <div class={styles.lanes} data-count={task.lanes.length}>
        {task.lanes.map((lane) => (
          <Lane key={lane.lane} task={task} lane={lane} hasFigures={!isAlone} />
        ))}
      </div>
      <Changes changes={task.changes} />
      <div class={styles.more}>
        {task.lanes.map(
          (lane) =>
            lane.trace !== undefined && (
              <EntryByEntry key={lane.lane} task={task.task_id} lane={lane} trace={lane.trace} />
            ),
        )}
        {task.source === null && (
          <a class={`small ${styles.link}`} href={taskHref(task.session_id, task.task_id)}>
            {texts.value.openRecorded}
          </a>
        )}
      </div>
    </div>
  );
};

interface TaskPartProps {
  task: RerunTask;
  /** It is the rerun's only one. */
  isAlone: boolean;
}

/** A recorded task with its runs side by side. One that came out as recorded is folded, unless it is the only one. */
export const RerunTaskPart = ({ task, isAlone }: TaskPartProps) => {
  const tried = triedLane(task);
  const recorded = task.lanes.find(({ lane }) => lane === 'recorded');
  return (
    <section class={`card ${styles.task}`} aria-label={task.goal}>
      <Unfold
        isOpen={isAlone || tried?.same !== true}
        title={
          <>
            <Icon name="right" />
            {tried !== undefined && <Sign meaning={meaningOfLane(tried)} />}
            <h2 class="clipped fill" dir="auto">
              {task.goal}
            </h2>
            {tried !== undefined && !isAlone && (
              <span class={`muted ${styles.came}`}>{outcomeText(tried, recorded)}</span>
            )}
          </>
        }
      >
        {() => <Runs task={task} isAlone={isAlone} />}
      </Unfold>
    </section>
  );
};
