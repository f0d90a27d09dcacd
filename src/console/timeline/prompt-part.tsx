import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ModelCall } from '../../../contracts/model-call.ts';
import { nullIf } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { getCalls, previewFork } from '../api/routes.ts';
import { type ForkOrigin, forkOriginOf } from '../api/task-of-session.ts';
import { CopyButton } from '../design/copy.tsx';
import { Search } from '../design/fields.tsx';
import { Hit } from '../design/hit.tsx';
import { Icon } from '../design/icon.tsx';
import { Loaded } from '../design/loaded.tsx';
import { Switch } from '../design/switch.tsx';
import { taskHref } from '../state/route.ts';
import { formatDuration, formatNumber } from '../text/numbers.ts';
import { shared } from '../text/shared.ts';
import { AgainButton } from './again-button.tsx';
import type { CallEffect, PromptCall } from './prompt-call.ts';
import { type DiffRun, lineDiff } from './prompt-diff.ts';
import { callText, toolsText } from './prompt-text.ts';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';

/** A heading of a prompt, in a line of its own. */
const HEADING = /^(#{1,3} .*)$/m;

/** A text of a call with its headings set off, and the search words marked. */
const Written = ({ text, words }: { text: string; words: string }) => (
  <>
    {text.split(HEADING).map((part, i) => {
      const marked = <Hit key={i} text={part} words={words === '' ? [] : [words]} />;
      return i % 2 === 0 ? marked : <strong key={i}>{marked}</strong>;
    })}
  </>
);

interface MessageProps {
  role: string;
  text: string;
  /** The same message in the previous call; null: all of it is shown. */
  before: string | null;
  words: string;
  /** It is open before the user opens it. */
  isOpen?: boolean;
}

/** How many lines a difference adds. */
const addedLines = (runs: readonly DiffRun[]): number =>
  runs.reduce((sum, { change, parts }) => sum + (change === 'added' ? parts.length : 0), 0);

/** A message of a call below its role, which folds it. Unchanged lines are shown as a number. */
const Message = ({ role, text, before, words, isOpen = true }: MessageProps) => {
  const runs = before === null ? null : lineDiff(before, text);
  const isSame = runs?.every(({ change }) => change === 'same') === true;
  const texts = timelineTexts.value;
  return (
    <div class={styles.message}>
      <CopyButton icon="copy" size="small" title={shared.value.copy} text={text} />
      <details open={words !== '' || (runs === null ? isOpen : !isSame)}>
        <summary>
          <Icon name="right" />
          <span class="name">{role}</span>
          {runs !== null && <span>{isSame ? texts.unchanged : texts.newLines(addedLines(runs))}</span>}
        </summary>
        {runs === null ? (
          <pre dir="auto">
            <Written text={text} words={words} />
          </pre>
        ) : (
          runs.map(({ change, parts }, i) =>
            change === 'same' ? (
              <p key={i} class="muted small">
                {texts.unchangedLines(parts.length)}
              </p>
            ) : (
              <pre key={i} dir="auto" data-change={change}>
                <Written text={parts.join('\n')} words={words} />
              </pre>
            ),
          )
        )}
      </details>
    </div>
  );
};

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
    <Message
      role={timelineTexts.value.tools(tools.length)}
      text={toolsText(tools)}
      before={before && toolsText(before.prompt?.tools ?? [])}
      words={words}
      isOpen={false}
    />
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
  const count = formatNumber.value;
  const { cache_read_tokens: read = 0, cache_written_tokens: written = 0 } = usage ?? {};
  const facts = [
    number !== null && texts.attempt(number),
    model,
    formatDuration(duration_ms),
    usage !== null && texts.tokens(count(usage.input_tokens), count(usage.output_tokens)),
    read + written > 0 && texts.cached(count(read), count(written)),
  ];
  const old = before && messagesOf(before);
  const messages = messagesOf(call);
  return (
    <article data-call={call.effect_id}>
      <p class={`${styles.sum} muted small`}>{facts.filter(Boolean).join(' · ')}</p>
      {call.prompt === null && <p class="padded muted">{texts.noPrompt}</p>}
      <Tools call={call} before={before} words={words} />
      {messages.map(({ role, text }, i) => (
        <Message
          key={i}
          role={role}
          text={text}
          before={old && (old[i]?.text ?? '')}
          words={words}
          isOpen={i === messages.length - 1}
        />
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

/** Shows a message whole, or only its changes since the previous call. */
const Compared = ({ of }: { of: Signal<boolean> }) => {
  const texts = timelineTexts.value;
  return (
    <Switch
      label={texts.shownPart}
      ways={[
        { value: 'all', title: texts.wholePrompt },
        { value: 'changed', title: texts.changedPrompt },
      ]}
      chosen={of.value ? 'changed' : 'all'}
      choose={(way) => {
        of.value = way === 'changed';
      }}
    />
  );
};

const Reader = ({ calls, from, old }: CallsOfEffect & { old: ModelCall | null }) => {
  const texts = timelineTexts.value;
  const isCompared = useSignal(false);
  const words = useSignal('');
  const place = useSignal(0);
  const count = useSignal(0);
  const body = useRef<HTMLElement>(null);
  const marks = () => [...(body.current?.querySelectorAll('mark') ?? [])];
  useLayoutEffect(() => {
    place.value = 0;
    count.value = marks().length;
  }, [words.value, isCompared.value]);
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || count.value === 0) return;
    marks()[place.value % count.value]?.scrollIntoView({ block: 'center' });
    place.value = (place.value % count.value) + 1;
  };
  if (calls.length === 0) return <p class="padded muted">{texts.notKept}</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section class="scrolls" ref={body} tabIndex={0} aria-label={texts.prompt}>
        {from !== null && (
          <p class="padded muted">
            {texts.ofOriginal}{' '}
            <a href={taskHref(from.session_id, from.task_id, { tab: 'timeline' })}>{from.session_id}</a>
          </p>
        )}
        {calls.map((call, i) => (
          <Call
            key={`${call.started_at} ${i}`}
            call={call}
            number={calls.length > 1 ? i + 1 : null}
            before={isCompared.value ? old : null}
            words={words.value}
          />
        ))}
      </section>
      <search class={styles.promptFoot}>
        <Search of={words} label={texts.find} onKeyDown={press} />
        {words.value !== '' && (
          <span class="muted small" aria-live="polite">
            {texts.found(place.value, count.value)}
          </span>
        )}
        {old?.prompt != null && <Compared of={isCompared} />}
      </search>
    </>
  );
};

const LoadedReader = ({ asked, before }: PromptCall) => {
  const { loaded, reload } = useResource(
    async (signal) => {
      const [kept, last] = await Promise.all([callsOfEffect(asked, signal), before && callsOfEffect(before, signal)]);
      return { ...kept, old: last?.calls.at(-1) ?? null };
    },
    [asked.effect, before?.effect],
  );
  return (
    <Loaded from={loaded.value} onRetry={reload}>
      {(value) => <Reader {...value} />}
    </Loaded>
  );
};

/** The exact prompt and answer of a model call, whole or only what changed since the previous one. */
export const PromptPart = ({ hasService, ...of }: PromptCall & { hasService: boolean }) => {
  const texts = timelineTexts.value;
  if (!hasService) return <p class="padded muted">{texts.noService}</p>;
  return (
    <>
      <div class={`${styles.sum} ${styles.top} line`}>
        <p class="muted small">{of.messageOf !== null && texts.sameMessage(of.messageOf)}</p>
        <AgainButton of={of.asked} />
      </div>
      <LoadedReader key={of.asked.effect} {...of} />
    </>
  );
};
