import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useChange } from '../api/resource.ts';
import { shared } from '../text/shared.ts';
import { Button, type ButtonProps } from './button.tsx';
import { Dialog, Opens } from './dialog.tsx';
import { Refusal } from './loaded.tsx';

type FieldProps = JSX.IntrinsicElements['input'] & {
  title: string;
  /** Which texts it takes: the browser says so when it refuses another one. */
  takes?: string;
};

/** A field and its label: an `input`, or the given child. */
export const Field = ({ title, takes, children, ...rest }: FieldProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: its control is the input, or the child.
  <label class="stack">
    {title}
    {children ?? <input {...rest} title={takes} />}
  </label>
);

/** A field that is focused when shown, with its text selected. */
export const FocusedInput = (props: JSX.IntrinsicElements['input']) => {
  const field = useRef<HTMLInputElement>(null);
  // Once its dialog is shown, and before the next key.
  useLayoutEffect(
    () =>
      queueMicrotask(() => {
        field.current?.focus();
        field.current?.select();
      }),
    [],
  );
  return <input {...props} ref={field} />;
};

/** The whole number in a field; null: empty. */
export const numberIn = (text = ''): number | null => (text.trim() === '' ? null : Math.trunc(Number(text)));

interface FormProps {
  /**
   * Sends the texts of the fields, by name. If it rejects, the form shows the reason; otherwise the form is cleared.
   */
  save: (fields: Record<string, string>) => Promise<unknown>;
  /** The label of its button. */
  submit: string;
  kind?: 'normal' | 'primary' | 'danger';
  /** It cannot be sent yet. */
  disabled?: boolean;
  onCancel?: () => void;
  class?: string;
  label?: string;
  children?: ComponentChildren;
}

/** A form of native fields with a button. */
export const Form = ({
  save,
  submit,
  kind = 'primary',
  disabled,
  onCancel,
  class: more = 'stack',
  label,
  children,
}: FormProps) => {
  const { problem, change } = useChange();
  const isSending = useRef(false);
  const send = async (form: HTMLFormElement): Promise<void> => {
    if (isSending.current) return;
    isSending.current = true;
    const fields = Object.fromEntries(new FormData(form)) as Record<string, string>;
    if (await change(() => save(fields))) form.reset();
    isSending.current = false;
  };
  return (
    <form
      class={more}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
    >
      {children}
      <Refusal error={problem.value} />
      <div class="buttons">
        {onCancel !== undefined && <Button onClick={onCancel}>{shared.value.cancel}</Button>}
        <Button type="submit" kind={kind} disabled={disabled}>
          {submit}
        </Button>
      </div>
    </form>
  );
};

interface FormDialogProps extends FormProps {
  title: string;
  onClose: () => void;
  isSteady?: boolean;
}

/** A dialog with a form, closed when the form is sent or cancelled. */
export const FormDialog = ({ title, onClose, save, isSteady = false, ...form }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose} isSteady={isSteady}>
    <Form {...form} onCancel={onClose} save={(fields) => save(fields).then(onClose)} />
  </Dialog>
);

/** A button that opens a dialog with a form. */
export const FormButton = ({ button, ...form }: FormProps & { title: string; button: ButtonProps }) => (
  <Opens {...button} dialog={(close) => <FormDialog {...form} onClose={close} />} />
);
