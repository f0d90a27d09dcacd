import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** A click handler that toggles a signal. */
export const toggles = (is: Signal<boolean>) => (): void => {
  is.value = !is.value;
};

/** Attributes of a field that shows and changes a signal. */
export const bound = (of: Signal<string>) => ({
  value: of.value,
  onInput: ({ currentTarget }: { currentTarget: { value: string } }): void => {
    of.value = currentTarget.value;
  },
});

/** A checkbox for a signal. */
export const Check = ({ of, children }: { of: Signal<boolean>; children: ComponentChildren }) => (
  <label>
    <input type="checkbox" checked={of.value} onChange={toggles(of)} /> {children}
  </label>
);

interface SearchProps {
  of: Signal<string>;
  label: string;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/** A search field for a signal. */
export const Search = ({ of, label, onKeyDown }: SearchProps) => (
  <input type="search" class="fill" placeholder={label} aria-label={label} {...bound(of)} onKeyDown={onKeyDown} />
);

interface ChoiceProps {
  /** The chosen value; empty: any. */
  of: Signal<string>;
  label: string;
  /** The title of any value; absent: one of the choices must be chosen. */
  any?: string;
  choices: readonly { value: string; title: string }[];
}

/** A choice of one value for a signal. */
export const Choice = ({ of, label, any, choices }: ChoiceProps) => (
  <select aria-label={label} {...bound(of)}>
    {any !== undefined && <option value="">{any}</option>}
    {choices.map(({ value, title }) => (
      <option key={value} value={value}>
        {title}
      </option>
    ))}
  </select>
);

interface UnfoldProps {
  title: ComponentChildren;
  /** It is open at first. */
  isOpen?: boolean;
  class?: string | undefined;
  children: () => ComponentChildren;
}

/** A part below a title, rendered when it is opened. */
export const Unfold = ({ title, isOpen: isOpenAtFirst = false, class: more, children }: UnfoldProps) => {
  const isOpen = useSignal(isOpenAtFirst);
  return (
    <details
      class={more}
      open={isOpen.value}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{title}</summary>
      {isOpen.value && children()}
    </details>
  );
};
