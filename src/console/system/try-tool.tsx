import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ToolView } from '../../../contracts/http.ts';
import type { TurnMessage } from '../../../contracts/stream.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { path } from '../api/request.ts';
import { useChange } from '../api/resource.ts';
import { sendTurn } from '../api/routes.ts';
import { readStream } from '../api/session-feed.ts';
import { type FieldTexts, readRows, rowsOf } from '../card/input-rows.ts';
import { InputFields } from '../card/input-view.tsx';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { bound, toggles } from '../design/fields.tsx';
import { Field } from '../design/form.tsx';
import { Refusal } from '../design/loaded.tsx';
import { TextTree } from '../design/tree.tsx';
import { sessionHref } from '../state/route.ts';
import { shared } from '../text/shared.ts';
import styles from './system.module.css';
import { texts } from './texts.ts';

/** The session that keeps all that was tried: a list of sessions is not to fill with them. */
const SESSION = 'tried-tools';

/** Runs a command, and resolves with its turn once that has ended. */
const runCommand = async (input: string, signal: AbortSignal): Promise<TurnView> => {
  let turn = await sendTurn(SESSION, { input });
  await readStream<TurnMessage>(path`/v1/turns/${turn.id}/events`, {
    signal,
    onMessage: (message) => {
      if (message.event === 'turn') turn = message.data;
    },
  });
  return turn;
};

/** The result of the tool, or why it was not run. */
const Result = ({ turn }: { turn: TurnView }) => (
  <section class={`stack ${styles.tried}`} aria-label={texts.value.result}>
    <h3 class="label">{texts.value.result}</h3>
    <TextTree text={turn.output ?? ''} />
    <a class="small" href={sessionHref(SESSION)}>
      {texts.value.allTried}
    </a>
  </section>
);

/**
 * Calls a tool without a task or a model, by `/tool` in a session of its own, and shows the result. The service refuses
 * it to those who may not run the tool. One that may change something needs a tick for each run.
 */
export const TryTool = ({ tool, onClose }: { tool: ToolView; onClose: () => void }) => {
  const typed = useSignal<FieldTexts>({});
  const input = useSignal('');
  const isAgreed = useSignal(false);
  const isRunning = useSignal(false);
  const result = useSignal<TurnView | null>(null);
  const closed = useRef(new AbortController());
  useEffect(() => () => closed.current.abort(), []);
  const { problem, change } = useChange();
  const rows = tool.input_schema === null ? null : rowsOf({}, tool.input_schema, true);
  const read = rows && readRows(rows, typed.value);
  const run = async (): Promise<void> => {
    if (isRunning.peek()) return;
    isRunning.value = true;
    result.value = null;
    const given = read === null ? input.value.trim() : JSON.stringify(read.value);
    await change(async () => {
      result.value = await runCommand(`/tool ${tool.name} ${given}`, closed.current.signal);
    });
    isAgreed.value = false;
    isRunning.value = false;
  };
  return (
    <Dialog title={texts.value.tryTool(tool.name)} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <p class="muted">{texts.value.tryHint}</p>
        {rows === null || read === null ? (
          <Field title={texts.value.input}>
            <textarea
              rows={3}
              dir="auto"
              spellcheck={false}
              placeholder={tool.usage.split('\n')[0]}
              {...bound(input)}
            />
          </Field>
        ) : (
          <InputFields
            rows={rows}
            typed={typed.value}
            faults={read.faults}
            set={(name, text) => {
              typed.value = { ...typed.value, [name]: text };
            }}
          />
        )}
        {tool.writes && (
          <label>
            <input type="checkbox" required checked={isAgreed.value} onChange={toggles(isAgreed)} />{' '}
            {texts.value.tryWrites}
          </label>
        )}
        <Refusal error={problem.value} />
        <div class="buttons">
          <Button onClick={onClose}>{shared.value.close}</Button>
          <Button type="submit" kind="primary" disabled={isRunning.value || (read !== null && read.faults.size > 0)}>
            {isRunning.value ? texts.value.toolRuns : texts.value.runTool}
          </Button>
        </div>
      </form>
      {result.value !== null && <Result turn={result.value} />}
    </Dialog>
  );
};
