import { useSignal } from '@preact/signals';
import type { FileView } from '../../../contracts/http.ts';
import { useChange, useResource } from '../api/resource.ts';
import { deleteFile, listFiles, readFile, writeFile } from '../api/service-routes.ts';
import { Button } from '../design/button.tsx';
import { saveFile } from '../design/copy.tsx';
import design from '../design/design.module.css';
import { Dialog } from '../design/dialog.tsx';
import { Markdown } from '../design/markdown.tsx';
import { Failure, Loading, Refusal } from '../design/notice.tsx';
import { Time } from '../design/time.tsx';
import { formatBytes } from '../text/numbers.ts';
import { shared } from '../text/shared.ts';
import styles from './task.module.css';
import { texts } from './texts.ts';

/** Longest text of a file that is shown, in characters: a longer one is saved. */
const SHOWN_CHARS_MAX = 100_000;

/** The files that the service writes as copies for people: they can't be deleted. */
const KEPT = /^(MISSION\.md|plan(\.[^/]+)?\.json)$/;

const Files = ({ session }: { session: string }) => {
  const { loaded, reload } = useResource((signal) => listFiles(session, signal), [session]);
  const { problem, change } = useChange(reload);
  const open = useSignal<{ path: string; text: string } | null>(null);
  const doomed = useSignal<string | null>(null);
  const { value: files, error } = loaded.value;
  const close = (): void => {
    open.value = null;
  };
  const read = (path: string): void =>
    void change(async () => {
      const content = await readFile(session, path);
      const isText = content.type.startsWith('text/');
      if (isText && content.size <= SHOWN_CHARS_MAX) open.value = { path, text: await content.text() };
      else saveFile(path, content);
    });
  const keep = (): void => {
    doomed.value = null;
  };
  const remove = (path: string): void => {
    keep();
    void change(() => deleteFile(session, path));
  };
  const save = (path: string): void => void change(async () => saveFile(path, await readFile(session, path)));
  const row = ({ path, size, modified_at }: FileView) => (
    <li key={path} class={styles.file}>
      <Button kind="link" onClick={() => read(path)}>
        {path}
      </Button>
      <span class={styles.muted}>
        {formatBytes(size)} · <Time at={modified_at} />
      </span>
      <Button kind="quiet" onClick={() => save(path)}>
        {texts.value.save}
      </Button>
      {!KEPT.test(path) && (
        <Button
          kind="danger"
          onClick={() => {
            doomed.value = path;
          }}
        >
          {texts.value.remove}
        </Button>
      )}
    </li>
  );
  if (files === undefined) return error === null ? <Loading /> : <Failure error={error} onRetry={reload} />;
  return (
    <>
      {files.length === 0 ? <p class={styles.muted}>{texts.value.noFiles}</p> : <ul>{files.map(row)}</ul>}
      <Refusal error={problem.value} />
      <label class={styles.line}>
        {texts.value.upload}
        <input
          type="file"
          onChange={({ currentTarget: field }) => {
            const [file] = field.files ?? [];
            if (file !== undefined) void change(() => writeFile(session, file.name, file));
            field.value = '';
          }}
        />
      </label>
      {doomed.value !== null && (
        <Dialog title={texts.value.removeFile(doomed.value)} onClose={keep}>
          <div class={design.buttons}>
            <Button onClick={keep}>{shared.value.cancel}</Button>
            <Button kind="danger" onClick={() => remove(doomed.value!)}>
              {texts.value.remove}
            </Button>
          </div>
        </Dialog>
      )}
      {open.value !== null && (
        <Dialog title={open.value.path} onClose={close} isReader>
          {open.value.path.endsWith('.md') ? <Markdown text={open.value.text} /> : <pre>{open.value.text}</pre>}
        </Dialog>
      )}
    </>
  );
};

/** The files of a session's folder, which are asked for when they are opened: to read, save, add and delete. */
export const FilesPart = ({ session }: { session: string }) => {
  const isOpen = useSignal(false);
  return (
    <details
      class={styles.part}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{texts.value.files}</summary>
      {isOpen.value && <Files session={session} />}
    </details>
  );
};
