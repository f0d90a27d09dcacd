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
  /** Its height does not depend on what is in it: its content fills it, and changes without moving anything else. */
  isSteady?: boolean;
  /** It begins with a field of its own: its title is for screen readers, and its top stays where it is while it grows. */
  isPalette?: boolean;
  children: ComponentChildren;
}

/** There is a keyboard that a field does not have to bring up. */
const hasKeyboard = matchMedia('(hover: hover)');

/** The element that has the focus at first: a text to write, if it is the first thing to do, else the dialog itself. */
const firstOf = (dialog: HTMLElement): HTMLElement => {
  const first = dialog.querySelector<HTMLElement>('[data-content] :is(input, select, textarea, button, a, summary)');
  return hasKeyboard.matches && first?.matches('input:not([type="checkbox"]), textarea') === true ? first : dialog;
};

/** A dialog over the page, which takes the focus and returns it. */
export const Dialog = ({ title, onClose, isReader, isSteady, isPalette = false, children }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isGone = useRef(false);
  // Closes the dialog before it is removed, so that it returns the focus.
  useLayoutEffect(() => {
    const { current: dialog } = ref;
    dialog?.showModal();
    if (dialog !== null) firstOf(dialog).focus();
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
      tabIndex={-1}
      class={['fades', styles.dialog, isReader && styles.reader, isSteady && styles.steady, isPalette && styles.palette]
        .filter(Boolean)
        .join(' ')}
      aria-labelledby={titleId}
      onCancel={close}
      onClose={close}
    >
      {isPalette ? (
        <>
          <h2 id={titleId} class="visually-hidden">
            {title}
          </h2>
          <Boundary>{children}</Boundary>
        </>
      ) : (
        <>
          <div class={`bar padded ${styles.dialogHead}`}>
            <h2 id={titleId} class="fill">
              {title}
            </h2>
            <Button icon="close" title={shared.value.close} onClick={close} />
          </div>
          <div class="stack padded" data-content>
            <Boundary>{children}</Boundary>
          </div>
        </>
      )}
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
