import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { CallPrompt, CallRerun, CallRerunRequest } from '../../../contracts/call-rerun.ts';
import { path, request } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Unfold } from '../design/fields.tsx';
import { Field } from '../design/form.tsx';
import { Icon } from '../design/icon.tsx';
import { Failure, Loading, Refusal } from '../design/loaded.tsx';
import { runningNow } from '../design/time.tsx';
import { openDraft } from '../state/remembered.ts';
import { formatRunning } from '../text/numbers.ts';
import styles from './again.module.css';
import { Answers, verdictOf } from './again-answers.tsx';
import { againTexts } from './again-texts.ts';
import type { CallEffect } from './prompt-call.ts';

/** The edited texts of a prompt: the system prompt, and those of the message by their places. */
type Edits = ReadonlyMap<'system' | number, string>;

const addressOf = ({ task, effect }: CallEffect): string => path`/v1/tasks/${task}/calls/${effect}`;

/** The edited texts of a call's prompt, as a draft of this tab keeps them: a reload and the Escape key lose none. */
const keptEdits = ({ effect }: CallEffect) => openDraft(`again.${effect}`);

const editsIn = (kept: string): Edits =>
  new Map(kept === '' ? [] : (JSON.parse(kept) as ['system' | number, string][]));

/** Longest beginning of a text beside its name, in characters. */
const BEGINNING_CHARS = 300;

const beginningOf = (text: string): string => text.slice(0, BEGINNING_CHARS).replace(/\s+/g, ' ').trim();

interface BlockProps {
  title: string;
  text: string;
  /** The text as it was edited; undefined: it was not. */
  edited: string | undefined;
  edit: (text: string | null) => void;
}

/** A text of the prompt: its beginning, which unfolds to a field. One that was edited before is open. */
const Block = ({ title, text, edited, edit }: BlockProps) => {
  const texts = againTexts.value;
  const shown = edited ?? text;
  return (
    <div class={styles.block}>
      <Unfold
        isOpen={edited !== undefined}
        title={
          <>
            <Icon name="right" />
            <span class="name">{title}</span>
            <span class="clipped fill" dir="auto">
              {beginningOf(shown)}
            </span>
            {edited !== undefined && <span class={`${styles.edited} small`}>{texts.edited}</span>}
          </>
        }
      >
        {() => (
          <div class={`${styles.field} stack`}>
            <textarea
              aria-label={title}
              rows={10}
              dir="auto"
              spellcheck={false}
              value={shown}
              onInput={({ currentTarget }) => edit(currentTarget.value === text ? null : currentTarget.value)}
            />
            {edited !== undefined && (
              <div class="buttons">
                <Button size="small" onClick={() => edit(null)}>
                  {texts.undo}
                </Button>
              </div>
            )}
          </div>
        )}
      </Unfold>
    </div>
  );
};

/** The texts of the prompt, each to be edited. */
const Blocks = ({ prompt, kept }: { prompt: CallPrompt; kept: Signal<string> }) => {
  const texts = againTexts.value;
  const edits = editsIn(kept.value);
  const block = (key: 'system' | number, title: string, text: string) => (
    <Block
      key={key}
      title={title}
      text={text}
      edited={edits.get(key)}
      edit={(next) => {
        const changed = new Map(edits);
        if (next === null) changed.delete(key);
        else changed.set(key, next);
        kept.value = changed.size === 0 ? '' : JSON.stringify([...changed]);
      }}
    />
  );
  if (prompt.system === null) return <p class="muted">{texts.noPrompt}</p>;
  return (
    <section aria-label={texts.prompt}>
      {block('system', texts.system, prompt.system)}
      {prompt.messages.map(({ content }, i) => block(i, texts.text(i + 1), content))}
    </section>
  );
};

