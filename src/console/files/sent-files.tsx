import type { AttachedFile } from '../../../contracts/file.ts';
import { path, send } from '../api/request.ts';
import { useChange } from '../api/resource.ts';
import { Button } from '../design/button.tsx';
import { saveFile } from '../design/copy.tsx';
import { Refusal } from '../design/loaded.tsx';
import { formatBytes } from '../text/numbers.ts';
import { FileChip } from './file-chip.tsx';
import styles from './files.module.css';
import { texts } from './texts.ts';

interface SentFilesProps {
  session: string;
  files: readonly AttachedFile[];
}

const nameOf = ({ path: of }: AttachedFile): string => of.slice(of.lastIndexOf('/') + 1);

const addressOf = (session: string, file: string): string =>
  `${path`/v1/sessions/${session}/files`}/${file.split('/').map(encodeURIComponent).join('/')}`;

/** The files that a user sent with a turn; each can be saved. */
export const SentFiles = ({ session, files }: SentFilesProps) => {
  const { problem, change } = useChange();
  const save = async (file: AttachedFile): Promise<void> =>
    saveFile(file.path, await (await send(addressOf(session, file.path))).blob());
  return (
    <>
      <ul class={`${styles.files} ${styles.sent} line`} aria-label={texts.value.sent}>
        {files.map((file) => (
          <li key={file.path}>
            <Button
              kind="link"
              aria-label={texts.value.save(nameOf(file))}
              title={texts.value.save(nameOf(file))}
              onClick={() => void change(() => save(file))}
            >
              <FileChip
                name={nameOf(file)}
                isImage={file.media_type.startsWith('image/')}
                size={formatBytes(file.bytes)}
              />
            </Button>
          </li>
        ))}
      </ul>
      <Refusal error={problem.value} />
    </>
  );
};
