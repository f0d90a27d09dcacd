import { useSignal } from '@preact/signals';
import type { FileView } from '../../../contracts/http.ts';
import { path, send } from '../api/request.ts';
import { useChange, useResource } from '../api/resource.ts';
import { allItems } from '../api/routes.ts';
import { Button } from '../design/button.tsx';
import { saveFile } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Unfold } from '../design/fields.tsx';
import { FormButton } from '../design/form.tsx';
import { Loaded, Refusal } from '../design/loaded.tsx';
import { Markdown } from '../design/markdown.tsx';
import { Time } from '../design/time.tsx';
import { formatBytes } from '../text/numbers.ts';
import styles from './task.module.css';
import { texts } from './texts.ts';

/** Longest text of a file that is shown, in characters. A longer one can be saved. */
const SHOWN_CHARS_MAX = 100_000;

/** The files that the service writes as copies for people. They cannot be deleted. */
const KEPT = /^(MISSION\.md|plan(\.[^/]+)?\.json)$/;

const Files = ({ session }: { session: string }) => {
  const folder = path`/v1/sessions/${session}/files`;
  const files = useResource((signal) => allItems<FileView>(folder, 'files', signal), [session]);
  const addressOf = (name: string): string => `${folder}/${name.split('/').map(encodeURIComponent).join('/')}`;
  const readFile = async (name: string): Promise<Blob> => (await send(addressOf(name))).blob();
  const { problem, change } = useChange(files.reload);
  /** The file over the page. */
  const open = useSignal<{ name: string; text: string } | null>(null);
  const read = async (name: string): Promise<void> => {
    const content = await readFile(name);
    const isText = content.type.startsWith('text/');
    if (isText && content.size <= SHOWN_CHARS_MAX) open.value = { name, text: await content.text() };
    else saveFile(name, content);
  };
  const row = ({ path: name, size, modified_at }: FileView) => (
    <li key={name} class={`${styles.file} line`}>
      <Button kind="link" class="fill" onClick={() => void change(() => read(name))}>
        {name}
      </Button>
      <span class="muted">
        {formatBytes(size)} · <Time at={modified_at} />
      </span>
      <Button kind="quiet" onClick={() => void change(async () => saveFile(name, await readFile(name)))}>
        {texts.value.save}
      </Button>
      {!KEPT.test(name) && (
        <FormButton
          button={{ kind: 'danger', children: texts.value.remove }}
          title={texts.value.removeFile(name)}
          submit={texts.value.remove}
          kind="danger"
          save={() => send(addressOf(name), { method: 'DELETE' }).then(files.reload)}
        />
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
            if (file !== undefined) void change(() => send(addressOf(file.name), { method: 'PUT', body: file }));
            field.value = '';
          }}
        />
      </label>
      {shown !== null && (
        <Dialog
          title={shown.name}
          isReader
          onClose={() => {
            open.value = null;
          }}
        >
          {shown.name.endsWith('.md') ? <Markdown text={shown.text} /> : <pre>{shown.text}</pre>}
        </Dialog>
      )}
    </>
  );
};

/** The files of a session's folder, loaded when opened: read, save, add and delete. */
export const FilesPart = ({ session }: { session: string }) => (
  <div class={styles.part}>
    <Unfold title={texts.value.files}>{() => <Files session={session} />}</Unfold>
  </div>
);
