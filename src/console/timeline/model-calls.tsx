import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ModelCall } from '../../../contracts/model-call.ts';
import { useResource } from '../api/resource.ts';
import { Link } from '../app/link.tsx';
import { taskHref } from '../app/parse-route.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Failure, Loading } from '../design/notice.tsx';
import { formatDuration } from '../text/numbers.ts';
import { keptCalls } from './kept-calls.ts';
import { lineDiff } from './prompt-diff.ts';
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

/** A text with the words that are searched for marked. */
const Marked = ({ text, words }: { text: string; words: string }) => {
  if (words === '') return <>{text}</>;
  const [low, sought] = [text.toLowerCase(), words.toLowerCase()];
  const parts = [];
  let from = 0;
  for (let at = low.indexOf(sought); at >= 0; at = low.indexOf(sought, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + words.length)}</mark>);
    from = at + words.length;
  }
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  );
};

interface MessageProps {
  role: string;
  text: string;
  /** The same message of the call before; null: the whole is shown. */
  before: string | null;
  words: string;
}

/** A message of a call under its role; of lines that are as before, a number alone. */
const Message = ({ role, text, before, words }: MessageProps) => (
  <section class={styles.message}>
    <h3>
      {role} <CopyButton text={text} />
    </h3>
    {before === null ? (
      <pre>
        <Marked text={text} words={words} />
      </pre>
    ) : (
      lineDiff(before, text).map(({ change, lines }, i) =>
        change === 'same' ? (
          <p key={i} class={styles.muted}>
            {timelineTexts.value.unchangedLines(lines.length)}
          </p>
        ) : (
          <pre key={i} class={styles[change]}>
            <Marked text={lines.join('\n')} words={words} />
          </pre>
        ),
      )
    )}
  </section>
);

const messagesOf = ({ prompt }: ModelCall) => {
  const { system, user, assistant } = timelineTexts.value;
  if (prompt === null) return [];
  const said = prompt.messages.map(({ role, content }) => ({
    role: role === 'user' ? user : assistant,
    text: content,
  }));
  return [{ role: system, text: prompt.system }, ...said];
};

interface CallProps {
  call: ModelCall;
  number: number | null;
  /** The call that it is compared with; null: it is shown whole. */
  before: ModelCall | null;
  words: string;
}

const Call = ({ call, number, before, words }: CallProps) => {
  const texts = timelineTexts.value;
  const { model, duration_ms, usage, answer, failure } = call;
  const cache = [usage?.cache_read_tokens ?? 0, usage?.cache_written_tokens ?? 0] as const;
  const facts = [
    ...(number === null ? [] : [texts.attempt(number)]),
    model,
    formatDuration(duration_ms),
    ...(usage === null ? [] : [texts.tokens(usage.input_tokens, usage.output_tokens)]),
    ...(cache[0] + cache[1] === 0 ? [] : [texts.cached(...cache)]),
  ];
  const old = before === null ? [] : messagesOf(before);
  return (
    <article class={styles.call} data-call={call.effect_id}>
      <p class={styles.muted}>{facts.join(' · ')}</p>
      {call.prompt === null && <p class={styles.muted}>{texts.noPrompt}</p>}
      {messagesOf(call).map(({ role, text }, i) => (
        <Message key={i} role={role} text={text} before={before === null ? null : (old[i]?.text ?? '')} words={words} />
      ))}
      {answer !== null && <Message role={texts.answer} text={answer} before={null} words={words} />}
      {failure !== null && <Message role={texts.failure} text={failure} before={null} words={words} />}
    </article>
  );
};

interface CallsProps {
  session: string;
  task: string;
  effect: string;
  /** The effect of the call before; null: there was none. */
  before: string | null;
}

/** Search over what a reader shows: how many places there are, and the next one by Enter. */
const useSearch = () => {
  const words = useSignal('');
  const place = useSignal(0);
  const count = useSignal(0);
  const body = useRef<HTMLDivElement>(null);
  const marks = () => [...(body.current?.querySelectorAll('mark') ?? [])];
  useLayoutEffect(() => {
    place.value = 0;
    count.value = marks().length;
  }, [words.value]);
  const next = (): void => {
    const found = marks();
    found[place.value % found.length]?.scrollIntoView({ block: 'center' });
    count.value = found.length;
    place.value = (place.value % Math.max(1, found.length)) + 1;
  };
  return { words, place, count, body, next };
};

const Reader = ({ session, task, effect, before }: CallsProps) => {
  const { loaded, reload } = useResource((signal) => keptCalls({ session, task, effect }, signal), [task, effect]);
  const last = useResource(
    async (signal) => (before === null ? null : await keptCalls({ session, task, effect: before }, signal)),
    [task, before],
  );
  const isCompared = useSignal(false);
  const { words, place, count, body, next } = useSearch();
  const { value, error } = loaded.value;
  const texts = timelineTexts.value;
  if (error !== null) return <Failure error={error} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  const { calls, from } = value;
  const old = last.loaded.value.value?.calls.at(-1) ?? null;
  if (calls.length === 0) return <p class={styles.muted}>{texts.notKept}</p>;
  return (
    <>
      {from !== null && (
        <p class={styles.muted}>
          {texts.ofOriginal} <Link href={taskHref(from.session, from.task, { tab: 'timeline' })}>{from.session}</Link>
        </p>
      )}
      <search class={styles.filters}>
        <input
          type="search"
          class={styles.search}
          placeholder={texts.find}
          aria-label={texts.find}
          value={words.value}
          onInput={({ currentTarget }) => {
            words.value = currentTarget.value;
          }}
          onKeyDown={({ key }) => key === 'Enter' && next()}
        />
        <span class={styles.muted} aria-live="polite">
          {words.value !== '' && texts.found(place.value, count.value)}
        </span>
        {old?.prompt != null && (
          <label>
            <input
              type="checkbox"
              checked={isCompared.value}
              onChange={({ currentTarget }) => {
                isCompared.value = currentTarget.checked;
              }}
            />{' '}
            {texts.sinceLast}
          </label>
        )}
      </search>
      <div ref={body}>
        {calls.map((call, i) => (
          <Call
            key={`${call.started_at} ${i}`}
            call={call}
            number={calls.length > 1 ? i + 1 : null}
            before={isCompared.value ? old : null}
            words={words.value}
          />
        ))}
      </div>
    </>
  );
};

/** A button that opens the exact prompt and answer of a model call in a reader over the page. */
export const ModelCalls = (of: CallsProps) => {
  const isOpen = useSignal(false);
  const open = (is: boolean) => (): void => {
    isOpen.value = is;
  };
  return (
    <>
      <Button onClick={open(true)}>{timelineTexts.value.showCall}</Button>
      {isOpen.value && (
        <Dialog title={timelineTexts.value.call} onClose={open(false)} isReader>
          <Reader {...of} />
        </Dialog>
      )}
    </>
  );
};
