import { useSignal } from '@preact/signals';
import { apiKey, path } from '../api/request.ts';
import { getCalls, getTask, listCalls, listTrace, traceText } from '../api/routes.ts';
import { openOrigin, type TaskProps } from '../api/task-of-session.ts';
import { Button } from '../design/button.tsx';
import { copyText, saveFile } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import { lazy, messageOf } from '../design/loaded.tsx';
import { compareHref } from '../state/route.ts';
import { forkDraft, showTaskDialog, taskDialog } from '../state/selection.ts';
import { shared } from '../text/shared.ts';
import { curlCommand } from './curl-command.ts';
import styles from './export.module.css';
import { texts } from './texts.ts';

const ForkDialog = lazy(async () => (await import('../fork/fork-dialog.tsx')).ForkDialog);
const CompareDialog = lazy(async () => (await import('./compare-dialog.tsx')).CompareDialog);

const wholeCalls = async (task: string) => {
  const effects = [...new Set((await listCalls(task)).map(({ effect_id }) => effect_id))];
  const calls = [];
  for (const effect of effects) calls.push(...(await getCalls(task, effect)));
  return calls;
};

/** A task as text in several formats, to copy or save. */
const ShareDialog = ({ session, task, onClose }: TaskProps & { onClose: () => void }) => {
  const status = useSignal('');
  const words = texts.value;
  const row = (title: string, hint: string, work: () => Promise<string>) => {
    const run = async (): Promise<void> => {
      status.value = words.preparing;
      status.value = await work().catch(messageOf);
    };
    return (
      <div class={styles.row}>
        <Button onClick={() => void run()}>{title}</Button>
        <p class="small muted">{hint}</p>
      </div>
    );
  };
  const copy = async (text: string): Promise<string> => {
    await copyText(text);
    return shared.value.copied;
  };
  const save = (name: string, type: string, text: string): string => {
    saveFile(name, new Blob([text], { type }));
    return '';
  };
  return (
    <Dialog title={words.shareTitle} onClose={onClose}>
      <section class="stack">
        <h3>{words.copyHeading}</h3>
        {row(words.curl, words.curlHint, async () =>
          copy(curlCommand(location.origin, session, (await getTask(task)).goal, apiKey.peek() !== null)),
        )}
        {row(words.ndjson, words.ndjsonHint, async () => copy(await traceText(path`/v1/tasks/${task}/trace`)))}
        {row(words.test, words.testHint, async () => {
          const { traceAsTest } = await import('../../history/trace-as-test.ts');
          return copy(traceAsTest(await listTrace(task)));
        })}
      </section>
      <section class="stack">
        <h3>{words.saveHeading}</h3>
        {row(words.saveNdjson, words.saveNdjsonHint, async () =>
          save(`${task}.ndjson`, 'application/x-ndjson', await traceText(path`/v1/tasks/${task}/trace`)),
        )}
        {row(words.saveHtml, words.saveHtmlHint, async () => {
          const [view, entries, calls] = await Promise.all([getTask(task), listTrace(task), wholeCalls(task)]);
          const { taskPage } = await import('./task-page.ts');
          return save(`${task}.html`, 'text/html', taskPage({ session, view, entries, calls }));
        })}
      </section>
      <p class="muted" role="status">
        {status.value || ' '}
      </p>
    </Dialog>
  );
};

/** Actions on a task: fork, compare, copy, export. */
export const TaskActions = ({ session, task }: TaskProps) => {
  const found = openOrigin(session);
  const origin = found === null ? null : `${found.session_id}/${found.task_id}`;
  const close = (): void => {
    forkDraft(task).value = '';
    showTaskDialog(null);
  };
  return (
    <>
      <div class="line" role="toolbar" aria-label={texts.value.actions}>
        {(['fork', 'compare', 'share'] as const).map((name) => (
          <Button key={name} kind="quiet" aria-haspopup="dialog" onClick={() => showTaskDialog(name)}>
            {texts.value[name]}
          </Button>
        ))}
      </div>
      {origin !== null && (
        <p class={`line small muted ${styles.origin}`}>
          <span>{texts.value.isFork}</span>
          <a href={compareHref(origin, `${session}/${task}`)}>{texts.value.compareOrigin}</a>
        </p>
      )}
      {taskDialog.value === 'fork' && <ForkDialog session={session} task={task} onClose={close} />}
      {taskDialog.value === 'compare' && (
        <CompareDialog session={session} task={task} origin={origin} onClose={close} />
      )}
      {taskDialog.value === 'share' && <ShareDialog session={session} task={task} onClose={close} />}
    </>
  );
};
