import { useSignal } from '@preact/signals';
import type { ModelCall } from '../../../contracts/model-call.ts';
import { ApiProblem } from '../api/api-problem.ts';
import { useResource } from '../api/resource.ts';
import { listModelCalls } from '../api/routes.ts';
import { Button } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { Loading } from '../design/loading.tsx';
import { LongText } from './long-text.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';

const Part = ({ title, text }: { title: string; text: string }) => (
  <>
    <dt>{title}</dt>
    <dd>
      <LongText value={text} />
    </dd>
  </>
);

const Call = ({ call, number }: { call: ModelCall; number: number | null }) => {
  const texts = timelineTexts.value;
  const { model, duration_ms, usage, prompt, answer, failure } = call;
  const cache = [usage?.cache_read_tokens ?? 0, usage?.cache_written_tokens ?? 0] as const;
  const facts = [
    ...(number === null ? [] : [texts.attempt(number)]),
    model,
    texts.duration(duration_ms),
    ...(usage === null ? [] : [texts.tokens(usage.input_tokens, usage.output_tokens)]),
    ...(cache[0] + cache[1] === 0 ? [] : [texts.cached(...cache)]),
  ];
  return (
    <section class={styles.call} data-call={call.effect_id}>
      <p class={styles.muted}>{facts.join(' · ')}</p>
      <dl>
        {prompt === null && <dt>{texts.noPrompt}</dt>}
        {prompt !== null && <Part title={texts.system} text={prompt.system} />}
        {prompt?.messages.map(({ role, content }, i) => (
          <Part key={`${i}-${role}`} title={role === 'user' ? texts.user : texts.assistant} text={content} />
        ))}
        {answer !== null && <Part title={texts.answer} text={answer} />}
        {failure !== null && <Part title={texts.failure} text={failure} />}
      </dl>
    </section>
  );
};

/** What is kept of an effect's calls; none where the service does not know of any. */
const callsOf = async (task: string, effect: string, signal: AbortSignal): Promise<readonly ModelCall[]> => {
  try {
    return (await listModelCalls(task, effect, signal)).calls;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return [];
    throw error;
  }
};

const Calls = ({ task, effect }: { task: string; effect: string }) => {
  const { loaded, reload } = useResource((signal) => callsOf(task, effect, signal), [task, effect]);
  const { value, error } = loaded.value;
  if (error !== null) return <Failure error={error} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  if (value.length === 0) return <p class={styles.muted}>{timelineTexts.value.notKept}</p>;
  return (
    <>
      {value.map((call, i) => (
        <Call key={`${call.started_at} ${i}`} call={call} number={value.length > 1 ? i + 1 : null} />
      ))}
    </>
  );
};

/** The exact prompt and answer of a model call, which are asked for when one wants to see them. */
export const ModelCalls = ({ task, effect }: { task: string; effect: string }) => {
  const isOpen = useSignal(false);
  return isOpen.value ? (
    <Calls key={effect} task={task} effect={effect} />
  ) : (
    <Button
      onClick={() => {
        isOpen.value = true;
      }}
    >
      {timelineTexts.value.showCall}
    </Button>
  );
};
