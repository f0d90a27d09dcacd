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
  /** Called when it is closed by its button or by Escape. The caller then renders it no more. */
  onClose: () => void;
  /** It takes the height of the page, and is wide enough for lines of text. */
  isReader?: boolean;
  children: ComponentChildren;
}

/** A dialog over the page, which takes the focus and gives it back. */
export const Dialog = ({ title, onClose, isReader = false, children }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isGone = useRef(false);
  // A dialog that is rendered no more is closed first, so that it gives the focus back.
  useLayoutEffect(() => {
    const { current: dialog } = ref;
    dialog?.showModal();
    return () => {
      isGone.current = true;
      dialog?.close();
    };
  }, []);
  // At once where it is asked for: the browser's own event of it comes later, and would close one that was opened meanwhile.
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
      <div class="bar padded">
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

/** A button that opens a dialog, which gets what closes it. */
export const Opens = ({ dialog, ...button }: ButtonProps & { dialog: (close: () => void) => ComponentChildren }) => {
  const isOpen = useSignal(false);
  return (
    <>
      <Button {...button} onClick={toggles(isOpen)} />
      {isOpen.value && dialog(toggles(isOpen))}
    </>
  );
};
