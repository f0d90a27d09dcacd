import { useSignal } from '@preact/signals';
import { shared } from '../text/shared.ts';
import { Button, type ButtonProps } from './button.tsx';
import styles from './design.module.css';

/** Copies a text. Without TLS, browsers offer the clipboard only for selected text. */
export const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
};

/** Makes the browser save a file under the last part of its path. */
export const saveFile = (path: string, content: Blob): void => {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = path.split('/').at(-1) ?? path;
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url));
};

/** How long it shows that the text was copied, in milliseconds. */
const COPIED_MS = 1_200;

/** A button that copies a text. */
export const CopyButton = ({ text, children, ...rest }: ButtonProps & { text: string }) => {
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    await copyText(text);
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, COPIED_MS);
  };
  if (rest.icon !== undefined && children === undefined) {
    // An icon alone says it by its drawing and its label.
    const done = isCopied.value ? { icon: 'check' as const, title: shared.value.copied } : {};
    return <Button {...rest} {...done} onClick={() => void copy()} />;
  }
  return (
    <Button kind="quiet" {...rest} onClick={() => void copy()}>
      <span aria-live="polite">{isCopied.value ? shared.value.copied : (children ?? shared.value.copy)}</span>
    </Button>
  );
};

/** Number of an id's last characters that are shown: enough to tell those on a page apart. */
const SHOWN = 6;

interface ShortIdProps {
  id: string;
  /** Shown completely: a name that people know. */
  isWhole?: boolean;
}

/** An id, shortened; a click copies it completely. */
export const ShortId = ({ id, isWhole = false }: ShortIdProps) => (
  <CopyButton kind="link" class={styles.id} title={id} text={id}>
    <span class="visually-hidden">{shared.value.copy} </span>
    {isWhole ? id : id.slice(-SHOWN)}
  </CopyButton>
);
