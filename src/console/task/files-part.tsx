import { useSignal } from '@preact/signals';
import type { FileView } from '../../../contracts/http.ts';
import { useChange, useResource } from '../api/resource.ts';
import { deleteFile, listFiles, readFile, writeFile } from '../api/service-routes.ts';
import { Button } from '../design/button.tsx';
import { saveFile } from '../design/copy.tsx';
import { Dialog, Opens } from '../design/dialog.tsx';
import { Unfold } from '../design/fields.tsx';
import { FormDialog } from '../design/form.tsx';
import { Loaded, Refusal } from '../design/loaded.tsx';
import { Markdown } from '../design/markdown.tsx';
import { Time } from '../design/time.tsx';
import { formatBytes } from '../text/numbers.ts';
import styles from './task.module.css';
import { texts } from './texts.ts';

/** Longest text of a file that is shown, in characters: a longer one is saved. */
const SHOWN_CHARS_MAX = 100_000;

/** The files that the service writes as copies for people: they can't be deleted. */
const KEPT = /^(MISSION\.md|plan(\.[^/]+)?\.json)$/;

const Files = ({ session }: { session: string }) => {
  const files = useResource((signal) => listFiles(session, signal), [session]);
  const { problem, change } = useChange(files.reload);
  /** The file over the page. */
  const open = useSignal<{ path: string; text: string } | null>(null);
  const read = async (path: string): Promise<void> => {
    const content = await readFile(session, path);
    const isText = content.type.startsWith('text/');
    if (isText && content.size <= SHOWN_CHARS_MAX) open.value = { path, text: await content.text() };
    else saveFile(path, content);
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
        <Opens
          kind="danger"
          dialog={(close) => (
            <FormDialog
              title={texts.value.removeFile(path)}
              submit={texts.value.remove}
              kind="danger"
              onClose={close}
              save={() => deleteFile(session, path).then(files.reload)}
            />
          )}
        >
          {texts.value.remove}
        </Opens>
      )}
    </li>
  );
  const shown = open.value;
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
      {shown !== null && (
        <Dialog
          title={shown.path}
          isReader
          onClose={() => {
            open.value = null;
          }}
        >
          {shown.path.endsWith('.md') ? <Markdown text={shown.text} /> : <pre>{shown.text}</pre>}
        </Dialog>
      )}
    </>
  );
};

/** The files of a session's folder, which are asked for when they are opened: to read, save, add and delete. */
export const FilesPart = ({ session }: { session: string }) => (
  <div class="padded">
    <Unfold title={texts.value.files}>{() => <Files session={session} />}</Unfold>
  </div>
);
