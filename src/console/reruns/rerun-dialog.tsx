import { useSignal } from '@preact/signals';
import type { RerunView } from '../../../contracts/rerun.ts';
import { request } from '../api/request.ts';
import { Check } from '../design/fields.tsx';
import { Field, FormDialog } from '../design/form.tsx';
import { navigate, rerunHref } from '../state/route.ts';
import { texts } from './texts.ts';

/**
 * Asks with which model and instructions tasks run again, and shows the rerun once it has begun. A refusal, such as for
 * somebody who is no operator, is shown in the dialog.
 */
export const RerunDialog = ({ tasks, onClose }: { tasks: readonly string[]; onClose: () => void }) => {
  const words = texts.value;
  const readsRun = useSignal(false);
  const begin = async ({ model = '', instructions = '' }: Record<string, string>): Promise<void> => {
    const body = {
      task_ids: tasks,
      live_reads: readsRun.value,
      ...(model.trim() !== '' && { model: model.trim() }),
      ...(instructions.trim() !== '' && { instructions }),
    };
    const { id } = await request<RerunView>('/v1/reruns', { method: 'POST', body });
    navigate(rerunHref(id));
  };
  return (
    <FormDialog title={words.runTitle(tasks.length)} submit={words.begin} onClose={onClose} save={begin}>
      <p class="muted">{words.runHint}</p>
      <Field name="model" title={words.candidateModel} placeholder={words.asRecorded} spellcheck={false} />
      <Field title={words.instructions}>
        <textarea name="instructions" rows={4} placeholder={words.instructionsHint} />
      </Field>
      <Check of={readsRun}>{words.liveReads}</Check>
    </FormDialog>
  );
};
