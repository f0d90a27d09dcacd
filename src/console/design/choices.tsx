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
  /** The title of the group that a choice belongs to; those of a group follow each other. Absent: there are no groups. */
  groupOf?: (choice: Choice) => string;
  class?: string | undefined;
}

/** A list to choose from, controlled by the keys of a field that keeps the focus. */
export const useChoices = <Choice,>(props: ChoicesProps<Choice>) => {
  const { label, choices, take, keys = ['Enter'], render, groupOf, class: more = '' } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosen = useSignal(0);
  const index = Math.min(chosen.value, choices.length - 1);
  const choose = (next: number): void => {
    chosen.value = next;
  };
  useEffect(() => {
    // The first of all is seen with the title of its group.
    if (index === 0) list.current?.scrollTo(0, 0);
    else list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [index]);
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
  const option = (choice: Choice, i: number) => (
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
  );
  const numbered = choices.map((choice, i) => [choice, i] as const);
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
        {groupOf === undefined
          ? numbered.map(([choice, i]) => option(choice, i))
          : [...Map.groupBy(numbered, ([choice]) => groupOf(choice))].map(([title, own]) => (
              // biome-ignore lint/a11y/useSemanticElements: a group of options is no field set.
              <div key={title} role="group" aria-label={title} class={styles.choiceGroup}>
                <p class="label" aria-hidden="true">
                  {title}
                </p>
                {own.map(([choice, i]) => option(choice, i))}
              </div>
            ))}
      </div>
    ),
  };
};
