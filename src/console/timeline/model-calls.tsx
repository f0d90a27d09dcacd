import { useSignal } from '@preact/signals';
import type { ModelCall } from '../../../contracts/model-call.ts';
import { useResource } from '../api/resource.ts';
import { Link } from '../app/link.tsx';
import { taskHref } from '../app/parse-route.ts';
import { Button } from '../design/button.tsx';
import { Failure, Loading } from '../design/notice.tsx';
import { keptCalls } from './kept-calls.ts';
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
