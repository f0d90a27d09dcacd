import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import styles from './design.module.css';

interface ChoicesProps<Choice> {
  label: string;
  choices: readonly Choice[];
  take: (choice: Choice) => void;
  /** Keys that pick the highlighted choice. */
  keys?: readonly string[];
  render: (choice: Choice) => ComponentChildren;
  class?: string | undefined;
}

/** A list to choose from, controlled by the keys of a field that keeps the focus. */
export const useChoices = <Choice,>(props: ChoicesProps<Choice>) => {
  const { label, choices, take, keys = ['Enter'], render, class: more = '' } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosen = useSignal(0);
  const index = Math.min(chosen.value, choices.length - 1);
  const choose = (next: number): void => {
    chosen.value = next;
  };
  useEffect(() => list.current?.children[index]?.scrollIntoView({ block: 'nearest' }), [index]);
  /** Handles a key; false: the key means nothing here. */
  const press = (event: KeyboardEvent): boolean => {
    const choice = choices[index];
    // An input method uses keys itself while it composes a word.
    if (event.isComposing || choice === undefined) return false;
    if (event.key === 'ArrowDown') choose((index + 1) % choices.length);
    else if (event.key === 'ArrowUp') choose((index - 1 + choices.length) % choices.length);
    else if (keys.includes(event.key)) take(choice);
    else return false;
    event.preventDefault();
    return true;
  };
  const isShown = choices.length > 0;
  return {
    press,
    chooseFirst: () => choose(0),
    /** Attributes of the field. */
    field: {
      'aria-controls': isShown ? id : undefined,
      'aria-activedescendant': isShown ? `${id}-${index}` : undefined,
    },
    list: isShown && (
      <div ref={list} id={id} class={`${styles.choices} ${more}`} role="listbox" aria-label={label} tabIndex={-1}>
        {choices.map((choice, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
          <div
            key={i}
            id={`${id}-${i}`}
            class="row"
            role="option"
            tabIndex={-1}
            aria-selected={i === index}
            onClick={() => take(choice)}
            onPointerMove={() => choose(i)}
          >
            {render(choice)}
          </div>
        ))}
      </div>
    ),
  };
};
