import type { ComponentChildren } from 'preact';
import type { RerunLane, RerunTask } from '../../../contracts/rerun.ts';
import { listTrace, readTrace } from '../api/routes.ts';
import { Paths } from '../compare/compare-screen.tsx';
import { Unfold } from '../design/fields.tsx';
import { Boundary, LoadedPart } from '../design/loaded.tsx';
import { Markdown } from '../design/markdown.tsx';
import { taskHref } from '../state/route.ts';
import { formatNumber } from '../text/numbers.ts';
import { costText, endDetail, outcomeText, tokensIn, valueText } from './lane-text.ts';
import styles from './reruns.module.css';
import { texts } from './texts.ts';

const Fact = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div class={styles.fact}>
    <dt>{title}</dt>
    <dd class="number">{children}</dd>
  </div>
);

const Difference = ({ difference }: { difference: NonNullable<RerunLane['first_difference']> }) => {
  const { seq, path, recorded, came, recorded_type, came_type } = difference;
  const words = texts.value;
  return (
    <div class="stack">
      <h4 class="label">{words.difference}</h4>
      <p class="small muted">
        {seq === null ? words.afterLast : words.entry(seq)}{' '}
        <code>
          {recorded_type ?? came_type}
          {path !== undefined && ` ${path}`}
        </code>
      </p>
      <del data-change="removed">
        <span class="visually-hidden">{words.wasRecorded} </span>
        {valueText(recorded)}
      </del>
      <ins data-change="added">
        <span class="visually-hidden">{words.came} </span>
        {valueText(came)}
      </ins>
    </div>
  );
};

const Writes = ({ lane: { writes } }: { lane: RerunLane }) => (
  <div class="stack">
    <h4 class="label">{texts.value.writes}</h4>
    {writes.length === 0 ? (
      <p class="small muted">{texts.value.noWrites}</p>
    ) : (
      <ol class="stack">
        {writes.map(({ tool, input }, i) => (
          <li key={i} class="small">
            <code>{tool}</code> <span dir="auto">{input}</span>
          </li>
        ))}
      </ol>
    )}
  </div>
);

/** One run of a task: how it ended, what it took, wrote and said, and where it first went another way. */
const Lane = ({ lane, recorded }: { lane: RerunLane; recorded: RerunLane | undefined }) => {
  const words = texts.value;
  const { usage, ended, response, first_difference, reworded } = lane;
  return (
    <section class={`compared ${styles.lane}`} aria-label={words[lane.lane]}>
      <header class="stack">
        <h3>{words[lane.lane]}</h3>
        <p class="small muted">{lane.model ?? '–'}</p>
        <p class={`name sentence ${styles.outcome}`} data-same={lane.same ?? undefined}>
          {outcomeText(lane, recorded)}
        </p>
        {ended !== null && endDetail(ended) !== '' && <p class="small as-written">{endDetail(ended)}</p>}
      </header>
      <dl class={styles.facts}>
        <Fact title={words.steps}>{lane.steps}</Fact>
        <Fact title={words.calls}>{lane.calls}</Fact>
        <Fact title={words.tools}>{lane.tool_calls}</Fact>
        <Fact title={words.tokensIn}>{formatNumber.value(tokensIn(usage))}</Fact>
        <Fact title={words.tokensOut}>{formatNumber.value(usage.output_tokens)}</Fact>
        <Fact title={words.cost}>{costText(lane.cost)}</Fact>
        {lane.misses > 0 && <Fact title={words.refused}>{lane.misses}</Fact>}
      </dl>
      <Writes lane={lane} />
      <div class="stack">
        <h4 class="label">{words.answer}</h4>
        {response === null ? <p class="small muted">{words.noAnswer}</p> : <Markdown text={response} />}
      </div>
      {first_difference !== null && <Difference difference={first_difference} />}
      {reworded.length > 0 && (
        <div class="stack">
          <h4 class="label">{words.reworded}</h4>
          <ul class="stack">
            {reworded.map(({ came, answer }, i) => (
              <li key={i} class="small" dir="auto">
                {came} <span class="muted">{words.gotAnswer(answer)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
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

/** A recorded task with its runs side by side. */
export const RerunTaskPart = ({ task }: { task: RerunTask }) => {
  const recorded = task.lanes.find(({ lane }) => lane === 'recorded');
  return (
    <section class="card padded stack" aria-label={task.goal}>
      <h2 dir="auto">
        <a href={taskHref(task.session_id, task.task_id)}>{task.goal}</a>
      </h2>
      <div class={styles.lanes}>
        {task.lanes.map((lane) => (
          <Lane key={lane.lane} lane={lane} recorded={recorded} />
        ))}
      </div>
      <Changes changes={task.changes} />
      {task.lanes.map(
        (lane) =>
          lane.trace !== undefined && (
            <EntryByEntry key={lane.lane} task={task.task_id} lane={lane} trace={lane.trace} />
          ),
      )}
    </section>
  );
};
