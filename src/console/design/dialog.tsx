import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { shared } from '../text/shared.ts';
import { Button, type ButtonProps } from './button.tsx';
import styles from './design.module.css';
import { toggles } from './fields.tsx';
import { Boundary } from './loaded.tsx';

interface DialogProps {
  title: string;
  /** Called when its button or Escape closes it. The caller then stops rendering it. */
  onClose: () => void;
  /** As high as the page, and wide enough for lines of text. */
  isReader?: boolean;
  children: ComponentChildren;
}

/** A dialog over the page, which takes the focus and returns it. */
export const Dialog = ({ title, onClose, isReader = false, children }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isGone = useRef(false);
  // Closes the dialog before it is removed, so that it returns the focus.
  useLayoutEffect(() => {
    const { current: dialog } = ref;
    dialog?.showModal();
    return () => {
      isGone.current = true;
      dialog?.close();
    };
  }, []);
  // Closes at once: the browser's own event comes later and would close a dialog opened meanwhile.
  const close = (): void => {
    if (!isGone.current) onClose();
  };
  return (
    <dialog
      ref={ref}
      autofocus
      class={`fades ${styles.dialog} ${isReader ? styles.reader : ''}`}
      aria-labelledby={titleId}
      onCancel={close}
      onClose={close}
    >
      <div class={`bar padded ${styles.dialogHead}`}>
        <h2 id={titleId} class="fill">
          {title}
        </h2>
        <Button icon="close" title={shared.value.close} onClick={close} />
      </div>
      <div class="stack padded">
        <Boundary>{children}</Boundary>
      </div>
    </dialog>
  );
};

/** A button that opens a dialog, which gets a function that closes it. */
export const Opens = ({ dialog, ...button }: ButtonProps & { dialog: (close: () => void) => ComponentChildren }) => {
  const isOpen = useSignal(false);
  return (
    <>
      <Button {...button} onClick={toggles(isOpen)} />
      {isOpen.value && dialog(toggles(isOpen))}
    </>
  );
};
