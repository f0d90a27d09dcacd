import type { TraceEntry } from '../../../contracts/trace.ts';
import { type JsonChange, jsonChanges } from '../../history/json-changes.ts';
import { isRestOfMessage } from '../../history/rest-of-message.ts';
import { Badge } from '../design/badge.tsx';
import { Markdown } from '../design/markdown.tsx';
import { TextTree, Tree } from '../design/tree.tsx';
import { isStopped, type TaskHistory } from '../history/task-history.ts';
import { entryText } from './entry-text.ts';
import { type CallEffect, ModelCalls } from './model-calls.tsx';
import { SpentLine } from './spent-line.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';
import { spentOn } from './timeline-rows.ts';

/** A text or value as a tree, or verbatim. */
const Value = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? <TextTree text={value} /> : <Tree value={value} />;

const pathText = (path: JsonChange['path']): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('');

/** A field of the task that an entry changed, with its value before and after. */
const Change = ({ path, before, after }: JsonChange) => (
  <div>
    <dt>
      <code>{pathText(path)}</code>
    </dt>
    {before !== undefined && (
      <dd>
        <del data-change="removed">
          <Value value={before} />
        </del>
      </dd>
    )}
    {after !== undefined && (
      <dd>
        <ins data-change="added">
          <Value value={after} />
        </ins>
      </dd>
    )}
  </div>
);

/** Events that are the outcome of a model call. Each names its effect. */
const OF_A_MODEL = /^(?:(plan|thought|replan)\.(?:made|rejected)|model\.unavailable)$/;

const isOfModel = ({ event }: TraceEntry): boolean => OF_A_MODEL.test(event.type);

/**
 * The model call that led to an entry by its own effect; null: none, for example because it came from the rest of an
 * earlier message.
 */
const modelCallOf = (entry: TraceEntry | undefined): CallEffect | null => {
  if (entry === undefined || !isOfModel(entry)) return null;
  const { session_id: session, task_id: task, event } = entry;
  if (!('effect' in event) || task === null || isRestOfMessage(event)) return null;
  return { session, task, effect: `${task}.${event.effect}` };
};

/** The last entry before another one that a model call led to. */
const calledBefore = (entries: readonly TraceEntry[], index: number): TraceEntry | undefined =>
  entries.slice(0, index).findLast((entry) => modelCallOf(entry) !== null);

/** The prompt and answer of the entry's model call, or of the call whose message it continues. */
const CallPart = ({ entries, index }: { entries: readonly TraceEntry[]; index: number }) => {
  const texts = timelineTexts.value;
  const entry = entries[index]!;
  const isRest = isRestOfMessage(entry.event);
  const said = isRest ? calledBefore(entries, index) : entry;
  const call = modelCallOf(said);
  if (said === undefined || call === null) return null;
  const before = modelCallOf(calledBefore(entries, entries.indexOf(said)));
  return (
    <>
      {isRest && <p class="muted">{texts.sameMessage(said.seq)}</p>}
      <ModelCalls key={call.effect} asked={call} before={before} />
    </>
  );
};

/** Fields of events with the words of a model, tool or person. */
const SAID = ['response', 'question', 'result', 'output', 'reason', 'goal', 'text'];

/** Longest text that is shown as Markdown, in characters. The fields show all of it. */
const SAID_CHARS_MAX = 8_000;

/** The words in an entry's event, else the entry in one line. */
const saidIn = (entry: TraceEntry): string => {
  const [, text] = Object.entries(entry.event).find(([name, value]) => SAID.includes(name) && value) ?? [];
  return typeof text === 'string' ? text.slice(0, SAID_CHARS_MAX) : entryText(entry);
};

/** The machine's result for an entry: the state before and after, and the changes of the task. */
const Outcome = ({ history, index }: { history: TaskHistory; index: number }) => {
  const texts = timelineTexts.value;
  const { task_id, step_count } = history.entries[index]!;
  const fold = history.fold.value;
  const after = fold?.taskAt(index) ?? null;
  if (after === null) return isStopped(history) ? null : <p class="muted">{texts.notFolded}</p>;
  if (task_id === null) return null;
  const before = fold?.taskAt(index - 1) ?? null;
  const changes = jsonChanges(before?.context ?? {}, after.context);
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
        {step_count !== null && <span class="muted">{texts.steps(step_count)}</span>}
      </p>
      <h3>{texts.context}</h3>
      {changes.length === 0 && <p class="muted">{texts.same}</p>}
      <dl class="stack">
        {changes.map((change) => (
          <Change key={pathText(change.path)} {...change} />
        ))}
      </dl>
    </>
  );
};

interface EntryDetailProps {
  history: TaskHistory;
  /** The entry's place in it. */
  index: number;
  /** Prompts can be requested. */
  hasService: boolean;
}

/** An entry: its event, the effects that it asked for, and its changes. */
export const EntryDetail = ({ history, index, hasService }: EntryDetailProps) => {
  const texts = timelineTexts.value;
  const entry = history.entries[index]!;
  const { type, ...fields } = entry.event;
  return (
    <div class={`${styles.detail} stack`} data-detail={entry.seq}>
      <code class="muted">{type}</code>
      <SpentLine at={entry.at} spent={spentOn(entry, history.entries[index - 1])} />
      <Markdown text={saidIn(entry)} />
      {isOfModel(entry) && (
        <>
          <h3>{texts.call}</h3>
          {hasService ? <CallPart entries={history.entries} index={index} /> : <p class="muted">{texts.noService}</p>}
        </>
      )}
      <Outcome history={history} index={index} />
      <details>
        <summary>{texts.raw}</summary>
        <h3>{texts.event}</h3>
        <dl class="pairs">
          {Object.entries(fields).map(([name, value]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                <Value value={value} />
              </dd>
            </div>
          ))}
        </dl>
        <h3>{texts.effects}</h3>
        {entry.effects.length === 0 ? <p class="muted">{texts.noEffects}</p> : <Value value={entry.effects} />}
      </details>
    </div>
  );
};
