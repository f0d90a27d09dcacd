import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import styles from './tabs.module.css';

/** A tab, and what it shows while it is chosen. */
export interface Tab {
  name: string;
  title: string;
  render: () => ComponentChildren;
}

interface TabsProps {
  tabs: readonly Tab[];
  /** The name of the one that is shown; the first one where none has it. */
  chosen: string | null;
  onChoose: (name: string) => void;
  /** What the tabs are about, for who does not see them. */
  label: string;
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/** Tabs, one of which is shown; arrow keys go from one to the next. */
export const Tabs = ({ tabs, chosen, onChoose, label }: TabsProps) => {
  const id = useId();
  const index = Math.max(
    0,
    tabs.findIndex(({ name }) => name === chosen),
  );
  const move = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChoose(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
  };
  const shown = tabs[index];
  if (shown === undefined) return null;
  return (
    <div class={styles.tabs}>
      <div class={styles.list} role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            class={styles.tab}
            aria-selected={name === shown.name}
            aria-controls={`${id}-panel`}
            tabIndex={name === shown.name ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {title}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reached by the keyboard. */}
      <div class={styles.panel} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown.name}`} tabIndex={0}>
        {shown.render()}
      </div>
    </div>
  );
};
