import { useSignal } from '@preact/signals';
import { apiKey, path } from '../api/request.ts';
import { getCalls, getTask, listCalls, listTrace, traceText } from '../api/routes.ts';
import { openOrigin, type TaskProps } from '../api/task-of-session.ts';
import { Button } from '../design/button.tsx';
import { copyText, saveFile } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import { lazy, messageOf } from '../design/loaded.tsx';
import { late } from '../state/late.ts';
import { SERVICE } from '../state/page-address.ts';
import { forkDraft, shownAddress, showTaskDialog, taskDialog } from '../state/selection.ts';
import { shared } from '../text/shared.ts';
import { curlCommand } from './curl-command.ts';
import styles from './export.module.css';
import { texts } from './texts.ts';

const ForkDialog = lazy(async () => (await import('../fork/fork-dialog.tsx')).ForkDialog);
const CompareDialog = lazy(async () => (await import('./compare-dialog.tsx')).CompareDialog);

const RerunDialog = lazy(async () => (await import('../reruns/rerun-dialog.tsx')).RerunDialog);

const loadTraceAsTest = late(() => import('../../history/trace-as-test.ts'));
const loadTaskPage = late(() => import('./task-page.ts'));

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
      {row(words.link, words.linkHint, () => copy(shownAddress()))}
      <section class="stack">
        <h3>{words.copyHeading}</h3>
        {row(words.curl, words.curlHint, async () =>
          copy(curlCommand(location.origin + SERVICE, session, (await getTask(task)).goal, apiKey.peek() !== null)),
        )}
        {row(words.ndjson, words.ndjsonHint, async () => copy(await traceText(path`/v1/tasks/${task}/trace`)))}
        {row(words.test, words.testHint, async () => {
          const { traceAsTest } = await loadTraceAsTest();
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
          const { taskPage } = await loadTaskPage();
          return save(`${task}.html`, 'text/html', taskPage({ session, view, entries, calls }));
        })}
      </section>
      <p class="muted" role="status">
        {status.value || ' '}
      </p>
    </Dialog>
  );
};

/** The dialog over the task that the address names: fork, compare, share, or run again. */
export const TaskDialogs = ({ session, task }: TaskProps) => {
  const found = openOrigin(session);
  const origin = found === null ? null : `${found.session_id}/${found.task_id}`;
  const close = (): void => {
    forkDraft(task).value = '';
    showTaskDialog(null);
  };
  switch (taskDialog.value) {
    case 'fork':
      return <ForkDialog session={session} task={task} onClose={close} />;
    case 'compare':
      return <CompareDialog session={session} task={task} origin={origin} onClose={close} />;
    case 'share':
      return <ShareDialog session={session} task={task} onClose={close} />;
    case 'rerun':
      return <RerunDialog tasks={[task]} onClose={close} />;
    default:
      return null;
  }
};
