import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button, type ButtonProps } from './button.tsx';
import styles from './design.module.css';
import { Boundary } from './loaded.tsx';

interface PopoverProps extends Omit<ButtonProps, 'content' | 'label' | 'role'> {
  /** The name of its content for screen readers. */
  label: string;
  role?: 'menu' | 'dialog';
  /** The content below the button. It gets a function that closes it. */
  content: (close: () => void) => ComponentChildren;
  /** Gets the keys that are pressed in its content. */
  press?: (event: KeyboardEvent & { currentTarget: HTMLElement }) => void;
}

/** The part of the window in which an element's panel can be seen. */
const roomFor = (element: HTMLElement): DOMRect => {
  for (let around = element.parentElement; around !== null; around = around.parentElement)
    if (getComputedStyle(around).overflowX !== 'visible') return around.getBoundingClientRect();
  return new DOMRect(0, 0, innerWidth, innerHeight);
};

/** Aligns a panel with the beginning of its button, or with its end, and puts it below or above, where it has room. */
const place = (panel: HTMLElement, around: HTMLElement): void => {
  const [button, size, room] = [around.getBoundingClientRect(), panel.getBoundingClientRect(), roomFor(around)];
  panel.dataset['align'] = button.left + size.width <= Math.min(room.right, innerWidth) ? 'start' : 'end';
  panel.dataset['side'] = button.bottom + size.height <= Math.min(room.bottom, innerHeight) ? 'below' : 'above';
};

/**
 * A button with a small part of the page that opens below it, or above where there is no room, and closes with Escape,
 * or when one goes elsewhere.
 */
export const Popover = ({ label, role = 'dialog', content, press, ...button }: PopoverProps) => {
  const id = useId();
  const isOpen = useSignal(false);
  const around = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const close = (): void => {
    isOpen.value = false;
  };
  const closeAndReturn = (): void => {
    close();
    around.current?.querySelector('button')?.focus();
  };
  useLayoutEffect(() => {
    if (panel.current !== null && around.current !== null) place(panel.current, around.current);
  }, [isOpen.value]);
  useEffect(() => {
    if (!isOpen.value) return;
    const first = panel.current?.querySelector<HTMLElement>('input, select, button, a, [tabindex]');
    (first ?? panel.current)?.focus();
    const elsewhere = ({ target }: Event): void => {
      if (!around.current?.contains(target as Node)) close();
    };
    addEventListener('pointerdown', elsewhere);
    addEventListener('focusin', elsewhere);
    return () => {
      removeEventListener('pointerdown', elsewhere);
      removeEventListener('focusin', elsewhere);
    };
  }, [isOpen.value]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of what is in it come here.
    <div
      ref={around}
      class={styles.around}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen.peek()) return;
        event.preventDefault();
        event.stopPropagation();
        closeAndReturn();
      }}
    >
      <Button
        {...button}
        aria-haspopup={role}
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? id : undefined}
        onClick={() => {
          isOpen.value = !isOpen.peek();
        }}
      />
      {isOpen.value && (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole lint/a11y/noStaticElementInteractions: it has one of two roles with names and keys.
        <div
          ref={panel}
          id={id}
          class={`fades ${styles.popover}`}
          role={role}
          aria-label={label}
          tabIndex={-1}
          onKeyDown={press}
        >
          <Boundary>{content(closeAndReturn)}</Boundary>
        </div>
      )}
    </div>
  );
};

/** One line of a menu. */
export interface MenuItem {
  title: string;
  /** Its subject, at the end of its line. */
  note?: string;
  isDangerous?: boolean;
  run: () => void;
}

/** A button with a menu. Arrow keys move in it. */
export const Menu = ({ items, ...button }: ButtonProps & { label: string; items: readonly MenuItem[] }) => {
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all.at(to % all.length)?.focus();
  };
  return (
    <Popover
      {...button}
      role="menu"
      press={move}
      content={(close) =>
        items.map(({ title, note, isDangerous = false, run }) => (
          <button
            key={title}
            type="button"
            role="menuitem"
            class={`${styles.menuItem} ${isDangerous ? styles.danger : ''}`}
            tabIndex={-1}
            onClick={() => {
              close();
              run();
            }}
          >
            {title}
            {note !== undefined && <span class="muted small">{note}</span>}
          </button>
        ))
      }
    />
  );
};
