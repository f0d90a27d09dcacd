import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ModelCall } from '../../../contracts/model-call.ts';
import { ApiProblem } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { listModelCalls } from '../api/routes.ts';
import { previewFork } from '../api/service-routes.ts';
import { taskHref } from '../app/route.ts';
import { type ForkOrigin, forkOriginOf, type TaskProps } from '../app/task-of-session.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Check, Search, toggles } from '../design/fields.tsx';
import { Loaded } from '../design/loaded.tsx';

import { formatDuration } from '../text/numbers.ts';
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
      <pre>{isLong && !isWhole.value ? `${text.slice(0, SHOWN_CHARS)}…` : text}</pre>
      {isLong && (
        <Button kind="quiet" onClick={toggles(isWhole)}>
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
  <section class="stack">
    <h3 class={`${styles.role} line muted`}>
      {role} <CopyButton text={text} />
    </h3>
    {before === null ? (
      <pre>
        <Marked text={text} words={words} />
      </pre>
    ) : (
      lineDiff(before, text).map(({ change, lines }, i) =>
        change === 'same' ? (
          <p key={i} class="muted">
            {timelineTexts.value.unchangedLines(lines.length)}
          </p>
        ) : (
          <pre key={i} data-change={change}>
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
    <article class={`${styles.call} stack`} data-call={call.effect_id}>
      <p class="muted">{facts.join(' · ')}</p>
      {call.prompt === null && <p class="muted">{texts.noPrompt}</p>}
      {messagesOf(call).map(({ role, text }, i) => (
        <Message key={i} role={role} text={text} before={before === null ? null : (old[i]?.text ?? '')} words={words} />
      ))}
      {answer !== null && <Message role={texts.answer} text={answer} before={null} words={words} />}
      {failure !== null && <Message role={texts.failure} text={failure} before={null} words={words} />}
    </article>
  );
};

/** The kept calls of an effect. */
interface KeptCalls {
  calls: readonly ModelCall[];
  /** The task that they were made for, where a fork has taken their results over; null: the task itself. */
  from: ForkOrigin | null;
}

/** Which effect of which task. */
interface Asked extends TaskProps {
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
  const origin = await orNone(forkOriginOf(session), null);
  if (origin === null) return null;
  const same = origin.task_id + effect.slice(task.length);
  const preview = await orNone(previewFork(origin.task_id, origin.seq, signal), null);
  const isRecalled = preview?.recalled.some(({ effect_id }) => effect_id === same) === true;
  return isRecalled ? { origin, asked: { session: origin.session_id, task: origin.task_id, effect: same } } : null;
};

/** The calls for an effect: the task's own, else those of the task that a fork has its result from. */
const keptCalls = async (asked: Asked, signal: AbortSignal): Promise<KeptCalls> => {
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

interface CallsProps extends Asked {
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

const Reader = ({ calls, from, old, onClose }: KeptCalls & { old: ModelCall | null; onClose: () => void }) => {
  const isCompared = useSignal(false);
  const { words, place, count, body, next } = useSearch();
  const texts = timelineTexts.value;
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') next();
    if (event.key !== 'Escape') return;
    // Browsers empty a search field by it, and leave the dialog open.
    event.preventDefault();
    onClose();
  };
  if (calls.length === 0) return <p class="muted">{texts.notKept}</p>;
  return (
    <>
      {from !== null && (
        <p class="muted">
          {texts.ofOriginal}{' '}
          <a href={taskHref(from.session_id, from.task_id, { tab: 'timeline' })}>{from.session_id}</a>
        </p>
      )}
      <search class="line">
        <Search of={words} label={texts.find} onKeyDown={press} />
        <span class="muted" aria-live="polite">
          {words.value !== '' && texts.found(place.value, count.value)}
        </span>
        {old?.prompt != null && <Check of={isCompared}>{texts.sinceLast}</Check>}
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

const LoadedReader = ({ before, onClose, ...of }: CallsProps & { onClose: () => void }) => {
  const kept = useResource((signal) => keptCalls(of, signal), [of.effect]);
  const last = useResource(
    async (signal) => (before === null ? null : await keptCalls({ ...of, effect: before }, signal)),
    [before],
  );
  const old = last.loaded.value.value?.calls.at(-1) ?? null;
  return (
    <Loaded from={kept.loaded.value} onRetry={kept.reload}>
      {(value) => <Reader {...value} old={old} onClose={onClose} />}
    </Loaded>
  );
};

/** A button that opens the exact prompt and answer of a model call in a reader over the page. */
export const ModelCalls = (of: CallsProps) => {
  const isOpen = useSignal(false);
  return (
    <>
      <Button onClick={toggles(isOpen)}>{timelineTexts.value.showCall}</Button>
      {isOpen.value && (
        <Dialog title={timelineTexts.value.call} onClose={toggles(isOpen)} isReader>
          <LoadedReader {...of} onClose={toggles(isOpen)} />
        </Dialog>
      )}
    </>
  );
};
