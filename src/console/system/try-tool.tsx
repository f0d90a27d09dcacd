import { useSignal } from '@preact/signals';
import type { ToolView } from '../../../contracts/http.ts';
import { randomId } from '../api/request.ts';
import { sendTurn } from '../api/routes.ts';
import { type FieldTexts, readRows, rowsOf } from '../card/input-rows.ts';
import { InputFields } from '../card/input-view.tsx';
import { Field, FormDialog } from '../design/form.tsx';
import { navigate, sessionHref } from '../state/route.ts';
import { texts } from './texts.ts';

/** Length of the name of a tool's session after its prefix. */
const NAME_CHARS = 8;

/**
 * Calls a tool without a task or a model, by `/tool` in a session of its own, which then shows the result. The service
 * refuses it to those who may not run the tool. One that may change something needs a tick.
 */
export const TryTool = ({ tool, onClose }: { tool: ToolView; onClose: () => void }) => {
  const typed = useSignal<FieldTexts>({});
  const rows = tool.input_schema === null ? null : rowsOf({}, tool.input_schema, true);
  const read = rows && readRows(rows, typed.value);
  const call = async ({ input = '' }: Record<string, string>): Promise<void> => {
    const session = `try-${randomId(NAME_CHARS)}`;
    const given = read === null ? input.trim() : JSON.stringify(read.value);
    await sendTurn(session, { input: `/tool ${tool.name} ${given}` });
    navigate(sessionHref(session));
  };
  return (
    <FormDialog
      title={texts.value.tryTool(tool.name)}
      submit={texts.value.runTool}
      disabled={read !== null && read.faults.size > 0}
      onClose={onClose}
      save={call}
    >
      <p class="muted">{texts.value.tryHint}</p>
      {rows === null || read === null ? (
        <Field title={texts.value.input}>
          <textarea name="input" rows={3} dir="auto" spellcheck={false} placeholder={tool.usage.split('\n')[0]} />
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
          <input type="checkbox" required /> {texts.value.tryWrites}
        </label>
      )}
    </FormDialog>
  );
};
