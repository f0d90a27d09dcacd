import { useSignal } from '@preact/signals';
import { apiKey } from '../api/request.ts';
import { getTask } from '../api/routes.ts';
import { getCalls, listCalls, listTrace, traceText } from '../api/service-routes.ts';
import { Link } from '../app/link.tsx';
import { compareHref } from '../app/route.ts';
import { forkDraft, showTaskDialog, type TaskDialog, taskDialog } from '../app/selection.ts';
import { openOrigin, type TaskProps } from '../app/task-of-session.ts';
import { Button } from '../design/button.tsx';
import { copyText, saveFile } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import { lazy, messageOf } from '../design/loaded.tsx';
import { language } from '../text/language.ts';
import { shared } from '../text/shared.ts';
import { curlCommand } from './curl-command.ts';
import styles from './export.module.css';
import { pageTexts, texts } from './texts.ts';

const ForkDialog = lazy(async () => (await import('../fork/fork-dialog.tsx')).ForkDialog);
const CompareDialog = lazy(async () => (await import('../compare/compare-dialog.tsx')).CompareDialog);

const wholeCalls = async (task: string) => {
  const effects = [...new Set((await listCalls(task)).map(({ effect_id }) => effect_id))];
  const calls = [];
  for (const effect of effects) calls.push(...(await getCalls(task, effect)));
  return calls;
};

/** A task as text in several forms, to be copied or saved. */
const ShareDialog = ({ session, task, onClose }: TaskProps & { onClose: () => void }) => {
  const status = useSignal('');
  const run = (work: () => Promise<string>) => async (): Promise<void> => {
    status.value = texts.value.preparing;
    try {
      status.value = await work();
    } catch (error) {
      status.value = messageOf(error);
    }
  };
  const copy = (make: () => Promise<string>) =>
    run(async () => {
      await copyText(await make());
      return shared.value.copied;
    });
  const goal = async (): Promise<string> => (await getTask(task)).goal;
  const asTest = async (): Promise<string> =>
    (await import('../../engine/replay/trace-as-test.ts')).traceAsTest(await listTrace(task));
  const saveTrace = run(async () => {
    saveFile(`${task}.ndjson`, new Blob([await traceText(task)], { type: 'application/x-ndjson' }));
    return '';
  });
  const savePage = run(async () => {
    const [view, entries, calls] = await Promise.all([getTask(task), listTrace(task), wholeCalls(task)]);
    const { taskPage } = await import('./task-page.ts');
    const page = taskPage({ session, view, entries, calls, texts: pageTexts.value, language: language.value });
    saveFile(`${task}.html`, new Blob([page], { type: 'text/html' }));
    return '';
  });
  const row = (title: string, hint: string, onClick: () => Promise<void>) => (
    <div class={styles.row}>
      <Button onClick={() => void onClick()}>{title}</Button>
      <p class="small muted">{hint}</p>
    </div>
  );
  return (
    <Dialog title={texts.value.shareTitle} onClose={onClose}>
      <section class="stack">
        <h3>{texts.value.copyHeading}</h3>
        {row(
          texts.value.curl,
          texts.value.curlHint,
          copy(async () => curlCommand(location.origin, session, await goal(), apiKey.peek() !== null)),
        )}
        {row(
          texts.value.ndjson,
          texts.value.ndjsonHint,
          copy(() => traceText(task)),
        )}
        {row(texts.value.test, texts.value.testHint, copy(asTest))}
      </section>
      <section class="stack">
        <h3>{texts.value.saveHeading}</h3>
        {row(texts.value.saveNdjson, texts.value.saveNdjsonHint, saveTrace)}
        {row(texts.value.saveHtml, texts.value.saveHtmlHint, savePage)}
      </section>
      <p class={`muted ${styles.status}`} role="status">
        {status.value}
      </p>
    </Dialog>
  );
};

const Action = ({ name }: { name: TaskDialog }) => (
  <Button kind="quiet" aria-haspopup="dialog" onClick={() => showTaskDialog(name)}>
    {texts.value[name]}
  </Button>
);

/** Actions of a task: fork, compare, copy, export. */
export const TaskActions = ({ session, task }: TaskProps) => {
  const found = openOrigin(session);
  const origin = found === null ? null : `${found.session}/${found.task}`;
  const close = (): void => {
    forkDraft(task).set('');
    showTaskDialog(null);
  };
  return (
    <>
      <div class="line" role="toolbar" aria-label={texts.value.actions}>
        <Action name="fork" />
        <Action name="compare" />
        <Action name="share" />
      </div>
      {origin !== null && (
        <p class={`line small muted ${styles.origin}`}>
          <span>{texts.value.isFork}</span>
          <Link href={compareHref(origin, `${session}/${task}`)}>{texts.value.compareOrigin}</Link>
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
