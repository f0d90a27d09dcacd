import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Button } from '../design/button.tsx';
import { formatBytes } from '../text/numbers.ts';
import { FileChip } from './file-chip.tsx';
import styles from './files.module.css';
import { texts } from './texts.ts';

/** The files that go with the next message, each with a button that removes it; nothing where there are none. */
export const AttachedFiles = ({ attached }: { attached: Signal<readonly File[]> }) =>
  attached.value.length === 0 ? null : (
    <ul class={`${styles.files} line`} aria-label={texts.value.attached}>
      {attached.value.map((file, index) => (
        <li key={`${index} ${file.name}`}>
          <FileChip name={file.name} isImage={file.type.startsWith('image/')} size={formatBytes(file.size)}>
            <Button
              icon="close"
              size="small"
              title={texts.value.detach(file.name)}
              onClick={() => {
                attached.value = attached.value.filter((each) => each !== file);
              }}
            />
          </FileChip>
        </li>
      ))}
    </ul>
  );

/** The button that lets the user choose files; `hasName`: it stands among others that have one. */
export const AttachButton = ({ attached, hasName }: { attached: Signal<readonly File[]>; hasName: boolean }) => {
  const field = useRef<HTMLInputElement>(null);
  const choose = (): void => field.current?.click();
  return (
    <>
      {hasName ? (
        <Button icon="attach" class={styles.attach} aria-label={texts.value.attach} onClick={choose}>
          <span>{texts.value.files}</span>
        </Button>
      ) : (
        <Button icon="attach" title={texts.value.attach} onClick={choose} />
      )}
      <input
        ref={field}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget: chosen }) => {
          attached.value = [...attached.value, ...(chosen.files ?? [])];
          chosen.value = '';
        }}
      />
    </>
  );
};
