import type { TraceEntry } from '../../../contracts/trace.ts';
import { type JsonChange, jsonChanges } from '../../history/json-changes.ts';
import { Badge } from '../design/badge.tsx';
import { Unfold } from '../design/fields.tsx';
import { Markdown } from '../design/markdown.tsx';
import { TextTree, Tree } from '../design/tree.tsx';
import type { TaskCall } from '../history/calls.ts';
import { isStopped, type TaskHistory } from '../history/task-history.ts';
import { entryText } from './entry-text.ts';
import { observationsOf } from './observations.ts';
import { callTexts, timelineTexts } from './texts.ts';
import styles from './timeline.module.css';

/** The subject of the inspector: a call, or an entry that is not a call. */
export interface ShownCall {
  history: TaskHistory;
  /** Null: the entry belongs to no call. */
  call: TaskCall | null;
  /** The index of the entry with its outcome; of a call that is not over, of the one that asked for it. */
  index: number;
}

/** A text or value as a tree, or verbatim. */
const Value = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? <TextTree text={value} /> : <Tree value={value} />;

/** Longest text that is shown as Markdown, in characters. The fields show all of it. */
const SAID_CHARS_MAX = 8_000;

const Said = ({ text }: { text: string }) => <Markdown text={text.slice(0, SAID_CHARS_MAX)} />;

/** An action's tool and input. */
const Action = ({ tool, input }: { tool: string; input: string }) => (
  <div class="stack">
    <code>{tool}</code>
    <Value value={input} />
  </div>
);

