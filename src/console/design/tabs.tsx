import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import styles from './design.module.css';
import { Boundary } from './loaded.tsx';

/** A tab, and what it shows while it is chosen. */
export interface Tab {
  name: string;
  title: string;
  render: () => ComponentChildren;
  /** Its own tools, in the line of the tabs. */
  tools?: (() => ComponentChildren) | undefined;
}

interface TabsProps {
  tabs: readonly Tab[];
  /** The name of the chosen one; if none has it, the first one. */
  chosen: string | null;
  onChoose: (name: string) => void;
  /** Label of the tabs for screen readers. */
  label: string;
}

/** Tabs, one of which is shown. Arrow keys move between them. */
export const Tabs = ({ tabs, chosen, onChoose, label }: TabsProps) => {
  const id = useId();
  const index = Math.max(
    0,
    tabs.findIndex(({ name }) => name === chosen),
  );
  const move = (event: KeyboardEvent): void => {
    const place = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: -1 }[event.key];
    const next = place === undefined ? undefined : tabs.at(place % tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
  };
  const shown = tabs[index];
  const list = useRef<HTMLDivElement>(null);
  // On a phone there are more tabs than the width shows, and the address may name the last one.
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown?.name]);
  if (shown === undefined) return null;
  return (
    <div class="column">
      <div class={`bar ${styles.tabs}`}>
        <div ref={list} role="tablist" aria-label={label} onKeyDown={move}>
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
        {shown.tools !== undefined && (
          <div class={styles.beside}>
            <Boundary key={shown.name}>{shown.tools()}</Boundary>
          </div>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reached by the keyboard. */}
      <div class={styles.panel} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown.name}`} tabIndex={0}>
        <Boundary key={shown.name}>{shown.render()}</Boundary>
      </div>
    </div>
  );
};
