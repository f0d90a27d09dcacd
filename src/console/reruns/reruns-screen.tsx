import { useSignal } from '@preact/signals';
import type { LaneSum, RerunReport, RerunSummary, RerunView } from '../../../contracts/rerun.ts';
import { ApiProblem, path, request, send } from '../api/request.ts';
import { useChange, useResource } from '../api/resource.ts';
import { allItems } from '../api/routes.ts';
import { meaningOf, Sign } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Boundary, Empty, Loaded, LoadedPart, Refusal, Table } from '../design/loaded.tsx';
import { Time } from '../design/time.tsx';
import { navigate, query, RERUNS, rerunHref } from '../state/route.ts';
import { formatNumber } from '../text/numbers.ts';
import { costText, tokensIn } from './lane-text.ts';
import { RerunTaskPart } from './rerun-task.tsx';
import styles from './reruns.module.css';
import { texts } from './texts.ts';

/** How often a rerun that goes on is reloaded, in milliseconds. */
const RELOAD_MS = 1_000;

/** The state of a rerun as a sign and in words. */
const State = ({ rerun: { state, runs } }: { rerun: RerunSummary }) => (
  <span class={`line ${styles.state}`}>
    <Sign meaning={meaningOf(state === 'stopped' ? 'cancelled' : state)} />
    {state === 'running' ? texts.value.progress(runs.done, runs.all) : texts.value[`state_${state}`]}
  </span>
);

const sameText = ({ lane, tasks, same, unknown }: LaneSum): string => {
  if (lane === 'recorded') return texts.value.tasks(tasks);
  const known = texts.value.sameOf(same, tasks);
  return unknown === 0 ? known : `${known}, ${texts.value.unknownOf(unknown)}`;
};

/** The sums over all runs of each kind. */
const Sums = ({ sums }: Pick<RerunReport, 'sums'>) => {
  const count = formatNumber.value;
  const words = texts.value;
  return (
    <Table
      label={words.sums}
      items={sums}
      columns={[
        [words.runOf, ({ lane }) => words[lane]],
        [words.model, ({ models }) => models.join(', ') || '–'],
        [words.outcome, sameText],
        [words.steps, ({ steps }) => count(steps)],
        [words.calls, ({ calls }) => count(calls)],
        [words.tools, ({ tool_calls }) => count(tool_calls)],
        [words.tokensIn, ({ usage }) => count(tokensIn(usage))],
        [words.tokensOut, ({ usage }) => count(usage.output_tokens)],
        [words.cost, ({ cost }) => costText(cost)],
        [words.refused, ({ misses }) => count(misses)],
      ]}
    />
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
        <h1>{texts.value.title}</h1>
        <State rerun={rerun} />
        <span class="muted small">
          <Time at={rerun.created_at} />
        </span>
        <span class="fill" />
        <a href={RERUNS}>{texts.value.all}</a>
        <Button kind={isRunning ? 'danger' : 'quiet'} onClick={end}>
          {isRunning ? texts.value.stop : texts.value.forget}
        </Button>
      </div>
      {rerun.reason !== undefined && <p class="refusal">{rerun.reason}</p>}
      <Refusal error={problem.value} />
    </header>
  );
};

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
        <a href={RERUNS}>{texts.value.all}</a>
      </Empty>
    );
  return (
    <Loaded from={loaded.value} onRetry={reload}>
      {(rerun) => (
        <div class={`${styles.screen} padded stack`}>
          <Head rerun={rerun} />
          {rerun.report !== null && (
            <>
              {rerun.report.tasks.length > 1 && <Sums sums={rerun.report.sums} />}
              {rerun.report.tasks.map((task) => (
                <Boundary key={task.task_id}>
                  <RerunTaskPart task={task} />
                </Boundary>
              ))}
            </>
          )}
        </div>
      )}
    </Loaded>
  );
};

/** The reruns that the service still has, newest first. */
const Reruns = () => (
  <LoadedPart
    class={`${styles.screen} padded stack`}
    load={(signal) => allItems<RerunSummary>('/v1/reruns', 'reruns', signal)}
    everyMs={RELOAD_MS}
  >
    {(reruns) => (
      <>
        <h1>{texts.value.title}</h1>
        <Table
          label={texts.value.title}
          items={reruns}
          empty={[texts.value.none, texts.value.noneHint]}
          columns={[
            [
              texts.value.at,
              ({ id, created_at }) => (
                <a href={rerunHref(id)}>
                  <Time at={created_at} />
                </a>
              ),
            ],
            [texts.value.candidateModel, ({ model }) => model ?? texts.value.asRecorded],
            [texts.value.runOf, (rerun) => <State rerun={rerun} />],
            [
              texts.value.outcome,
              ({ same }) => (same === undefined ? '–' : same ? texts.value.same : texts.value.different),
            ],
          ]}
        />
      </>
    )}
  </LoadedPart>
);

/** Recorded tasks that ran again: the one of `?id=`, else the list of all. */
export const RerunsScreen = () => {
  const id = query.value.get('id');
  return id === null ? <Reruns /> : <Rerun key={id} id={id} />;
};