const Pair = ({ name, children }: { name: string; children: string | number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** The contract that a model call was to answer. */
const ModelInput = ({ history, call }: { history: TaskHistory; call: TaskCall }) => {
  const texts = timelineTexts.value;
  const { effect, place, from } = call;
  const step = place.item === null ? null : history.fold.value?.stepAt(from);
  return (
    <dl class="pairs">
      {place.item !== null && <Pair name={texts.itemName}>{step ?? place.item}</Pair>}
      <Pair name={texts.roundName}>{place.round}</Pair>
      {effect?.type === 'model.thought' && <Pair name={texts.may}>{effect.params.may.join(', ')}</Pair>}
      {effect !== null && 'attempt' in effect.params && <Pair name={texts.attemptName}>{effect.params.attempt}</Pair>}
    </dl>
  );
};

/** The thing that a task waits for: the action or question of the entry that it waits since. */
const Asked = ({ entry }: { entry: TraceEntry }) => {
  const { event } = entry;
  if (event.type === 'thought.made' && event.next_action !== null) return <Action {...event.next_action} />;
  if (event.type === 'thought.made' && event.question !== null) return <Said text={event.question} />;
  return <Said text={entryText(entry)} />;
};

/** The input of a call. */
export const InputPart = ({ history, call, index }: ShownCall) => {
  const { entries } = history;
  if (call?.kind === 'model') return <ModelInput history={history} call={call} />;
  if (call?.kind === 'wait') return <Asked entry={entries[call.from]!} />;
  if (call?.effect?.type === 'tool.call') return <Action {...call.effect.params} />;
  if (call?.effect?.type === 'tool.batch')
    return (
      <>
        {call.effect.params.calls.map((each, i) => (
          <Action key={i} {...each} />
        ))}
      </>
    );
  return <Said text={entryText(entries[index]!)} />;
};

/** The answer of a model, or the decision of a person. */
const Outcome = ({ entry }: { entry: TraceEntry }) => {
  const { event } = entry;
  if (event.type === 'thought.made' && event.status === 'continue' && event.next_action !== null)
    return (
      <>
        {[event.next_action, ...(event.more_actions ?? [])].map((action, i) => (
          <Action key={i} {...action} />
        ))}
      </>
    );
  if (event.type === 'thought.made') return <Said text={event.question ?? event.response ?? entryText(entry)} />;
  if (event.type === 'plan.made' || (event.type === 'replan.made' && event.status !== 'done'))
    return (
      <ol class={styles.steps}>
        {event.plan.map((item, i) => (
          <li key={i} dir="auto">
            {typeof item === 'string' ? item : item.step}
          </li>
        ))}
      </ol>
    );
  if (event.type === 'replan.made') return <Said text={event.response ?? entryText(entry)} />;
  return <Said text={'reason' in event && event.reason ? event.reason : entryText(entry)} />;
};

/** The result of a call. */
export const OutputPart = ({ history, call, index }: ShownCall) => {
  const texts = timelineTexts.value;
  if (call !== null && call.to === null)
    return <p class="muted">{call.kind === 'wait' ? callTexts.value.waits : callTexts.value.running}</p>;
  const entry = history.entries[index]!;
  const seen = observationsOf(entry.event);
  if (entry.event.type === 'verification.finished') return <Value value={entry.event.output} />;
  if (seen.length === 0) return <Outcome entry={entry} />;
  return (
    <>
      {seen.map(({ tool, ok, result, left_out, files }, i) => (
        <div key={i} class="stack">
          {(seen.length > 1 || !ok) && <p class={ok ? 'muted' : 'refusal'}>{ok ? tool : texts.toolFailed(tool)}</p>}
          <Value value={result} />
          {left_out !== undefined && <p class="muted">{texts.leftOut(left_out)}</p>}
          {files?.map(({ path }) => (
            <code key={path}>{path}</code>
          ))}
        </div>
      ))}
    </>
  );
};

const pathText = (path: JsonChange['path']): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('');

/** Longest text that stands in a line with its former value, in characters. */
const LINE_CHARS_MAX = 24;

const isShort = (value: unknown): boolean =>
  value === null || ['number', 'boolean'].includes(typeof value) || String(value).length <= LINE_CHARS_MAX;

const ShortValues = ({ before, after }: Pick<JsonChange, 'before' | 'after'>) => (
  <>
    <del>{String(before)}</del> → <ins>{String(after)}</ins>
  </>
);

/** A short value and what became of it, in one line. */
const ShortChange = ({ path, before, after }: JsonChange) => (
  <div class={styles.change}>
    <dt>
      <code>{pathText(path)}</code>
    </dt>
    <dd>
      <ShortValues before={before} after={after} />
    </dd>
  </div>
);

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

/** Every field of the task that an entry changed. */
const Changes = ({ changes }: { changes: readonly JsonChange[] }) => (
  <dl class="stack">
    {changes.map((change) => {
      const { path, before, after } = change;
      const Shown =
        before !== undefined && after !== undefined && isShort(before) && isShort(after) ? ShortChange : Change;
      return <Shown key={pathText(path)} {...change} />;
    })}
  </dl>
);

/** The numbers of a task that people follow, by their fields: how they are called. */
const followed = (): Record<string, string> => {
  const { stepsName, roundName } = timelineTexts.value;
  return { step_count: stepsName, rounds: roundName };
};

/** Changes that people follow, in words: the number of budget steps, and the round on the item. */
const Followed = ({ changes }: { changes: readonly JsonChange[] }) => {
  const names = followed();
  return (
    <dl class={`${styles.followed} pairs`}>
      {changes.map(({ path, before, after }) => {
        const name = names[pathText(path)];
        if (name === undefined || before === undefined || after === undefined) return null;
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <ShortValues before={before} after={after} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
};

interface StateProps extends ShownCall {
  /** Only what people follow at once; the machine's own fields are a click away. */
  isShort?: boolean;
}

/** The machine's result for a call's outcome: the state before and after, and the changes of the task. */
export const StatePart = ({ history, index, isShort: isBrief = false }: StateProps) => {
  const texts = timelineTexts.value;
  const { task_id, step_count } = history.entries[index]!;
  const fold = history.fold.value;
  const after = fold?.taskAt(index) ?? null;
  if (after === null) return isStopped(history) ? null : <p class="muted">{texts.notFolded}</p>;
  if (task_id === null) return <p class="muted">{texts.same}</p>;
  const before = fold?.taskAt(index - 1) ?? null;
  const changes = jsonChanges(before?.context ?? {}, after.context);
  return (
    <>
      <p class="line">
        {before !== null && before.state !== after.state && (
          <>
            <Badge state={before.state} /> →{' '}
          </>
        )}
        <Badge state={after.state} />
        {!isBrief && step_count !== null && <span class="muted">{texts.steps(step_count)}</span>}
      </p>
      {changes.length === 0 && <p class="muted">{texts.same}</p>}
      {isBrief ? (
        <>
          <Followed changes={changes} />
          {changes.length > 0 && (
            <Unfold title={texts.allChanges(changes.length)}>{() => <Changes changes={changes} />}</Unfold>
          )}
        </>
      ) : (
        <Changes changes={changes} />
      )}
    </>
  );
};

/** The entry as the trace has it: its event, and the effects that it asked for. */
export const RawPart = ({ history, index }: ShownCall) => {
  const texts = timelineTexts.value;
  const entry = history.entries[index]!;
  const { type, ...fields } = entry.event;
  return (
    <>
      <h3 class="label">{texts.event}</h3>
      <code>{type}</code>
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
      <h3 class="label">{texts.effects}</h3>
      {entry.effects.length === 0 ? <p class="muted">{texts.noEffects}</p> : <Value value={entry.effects} />}
    </>
  );
};
