import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button, type ButtonProps } from '../design/button.tsx';
import { MarkdownLine } from '../design/markdown.tsx';
import { isFree } from '../state/shortcuts.ts';
import styles from './card.module.css';

/**
 * How long keys are ignored after a card comes up, in milliseconds: a user who is typing or clicking then means
 * something else.
 */
const KEYS_AFTER_MS = 1_000;

/** Keys of a card by their names; `Enter` only where the card itself has the focus. */
export type CardKeys = Readonly<Record<string, () => void>>;

/** The keys of a card, which do something once it has been there for a moment. */
export const useCardKeys = (keys: CardKeys) => {
  const areOn = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      areOn.value = true;
    }, KEYS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return {
    areOn: areOn.value,
    press: (event: KeyboardEvent): void => {
      const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
      if (act === undefined || !isFree(event)) return;
      if (event.key === 'Enter' && event.target !== event.currentTarget) return;
      event.preventDefault();
      if (areOn.value) act();
    },
  };
};

interface CardProps {
  /** Its name for screen readers. */
  label: string;
  title: string;
  /** The tool that it is about. */
  tool?: string | undefined;
  /** At the end of its first line. */
  side?: ComponentChildren;
  isPast?: boolean;
  press?: ((event: KeyboardEvent) => void) | undefined;
  children?: ComponentChildren;
}

/**
 * A task's question to its user, on a card of its own. Never cut and never scrolled inside, so nobody decides about what
 * they did not see. Its keys act while it, or something in it, has the focus.
 */
export const Card = ({ label, title, tool, side, isPast = false, press, children }: CardProps) => (
  <section
    class={`${styles.card} ${isPast ? styles.past : ''}`}
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys act while it has the focus.
    tabIndex={0}
    data-asked
    onKeyDown={press}
  >
    <header class={styles.head}>
      <h3 class={styles.title} dir="auto">
        <MarkdownLine text={title} />
      </h3>
      {tool !== undefined && <code class={styles.tool}>{tool}</code>}
      {side !== undefined && <span class={styles.side}>{side}</span>}
    </header>
    {children}
  </section>
);

/** The buttons that decide, at the end of a card. */
export const CardFoot = ({ children }: { children: ComponentChildren }) => (
  <footer class={styles.foot}>{children}</footer>
);

/** In place of the buttons: why there are none. */
export const Waits = ({ children }: { children: ComponentChildren }) => (
  <p class={`${styles.foot} muted`}>{children}</p>
);

interface ActProps extends ButtonProps {
  /** The key that does the same, and whether it does so now. */
  letter?: string;
  isKeyOn?: boolean;
}

/** A button that decides something. */
export const Act = ({ letter, isKeyOn = false, class: more = '', ...button }: ActProps) => (
  <Button
    size="large"
    {...button}
    class={letter === undefined ? more : `${styles.keyed} ${more}`}
    data-letter={letter}
    aria-keyshortcuts={isKeyOn ? letter : undefined}
  />
);
