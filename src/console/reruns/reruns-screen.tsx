import { useSignal } from '@preact/signals';
import type { LaneSum, RerunReport, RerunSummary, RerunView } from '../../../contracts/rerun.ts';
import { ApiProblem, path, request, send } from '../api/request.ts';
import { useChange, useResource } from '../api/resource.ts';
import { allItems } from '../api/routes.ts';
import { meaningOf, Sign } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icon.tsx';
import { Boundary, Empty, Loaded, LoadedPart, Refusal, Table } from '../design/loaded.tsx';
import { Meter } from '../design/meter.tsx';
import { Time } from '../design/time.tsx';
import { navigate, query, RERUNS, rerunHref, TRACE } from '../state/route.ts';
import { formatNumber } from '../text/numbers.ts';
import { TracesHead } from '../traces/traces-head.tsx';
import { costText, tokensIn } from './lane-text.ts';
import { RerunTaskPart } from './rerun-task.tsx';
import styles from './reruns.module.css';
import { texts } from './texts.ts';
import { againOf, answerOfSum, costsBeside, inOrder, meaningOfSum, questionOf, triedSum } from './verdict.ts';

/** How often a rerun that goes on is reloaded, in milliseconds. */
const RELOAD_MS = 1_000;

/** The state of a rerun as a sign and in words; of one that is done, whether all runs came out as recorded. */
const State = ({ rerun: { state, runs, same } }: { rerun: RerunSummary }) => {
  const words = texts.value;
  const meaning = same === false ? 'failed' : meaningOf(state === 'stopped' ? 'cancelled' : state);
  const done = same === undefined ? words.state_done : same ? words.allSame : words.notAllSame;
  return (
    <span class={`line ${styles.state}`}>
      <Sign meaning={meaning} />
      {state === 'running' ? words.progress(runs.done, runs.all) : state === 'done' ? done : words[`state_${state}`]}
    </span>
  );
};

const sameText = ({ tasks, same, unknown }: LaneSum): string => {
  const known =
    tasks === 1 && unknown === 0 ? texts.value[same === 1 ? 'same' : 'different'] : texts.value.sameOf(same, tasks);
  return unknown === 0 ? known : `${known}, ${texts.value.unknownOf(unknown)}`;
};

/** How many runs came out as recorded, with its sign; nothing of the recording itself. */
const Outcome = ({ sum }: { sum: LaneSum }) =>
  sum.lane === 'recorded' ? (
    <span class="muted">–</span>
  ) : (
    <span class={`line ${styles.state}`}>
      <Sign meaning={meaningOfSum(sum)} />
      {sameText(sum)}
    </span>
  );

/** The sums over all runs of each kind. */
const Sums = ({ sums }: Pick<RerunReport, 'sums'>) => {
  const count = formatNumber.value;
  const words = texts.value;
  const hasRefused = sums.some(({ misses }) => misses > 0);
  return (
    <Table
      label={words.sums}
      items={sums}
      columns={[
        [
          words.runOf,
          ({ lane, models }) => (
            <>
              {words[lane]} <span class={`small muted ${styles.models}`}>{models.join(', ')}</span>
            </>
          ),
        ],
        [words.outcome, (sum) => <Outcome sum={sum} />],
        [words.steps, ({ steps }) => count(steps), 'numbers'],
        [words.calls, ({ calls }) => count(calls), 'numbers'],
        [words.tools, ({ tool_calls }) => count(tool_calls), 'numbers'],
        [words.tokensIn, ({ usage }) => count(tokensIn(usage)), 'numbers'],
        [words.tokensOut, ({ usage }) => count(usage.output_tokens), 'numbers'],
        ...(hasRefused ? [[words.refused, ({ misses }: LaneSum) => count(misses), 'numbers'] as const] : []),
        [words.cost, ({ cost }) => costText(cost), 'numbers'],
      ]}
    />
  );
};

/** The answer to the question of a rerun, and how far it is to be trusted. */
const Verdict = ({ report }: { report: RerunReport }) => {
  const tried = triedSum(report);
  if (tried === undefined) return null;
  const costs = costsBeside(report);
  const again = againOf(report);
  const meaning = meaningOfSum(tried);
  return (
    <section class={styles.verdict} data-meaning={meaning} aria-label={texts.value.outcome}>
      <Sign meaning={meaning} />
      <div>
        <p class={styles.answer}>{answerOfSum(tried)}</p>
        {costs !== null && <p class="number">{costs}</p>}
        {again !== null && <p class={styles.again}>{again}</p>}
      </div>
    </section>
  );
};

