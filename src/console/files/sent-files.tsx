import type { AttachedFile } from '../../../contracts/file.ts';
import { useChange } from '../api/resource.ts';
import { readFile } from '../api/routes.ts';
import { Button } from '../design/button.tsx';
import { saveFile } from '../design/copy.tsx';
import { Refusal } from '../design/loaded.tsx';
import { formatBytes } from '../text/numbers.ts';
import { FileChip } from './file-chip.tsx';
import { fileNameOf } from './file-name.ts';
import styles from './files.module.css';
import { texts } from './texts.ts';

interface SentFilesProps {
  session: string;
  files: readonly AttachedFile[];
}

/** The files that a user sent with a turn; each can be saved. */
export const SentFiles = ({ session, files }: SentFilesProps) => {
  const { problem, change } = useChange();
  const save = async (file: AttachedFile): Promise<void> => saveFile(file.path, await readFile(session, file.path));
  return (
    <>
      <ul class={`${styles.files} ${styles.sent} line`} aria-label={texts.value.sent}>
        {files.map((file) => (
          <li key={file.path}>
            <Button
              kind="link"
              aria-label={texts.value.save(fileNameOf(file))}
              title={texts.value.save(fileNameOf(file))}
              onClick={() => void change(() => save(file))}
            >
              <FileChip
                name={fileNameOf(file)}
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
