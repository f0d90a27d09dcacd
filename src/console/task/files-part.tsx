import { useSignal } from '@preact/signals';
import type { FileView } from '../../../contracts/http.ts';
import { useChange, useResource } from '../api/resource.ts';
import { deleteFile, listFiles, readFile, writeFile } from '../api/service-routes.ts';
import { Button } from '../design/button.tsx';
import { saveFile } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Unfold } from '../design/fields.tsx';
import { Loaded, Refusal } from '../design/loaded.tsx';
import { Markdown } from '../design/markdown.tsx';
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
  const files = useResource((signal) => listFiles(session, signal), [session]);
  const { problem, change } = useChange(files.reload);
  /** The file over the page: its text, or null where it is asked whether it shall be deleted. */
  const open = useSignal<{ path: string; text: string | null } | null>(null);
  const close = (): void => {
    open.value = null;
  };
  const read = async (path: string): Promise<void> => {
    const content = await readFile(session, path);
    const isText = content.type.startsWith('text/');
    if (isText && content.size <= SHOWN_CHARS_MAX) open.value = { path, text: await content.text() };
    else saveFile(path, content);
  };
  const remove = (path: string): void => {
    close();
    void change(() => deleteFile(session, path));
  };
  const row = ({ path, size, modified_at }: FileView) => (
    <li key={path} class={`${styles.file} line`}>
      <Button kind="link" class="fill" onClick={() => void change(() => read(path))}>
        {path}
      </Button>
      <span class="muted">
        {formatBytes(size)} · <Time at={modified_at} />
      </span>
      <Button kind="quiet" onClick={() => void change(async () => saveFile(path, await readFile(session, path)))}>
        {texts.value.save}
      </Button>
      {!KEPT.test(path) && (
        <Button
          kind="danger"
          onClick={() => {
            open.value = { path, text: null };
          }}
        >
          {texts.value.remove}
        </Button>
      )}
    </li>
  );
  const shown = (path: string, text: string) => (
    <Dialog title={path} onClose={close} isReader>
      {path.endsWith('.md') ? <Markdown text={text} /> : <pre>{text}</pre>}
    </Dialog>
  );
  const doomed = (path: string) => (
    <Dialog title={texts.value.removeFile(path)} onClose={close}>
      <div class="buttons">
        <Button onClick={close}>{shared.value.cancel}</Button>
        <Button kind="danger" onClick={() => remove(path)}>
          {texts.value.remove}
        </Button>
      </div>
    </Dialog>
  );
  const { path, text } = open.value ?? { path: '', text: null };
  return (
    <>
      <Loaded from={files.loaded.value} onRetry={files.reload}>
        {(all) => (all.length === 0 ? <p class="muted">{texts.value.noFiles}</p> : <ul>{all.map(row)}</ul>)}
      </Loaded>
      <Refusal error={problem.value} />
      <label class="line muted small">
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
      {open.value !== null && (text === null ? doomed(path) : shown(path, text))}
    </>
  );
};

/** The files of a session's folder, which are asked for when they are opened: to read, save, add and delete. */
export const FilesPart = ({ session }: { session: string }) => (
  <div class="padded">
    <Unfold title={texts.value.files}>{() => <Files session={session} />}</Unfold>
  </div>
);