const Head = ({ rerun }: { rerun: RerunView }) => {
  const { problem, change } = useChange();
  const isRunning = rerun.state === 'running';
  const end = (): void => {
    void change(() => send(path`/v1/reruns/${rerun.id}`, { method: 'DELETE' })).then((isEnded) => {
      if (isEnded) navigate(RERUNS);
    });
  };
  return (
    <header class="stack">
      <div class="line">
        <a class={`small ${styles.link} ${styles.back}`} href={RERUNS}>
          <Icon name="left" />
          {texts.value.all}
        </a>
        <span class="fill" />
        <Button kind={isRunning ? 'danger' : 'quiet'} onClick={end}>
          {isRunning ? texts.value.stop : texts.value.forget}
        </Button>
      </div>
      <div class="line">
        <h1>{questionOf(rerun)}</h1>
        <span class={`line small muted ${styles.about}`}>
          {rerun.state !== 'done' && <State rerun={rerun} />}
          <span>
            {texts.value.tasks(rerun.tasks)} · <Time at={rerun.created_at} />
          </span>
        </span>
      </div>
      {rerun.reason !== undefined && <p class="refusal">{rerun.reason}</p>}
      <Refusal error={problem.value} />
    </header>
  );
};

/** How far a rerun is that goes on. */
const Progress = ({ rerun: { runs } }: { rerun: RerunView }) => (
  <div class="stack" role="status">
    <Meter label={texts.value.progress(runs.done, runs.all)} used={runs.done} limit={runs.all} />
    <p class="muted">{texts.value.goesOn}</p>
  </div>
);

/** A rerun: how far it is, and once it is over the sums and each task with its runs. */
const Rerun = ({ id }: { id: string }) => {
  const goesOn = useSignal(true);
  const { loaded, reload } = useResource(
    async (signal) => {
      const rerun = await request<RerunView>(path`/v1/reruns/${id}`, { signal });
      goesOn.value = rerun.state === 'running';
      return rerun;
    },
    [id],
    goesOn.value ? RELOAD_MS : undefined,
  );
  const { error, value } = loaded.value;
  if (value === undefined && error instanceof ApiProblem && error.status === 404)
    return (
      <Empty title={texts.value.gone}>
        <p>{texts.value.goneHint}</p>
        <a class={styles.link} href={RERUNS}>
          {texts.value.all}
        </a>
      </Empty>
    );
  return (
    <Loaded from={loaded.value} onRetry={reload}>
      {(rerun) => (
        <div class={`${styles.screen} padded stack`}>
          <Head rerun={rerun} />
          {rerun.state === 'running' && <Progress rerun={rerun} />}
          {rerun.report !== null && (
            <>
              <Verdict report={rerun.report} />
              <Sums sums={rerun.report.sums} />
              <div class={styles.tasks}>
                {inOrder(rerun.report.tasks).map((task) => (
                  <Boundary key={task.task_id}>
                    <RerunTaskPart task={task} isAlone={rerun.tasks === 1} />
                  </Boundary>
                ))}
              </div>
            </>
          )}
        </div>
      )}
    </Loaded>
  );
};

/** The reruns that the service still has, newest first. */
const Reruns = () => (
  <LoadedPart load={(signal) => allItems<RerunSummary>('/v1/reruns', 'reruns', signal)} everyMs={RELOAD_MS}>
    {(reruns) => (
      <>
        <h1 class="visually-hidden">{texts.value.title}</h1>
        <p class={`line muted ${styles.intro}`}>
          <span class="fill">{texts.value.hint}</span>
          <a class={styles.link} href={TRACE}>
            {texts.value.chooseTasks}
          </a>
        </p>
        <Table
          label={texts.value.title}
          items={reruns}
          empty={[texts.value.none, texts.value.noneHint]}
          columns={[
            [
              texts.value.question,
              (rerun) => (
                <>
                  <a href={rerunHref(rerun.id)} data-row>
                    {questionOf(rerun)}
                  </a>
                  <p class="small muted clipped" dir="auto">
                    {rerun.tasks === 1 ? rerun.goal : texts.value.andMore(rerun.goal, rerun.tasks - 1)}
                  </p>
                </>
              ),
            ],
            [texts.value.outcome, (rerun) => <State rerun={rerun} />],
            [texts.value.at, ({ created_at }) => <Time at={created_at} />, 'numbers'],
          ]}
        />
      </>
    )}
  </LoadedPart>
);

/** Recorded tasks that ran again: the one of `?id=`, else the list of all. */
export const RerunsScreen = () => {
  const id = query.value.get('id');
  return (
    <>
      <TracesHead shown="reruns" />
      {id === null ? <Reruns /> : <Rerun key={id} id={id} />}
    </>
  );
};
