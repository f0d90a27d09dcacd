import type { TraceEntry } from '../../../contracts/trace.ts';
import { selectedSeq } from '../app/selection.ts';
import { Badge } from '../design/badge.tsx';
import { Markdown } from '../design/markdown.tsx';
import { type JsonChange, jsonChanges } from '../history/json-changes.ts';
import type { TaskHistory } from '../history/task-history.ts';
import { eventTitle } from '../text/event-titles.ts';
import { entryText } from './entry-text.ts';
import { LongText, ModelCalls } from './model-calls.tsx';
import { SpentLine } from './spent-line.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';
import { spentOn } from './timeline-rows.ts';

const pathText = (path: JsonChange['path']): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('');

/** Changes of an entry to its task: each place with its value before and now. */
const ContextChanges = ({ before, after }: { before: unknown; after: unknown }) => {
  const changes = jsonChanges(before ?? {}, after ?? {});
  if (changes.length === 0) return <p class="muted">{timelineTexts.value.same}</p>;
  return (
    <dl class="stack">
      {changes.map(({ path, before: old, after: now }) => (
        <div key={pathText(path)}>
          <dt>
            <code>{pathText(path)}</code>
          </dt>
          {old !== undefined && (
            <dd>
              <del data-change="removed">
                <LongText value={old} />
              </del>
            </dd>
          )}
          {now !== undefined && (
            <dd>
              <ins data-change="added">
                <LongText value={now} />
              </ins>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
};

/** Events that are the outcome of a model call, each of which names its effect. */
const OF_A_MODEL = /^(?:plan|thought|replan)\.(?:made|rejected)$|^model\.unavailable$/;

const callOf = ({ task_id, event }: TraceEntry): string | null =>
  OF_A_MODEL.test(event.type) && 'effect' in event ? `${task_id}.${event.effect}` : null;

/** The effect of the last model call of the same kind before an entry; null: there was none. */
const callBefore = ({ trace: { entries } }: TaskHistory, index: number): string | null => {
  const kind = (entry: TraceEntry | undefined) => entry?.event.type.split('.')[0];
  const same = entries
    .slice(0, index)
    .findLast((entry) => kind(entry) === kind(entries[index]) && callOf(entry) !== null);
  return same === undefined ? null : callOf(same);
};

/** Fields of events with what a model, a tool or a person said. */
const SAID = ['response', 'question', 'result', 'output', 'reason', 'goal', 'text'];

/** Longest text that is shown as Markdown, in characters: the fields have the whole. */
const SAID_CHARS_MAX = 8_000;

/** The words of an entry's event, else the entry in a line. */
const saidIn = (entry: TraceEntry): string => {
  const texts = Object.entries(entry.event).flatMap(([name, value]) => (SAID.includes(name) && value ? [value] : []));
  const [text] = texts;
  return typeof text === 'string' ? text.slice(0, SAID_CHARS_MAX) : entryText(entry);
};

/** The machine's result of an entry: the state before and after, and the changes of the task. */
const Outcome = ({ history, entry, index }: { history: TaskHistory; entry: TraceEntry; index: number }) => {
  const texts = timelineTexts.value;
  const fold = history.fold.value;
  if (fold === null || index >= fold.folded.value) {
    const isStopped = history.foldError.value !== null || (fold?.difference.value ?? null) !== null;
    return isStopped ? null : <p class="muted">{texts.notFolded}</p>;
  }
  const { before, after } = fold.changeAt(index);
  if (after === null) return null;
  return (
    <>
      <h3>{texts.state}</h3>
      <p class="line">
        {before !== null && before.state !== after.state && (
          <>
            <Badge state={before.state} /> →{' '}
          </>
        )}
        <Badge state={after.state} />
        {entry.step_count !== null && <span class="muted">{texts.steps(entry.step_count)}</span>}
      </p>
      <h3>{texts.context}</h3>
      <ContextChanges before={before?.context} after={after.context} />
    </>
  );
};

/** The entry that is chosen: its event, what it asked for, and what it changed. `hasService`: prompts may be asked for. */
export const EntryDetail = ({ history, hasService }: { history: TaskHistory; hasService: boolean }) => {
  const texts = timelineTexts.value;
  const index = history.index.value;
  const entry = selectedSeq.value === null ? undefined : history.trace.entries[index];
  if (entry === undefined) return <p class={`${styles.detail} muted`}>{texts.choose}</p>;
  const { type, ...fields } = entry.event;
  const call = callOf(entry);
  const title = eventTitle(entry.event);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so must be reached by keys.
    <section class={`${styles.detail} stack`} aria-label={`${entry.seq} ${title}`} data-detail={entry.seq} tabIndex={0}>
      <h2>
        {entry.seq} {title} <code>{type}</code>
      </h2>
      <SpentLine at={entry.at} spent={spentOn(entry, history.trace.entries[index - 1])} />
      <Markdown text={saidIn(entry)} />
      {call !== null && (
        <>
          <h3>{texts.call}</h3>
          {hasService && entry.task_id !== null ? (
            <ModelCalls
              key={call}
              session={entry.session_id}
              task={entry.task_id}
              effect={call}
              before={callBefore(history, index)}
            />
          ) : (
            <p class="muted">{texts.noService}</p>
          )}
        </>
      )}
      <Outcome history={history} entry={entry} index={index} />
      <details>
        <summary>{texts.raw}</summary>
        <h3>{texts.event}</h3>
        <dl class={styles.fields}>
          {Object.entries(fields).map(([name, value]) => (
            <div key={name}>
              <dt class="muted">
                <code>{name}</code>
              </dt>
              <dd>
                <LongText value={value} />
              </dd>
            </div>
          ))}
        </dl>
        <h3>{texts.effects}</h3>
        {entry.effects.length === 0 ? <p class="muted">{texts.noEffects}</p> : <LongText value={entry.effects} />}
      </details>
    </section>
  );
};
