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

/** The button that lets the user choose files. */
export const AttachButton = ({ attached }: { attached: Signal<readonly File[]> }) => {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon="attach" title={texts.value.attach} onClick={() => field.current?.click()} />
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
