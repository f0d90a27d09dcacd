import { useSignal } from '@preact/signals';
import type { ModelCall } from '../../../contracts/model-call.ts';
import { ApiProblem } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { listModelCalls } from '../api/routes.ts';
import { previewFork } from '../api/service-routes.ts';
import { Link } from '../app/link.tsx';
import { taskHref } from '../app/parse-route.ts';
import { type ForkOrigin, forkOriginOf } from '../app/task-of-session.ts';
import { Button } from '../design/button.tsx';
import { Failure, Loading } from '../design/notice.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';

/** Longest text that is shown at once, in characters: a browser lays out some hundred thousand in more than a frame. */
const SHOWN_CHARS = 2_000;

/** A text or value as it is, cut where it is long until one asks for the whole. */
export const LongText = ({ value }: { value: unknown }) => {
  const isWhole = useSignal(false);
  const texts = timelineTexts.value;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const isLong = text.length > SHOWN_CHARS;
  return (
    <>
      <pre class={styles.text}>{isLong && !isWhole.value ? `${text.slice(0, SHOWN_CHARS)}…` : text}</pre>
      {isLong && (
        <Button
          kind="quiet"
          onClick={() => {
            isWhole.value = !isWhole.value;
          }}
        >
          {isWhole.value ? texts.less : texts.whole}
        </Button>
      )}
    </>
  );
};

/** The kept calls of an effect. */
export interface KeptCalls {
  calls: readonly ModelCall[];
  /** The task that they were made for, where a fork has taken their results over; null: the task itself. */
  from: ForkOrigin | null;
}

/** Which effect of which task. */
interface Asked {
  session: string;
  task: string;
  effect: string;
}

/** Most forks of forks that are gone back. */
const FORKS_MAX = 16;

/** The result, or `otherwise` where the service does not know of any. */
const orNone = async <Value,>(asked: Promise<Value>, otherwise: Value): Promise<Value> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return otherwise;
    throw error;
  }
};

/** The same effect of the task that this one was forked from; null where it is no fork, or did not take that effect over. */
const inOrigin = async ({ session, task, effect }: Asked, signal: AbortSignal) => {
  const origin = await orNone(forkOriginOf(session, signal), null);
  if (origin === null) return null;
  const same = origin.task + effect.slice(task.length);
  const preview = await orNone(previewFork(origin.task, origin.seq, signal), null);
  const isRecalled = preview?.recalled.some(({ effect_id }) => effect_id === same) === true;
  return isRecalled ? { origin, asked: { session: origin.session, task: origin.task, effect: same } } : null;
};

/** The calls for an effect: the task's own, else those of the task that a fork has its result from. */
export const keptCalls = async (asked: Asked, signal: AbortSignal): Promise<KeptCalls> => {
  const none = { calls: [] };
  let from: ForkOrigin | null = null;
  for (let place = asked, forks = 0; forks < FORKS_MAX; forks++) {
    const { calls } = await orNone(listModelCalls(place.task, place.effect, signal), none);
    if (calls.length > 0) return { calls, from };
    const found = await inOrigin(place, signal);
    if (found === null) break;
    from = found.origin;
    place = found.asked;
  }
  return { calls: [], from: null };
};

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

interface CallsProps {
  session: string;
  task: string;
  effect: string;
}

const Calls = ({ session, task, effect }: CallsProps) => {
  const { loaded, reload } = useResource((signal) => keptCalls({ session, task, effect }, signal), [task, effect]);
  const { value, error } = loaded.value;
  const texts = timelineTexts.value;
  if (error !== null) return <Failure error={error} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  const { calls, from } = value;
  if (calls.length === 0) return <p class={styles.muted}>{texts.notKept}</p>;
  return (
    <>
      {from !== null && (
        <p class={styles.muted}>
          {texts.ofOriginal} <Link href={taskHref(from.session, from.task, { tab: 'timeline' })}>{from.session}</Link>
        </p>
      )}
      {calls.map((call, i) => (
        <Call key={`${call.started_at} ${i}`} call={call} number={calls.length > 1 ? i + 1 : null} />
      ))}
    </>
  );
};

/** The exact prompt and answer of a model call, which are asked for when one wants to see them. */
export const ModelCalls = (of: CallsProps) => {
  const isOpen = useSignal(false);
  return isOpen.value ? (
    <Calls key={of.effect} {...of} />
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