/** The choice of a model: one of the configuration, or for an operator any by its name. */
const ModelField = ({ prompt, chosen }: { prompt: CallPrompt; chosen: Signal<string> }) => {
  const texts = againTexts.value;
  const choose = ({ currentTarget }: { currentTarget: { value: string } }): void => {
    chosen.value = currentTarget.value.trim();
  };
  return (
    <div class={styles.model}>
      {prompt.is_any_model ? (
        <>
          <Field title={texts.model} list="models" spellcheck={false} value={prompt.model} onChange={choose} />
          <datalist id="models">
            {prompt.models.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      ) : (
        <Field title={texts.model}>
          <select value={prompt.model} onChange={choose}>
            {prompt.models.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      )}
    </div>
  );
};

/** How exact the prompt is, and what it lacks. */
const Notes = ({ prompt: { is_exact, system, messages } }: { prompt: CallPrompt }) => {
  const texts = againTexts.value;
  const gone = messages.flatMap(({ file }) => (file?.is_gone === true ? file.path : []));
  return (
    <>
      {!is_exact && system !== null && <p class="small muted">{texts.notExact}</p>}
      {gone.length > 0 && <p class="small refusal">{texts.gone(gone.join(texts.listed))}</p>}
    </>
  );
};

/** The request with what was edited of a prompt. */
const requestFor = (prompt: CallPrompt, edits: Edits): CallRerunRequest => {
  const system = edits.get('system');
  const messages = prompt.messages.flatMap((_, index) => {
    const content = edits.get(index);
    return content === undefined ? [] : [{ index, content }];
  });
  return {
    model: prompt.model,
    ...(system !== undefined && prompt.system !== null && { system }),
    ...(messages.length > 0 && { messages }),
  };
};

/** A call that is being made again. */
interface Running {
  readonly since: number;
  readonly ending: AbortController;
}

/** Makes a call again, one at a time. Leaving the page, or the dialog, ends it. */
const useRun = (of: CallEffect) => {
  const running = useSignal<Running | null>(null);
  const outcome = useSignal<CallRerun | null>(null);
  const problem = useSignal<unknown>(null);
  useEffect(() => () => running.peek()?.ending.abort(), []);
  const run = async (body: CallRerunRequest): Promise<void> => {
    if (running.peek() !== null) return;
    const ending = new AbortController();
    running.value = { since: Date.now(), ending };
    problem.value = null;
    try {
      outcome.value = await request<CallRerun>(`${addressOf(of)}/rerun`, {
        method: 'POST',
        body,
        signal: ending.signal,
      });
    } catch (error) {
      problem.value = ending.signal.aborted ? null : error;
    }
    running.value = null;
  };
  return { running, outcome, problem, run };
};

const Editor = ({
  of,
  prompt,
  chosen,
  refusal,
}: {
  of: CallEffect;
  prompt: CallPrompt;
  chosen: Signal<string>;
  refusal: unknown;
}) => {
  const texts = againTexts.value;
  const kept = keptEdits(of);
  const { running, outcome, problem, run } = useRun(of);
  const going = running.value;
  return (
    <div class={`${styles.again} stack`}>
      <p class="muted">{texts.hint}</p>
      <ModelField key={prompt.model} prompt={prompt} chosen={chosen} />
      <Refusal error={refusal} />
      <Notes prompt={prompt} />
      <Blocks prompt={prompt} kept={kept} />
      <div class="line">
        {/* One button, so that the focus stays where it is. */}
        <Button
          kind={going === null ? 'primary' : 'normal'}
          onClick={() => {
            if (going === null) void run(requestFor(prompt, editsIn(kept.value)));
            else going.ending.abort();
          }}
        >
          {going === null ? texts.run : texts.stop}
        </Button>
        <span class="muted" role="status">
          {going !== null && texts.asking}
          {going === null && outcome.value !== null && (
            <span class="visually-hidden">{`${texts.again}: ${verdictOf(outcome.value.again)}`}</span>
          )}
        </span>
        {going !== null && (
          <span class="muted number" aria-hidden="true">
            {formatRunning(Math.max(0, runningNow.value - going.since))}
          </span>
        )}
      </div>
      <Refusal error={problem.value} />
      <Answers recorded={prompt.recorded} again={outcome.value?.again ?? null} />
    </div>
  );
};

/**
 * A recorded model call, made again with an edited prompt or by another model: the new answer stands beside the recorded one. Changes
 * nothing of the task.
 */
export const AgainDialog = ({ of, onClose }: { of: CallEffect; onClose: () => void }) => {
  const chosen = openDraft(`again-model.${of.effect}`);
  const { loaded, reload } = useResource(
    (signal) => request<CallPrompt>(`${addressOf(of)}/prompt`, { query: { model: chosen.value || undefined }, signal }),
    [of.effect, chosen.value],
  );
  const { value, error } = loaded.value;
  // While the prompt for another model is loaded, and if there is none, the last one stays.
  const last = useRef(value);
  last.current = value ?? last.current;
  const prompt = last.current;
  return (
    <Dialog title={againTexts.value.title} onClose={onClose} isReader>
      {prompt === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          // A model that is not there any more is not asked for again.
          <Failure error={error} onRetry={chosen.value === '' ? reload : () => (chosen.value = '')} />
        )
      ) : (
        <Editor of={of} prompt={prompt} chosen={chosen} refusal={error} />
      )}
    </Dialog>
  );
};
