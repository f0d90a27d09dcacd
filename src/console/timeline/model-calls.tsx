import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ModelCall } from '../../../contracts/model-call.ts';
import { nullIf } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { getCalls, previewFork } from '../api/routes.ts';
import { type ForkOrigin, forkOriginOf, type TaskProps } from '../api/task-of-session.ts';
import { CopyButton } from '../design/copy.tsx';
import { Dialog, Opens } from '../design/dialog.tsx';
import { Check, Search } from '../design/fields.tsx';
import { Loaded } from '../design/loaded.tsx';
import { taskHref } from '../state/route.ts';
import { formatDuration } from '../text/numbers.ts';
import { lineDiff } from './prompt-diff.ts';
import { callText, toolsText } from './prompt-text.ts';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';

/** A text with the search words marked. */
const Marked = ({ text, words }: { text: string; words: string }) => {
  const sought = new RegExp(`(${words.replace(/\W/g, '\\$&')})`, 'i');
  const parts = words === '' ? [text] : text.split(sought);
  return <>{parts.map((part, i) => (i % 2 === 0 ? part : <mark key={i}>{part}</mark>))}</>;
};

interface MessageProps {
  role: string;
  text: string;
  /** The same message in the previous call; null: all of it is shown. */
  before: string | null;
  words: string;
}

/** A message of a call below its role. Unchanged lines are shown as a number. */
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
  const texts = timelineTexts.value;
  if (prompt === null) return [];
  const said = prompt.messages.map(({ role, content }) => ({ role: texts[role], text: content }));
  return [{ role: texts.system, text: prompt.system }, ...said];
};

/** The tools that a call could choose from, collapsed until the user opens them or searches. */
const Tools = ({ call, before, words }: Omit<CallProps, 'number'>) => {
  const tools = call.prompt?.tools ?? [];
  if (tools.length === 0) return null;
  return (
    <details class="stack" open={words !== ''}>
      <summary>{timelineTexts.value.tools(tools.length)}</summary>
      <Message
        role={timelineTexts.value.toolsRole}
        text={toolsText(tools)}
        before={before && toolsText(before.prompt?.tools ?? [])}
        words={words}
      />
    </details>
  );
};

interface CallProps {
  call: ModelCall;
  number: number | null;
  /** The call to compare with; null: all of it is shown. */
  before: ModelCall | null;
  words: string;
}

const Call = ({ call, number, before, words }: CallProps) => {
  const texts = timelineTexts.value;
  const { model, duration_ms, usage, answer, calls = [], failure } = call;
  const { cache_read_tokens: read = 0, cache_written_tokens: written = 0 } = usage ?? {};
  const facts = [
    number !== null && texts.attempt(number),
    model,
    formatDuration(duration_ms),
    usage !== null && texts.tokens(usage.input_tokens, usage.output_tokens),
    read + written > 0 && texts.cached(read, written),
  ];
  const old = before && messagesOf(before);
  return (
    <article class={`${styles.call} stack`} data-call={call.effect_id}>
      <p class="muted">{facts.filter(Boolean).join(' · ')}</p>
      {call.prompt === null && <p class="muted">{texts.noPrompt}</p>}
      <Tools call={call} before={before} words={words} />
      {messagesOf(call).map(({ role, text }, i) => (
        <Message key={i} role={role} text={text} before={old && (old[i]?.text ?? '')} words={words} />
      ))}
      {answer !== null && (answer !== '' || calls.length === 0) && (
        <Message role={calls.length === 0 ? texts.answer : texts.beside} text={answer} before={null} words={words} />
      )}
      {calls.map((made, i) => (
        <Message key={i} role={texts.calls(made.name)} text={callText(made)} before={null} words={words} />
      ))}
      {failure !== null && <Message role={texts.failure} text={failure} before={null} words={words} />}
    </article>
  );
};

/** A model call's effect, and the task that asked for it. */
export interface CallEffect extends TaskProps {
  effect: string;
}

/**
 * The stored calls for an effect: the task's own, else those of the task `from`, whose result a fork has taken over.
 */
interface CallsOfEffect {
  calls: readonly ModelCall[];
  from: ForkOrigin | null;
}

const callsOfEffect = async ({ session, task, effect }: CallEffect, signal: AbortSignal): Promise<CallsOfEffect> => {
  const calls = (await getCalls(task, effect, signal).catch(nullIf(404))) ?? [];
  const own = { calls, from: null };
  const origin = calls.length > 0 ? null : await forkOriginOf(session).catch(nullIf(404));
  if (origin === null) return own;
  const { session_id, task_id, seq } = origin;
  const same = { session: session_id, task: task_id, effect: task_id + effect.slice(task.length) };
  const preview = await previewFork(task_id, seq, signal).catch(nullIf(404));
  if (preview?.recalled.some(({ effect_id }) => effect_id === same.effect) !== true) return own;
  const found = await callsOfEffect(same, signal);
  return { ...found, from: found.from ?? origin };
};

const Reader = ({ calls, from, old, onClose }: CallsOfEffect & { old: ModelCall | null; onClose: () => void }) => {
  const texts = timelineTexts.value;
  const isCompared = useSignal(false);
  const words = useSignal('');
  const place = useSignal(0);
  const count = useSignal(0);
  const body = useRef<HTMLDivElement>(null);
  const marks = () => [...(body.current?.querySelectorAll('mark') ?? [])];
  useLayoutEffect(() => {
    place.value = 0;
    count.value = marks().length;
  }, [words.value, isCompared.value]);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && count.value > 0) {
      marks()[place.value % count.value]?.scrollIntoView({ block: 'center' });
      place.value = (place.value % count.value) + 1;
    }
    if (event.key !== 'Escape') return;
    // Browsers clear a search field by it; it must not close the dialog.
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

interface CallsProps {
  asked: CallEffect;
  /** The previous call; null: none. */
  before: CallEffect | null;
}

const LoadedReader = ({ asked, before, onClose }: CallsProps & { onClose: () => void }) => {
  const { loaded, reload } = useResource(
    async (signal) => {
      const [kept, last] = await Promise.all([callsOfEffect(asked, signal), before && callsOfEffect(before, signal)]);
      return { ...kept, old: last?.calls.at(-1) ?? null };
    },
    [asked.effect, before?.effect],
  );
  return (
    <Loaded from={loaded.value} onRetry={reload}>
      {(value) => <Reader {...value} onClose={onClose} />}
    </Loaded>
  );
};

/** A button that opens the exact prompt and answer of a model call in a reader over the page. */
export const ModelCalls = (of: CallsProps) => (
  <Opens
    dialog={(close) => (
      <Dialog title={timelineTexts.value.call} onClose={close} isReader>
        <LoadedReader {...of} onClose={close} />
      </Dialog>
    )}
  >
    {timelineTexts.value.showCall}
  </Opens>
);
