import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { FileView } from '../../../contracts/http.ts';
import { path, send } from '../api/request.ts';
import { useChange, useResource } from '../api/resource.ts';
import { allItems, fileAddress, readFile } from '../api/routes.ts';
import { Button } from '../design/button.tsx';
import { saveFile } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import { FormButton } from '../design/form.tsx';
import { Icon } from '../design/icon.tsx';
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

/** The files of the work, and behind them the service's copies. */
const inOrder = (files: readonly FileView[]): FileView[] =>
  files.toSorted((one, other) => Number(KEPT.test(one.path)) - Number(KEPT.test(other.path)));

/** Names of pictures. */
const IMAGE = /\.(png|jpe?g|gif|webp|avif|svg)$/i;

interface FilesProps {
  session: string;
  /** Changes where tools may have written files: then they are listed again. */
  stamp: string;
}

/** The files of a session's folder: read, save, add and delete. */
export const FilesPart = ({ session, stamp }: FilesProps) => {
  const folder = path`/v1/sessions/${session}/files`;
  const files = useResource((signal) => allItems<FileView>(folder, 'files', signal), [session]);
  useEffect(files.changed, [files, stamp]);
  const { problem, change } = useChange(files.reload);
  const field = useRef<HTMLInputElement>(null);
  /** The file over the page. */
  const open = useSignal<{ name: string; text: string } | null>(null);
  const read = async (name: string): Promise<void> => {
    const content = await readFile(session, name);
    const isText = content.type.startsWith('text/');
    if (isText && content.size <= SHOWN_CHARS_MAX) open.value = { name, text: await content.text() };
    else saveFile(name, content);
  };
  const row = ({ path: name, size, modified_at }: FileView) => (
    <li key={name} class={styles.file}>
      <Icon name={IMAGE.test(name) ? 'image' : 'page'} />
      <Button kind="link" class="clipped" title={name} onClick={() => void change(() => read(name))}>
        {name}
      </Button>
      <span class={`${styles.about} muted small number`}>
        {formatBytes(size)} · <Time at={modified_at} />
      </span>
      <span class={styles.acts}>
        <Button
          icon="save"
          size="small"
          title={texts.value.save}
          onClick={() => void change(async () => saveFile(name, await readFile(session, name)))}
        />
        {!KEPT.test(name) && (
          <FormButton
            button={{ icon: 'delete', size: 'small', title: texts.value.remove }}
            title={texts.value.removeFile(name)}
            submit={texts.value.remove}
            kind="danger"
            save={() => send(fileAddress(session, name), { method: 'DELETE' }).then(files.reload)}
          />
        )}
      </span>
    </li>
  );
  const shown = open.value;
  return (
    <section class={styles.part} aria-labelledby="files-title">
      <div class={styles.filesHead}>
        <h4 id="files-title" class="label">
          {texts.value.files}
        </h4>
        <Button icon="plus" size="small" title={texts.value.upload} onClick={() => field.current?.click()} />
        <input
          ref={field}
          type="file"
          hidden
          onChange={({ currentTarget: chosen }) => {
            const [file] = chosen.files ?? [];
            if (file !== undefined)
              void change(() => send(fileAddress(session, file.name), { method: 'PUT', body: file }));
            chosen.value = '';
          }}
        />
      </div>
      <Loaded from={files.loaded.value} onRetry={files.reload}>
        {(all) => (all.length === 0 ? <p class="muted">{texts.value.noFiles}</p> : <ul>{inOrder(all).map(row)}</ul>)}
      </Loaded>
      <Refusal error={problem.value} />
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
    </section>
  );
};
