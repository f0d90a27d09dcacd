import type { Signal } from '@preact/signals';
import styles from './design.module.css';

/** How far an arrow key moves a separator, in pixels. */
const KEY_STEP = 24;

interface SeparatorProps {
  label: string;
  /** The width of the pane, in pixels as a text; empty: its own. The separator changes it. */
  width: Signal<string>;
  /** The pane's own width now, in pixels. */
  initial: () => number;
  min: number;
  max: number;
  /** The pane is before the separator, or after it. */
  of: 'before' | 'after';
}

/** The line beside a pane, which pointer or arrow keys move. A double click gives the pane its own width again. */
export const Separator = ({ label, width, initial, min, max, of }: SeparatorProps) => {
  const now = width.value === '' ? initial() : Number(width.value);
  const set = (next: number): void => {
    width.value = String(Math.round(Math.min(max, Math.max(min, next))));
  };
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(now + (of === 'before' ? step : -step));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: <hr> takes no focus and no value, and a line that can be moved is a control.
    <div
      role="separator"
      tabIndex={0}
      class={styles.separator}
      data-of={of}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(now)}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={({ currentTarget, pointerId, movementX }) => {
        if (currentTarget.hasPointerCapture(pointerId)) set(now + (of === 'before' ? movementX : -movementX));
      }}
      onKeyDown={key}
      onDblClick={() => {
        width.value = '';
      }}
    />
  );
};
