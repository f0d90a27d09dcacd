import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Inbox } from '../inbox/inbox.tsx';
import { SessionList } from '../sessions/session-list.tsx';
import styles from './app.module.css';
import { remembered } from './remembered.ts';
import { selectedSeq } from './selection.ts';
import { shell } from './texts.ts';

/** Which part is shown where there is space for one alone. */
export type View = 'list' | 'chat' | 'task';

interface Width {
  name: 'left' | 'right';
  /** In pixels. */
  initial: number;
  min: number;
  max: number;
}

const LEFT: Width = { name: 'left', initial: 264, min: 200, max: 480 };
const RIGHT: Width = { name: 'right', initial: 500, min: 320, max: 1_000 };

/** How far an arrow key moves a separator, in pixels. */
const KEY_STEP = 24;

const stored = { left: remembered('width.left'), right: remembered('width.right') };

const within = ({ min, max }: Width, width: number): number => Math.round(Math.min(max, Math.max(min, width)));

const useWidth = (of: Width) => {
  const text = stored[of.name].read();
  const width = useSignal(text === null || Number.isNaN(Number(text)) ? of.initial : within(of, Number(text)));
  const set = (next: number): void => {
    width.value = within(of, next);
    stored[of.name].write(String(width.value));
  };
  return { width, set };
};

interface SeparatorProps {
  of: Width;
  width: number;
  set: (width: number) => void;
}

/** The line between two panes, which is moved by pointer or by arrow keys. */
const Separator = ({ of, width, set }: SeparatorProps) => {
  const direction = of.name === 'left' ? 1 : -1;
  const drag = (down: PointerEvent): void => {
    const line = down.currentTarget as HTMLElement;
    line.setPointerCapture(down.pointerId);
    const move = (event: PointerEvent): void => set(width + direction * (event.clientX - down.clientX));
    line.addEventListener('pointermove', move);
    line.addEventListener('lostpointercapture', () => line.removeEventListener('pointermove', move), { once: true });
  };
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(width + direction * step);
  };
  return (
    // A separator that can be moved is a control, unlike a plain rule.
    // biome-ignore lint/a11y/useSemanticElements: <hr> takes no focus and no value.
    <div
      role="separator"
      tabIndex={0}
      class={styles.separator}
      aria-orientation="vertical"
      aria-label={of.name === 'left' ? shell.value.resizeLeft : shell.value.resizeRight}
      aria-valuenow={width}
      aria-valuemin={of.min}
      aria-valuemax={of.max}
      onPointerDown={drag}
      onKeyDown={key}
      onDblClick={() => set(of.initial)}
    />
  );
};

interface PanesProps {
  left: ComponentChildren;
  middle: ComponentChildren;
  /** Nothing: the middle has its space. */
  right?: ComponentChildren;
  view: View;
}

/** Two or three panes side by side, whose widths this browser remembers; one alone where there is no more space. */
export const Panes = ({ left, middle, right, view }: PanesProps) => {
  const first = useWidth(LEFT);
  const second = useWidth(RIGHT);
  const style = { '--left': `${first.width.value}px`, '--right': `${second.width.value}px` };
  const hasRight = right !== undefined && right !== null;
  return (
    <main
      class={`${styles.panes} ${hasRight ? '' : styles.alone}`}
      data-view={view}
      data-past={selectedSeq.value !== null}
      style={style}
    >
      <nav class={`${styles.pane} ${styles.left}`} aria-label={shell.value.lists}>
        <div class={styles.inner}>{left}</div>
        <Separator of={LEFT} width={first.width.value} set={first.set} />
      </nav>
      <section class={`${styles.pane} ${styles.middle}`} aria-label={shell.value.chat}>
        <div class={styles.inner}>{middle}</div>
      </section>
      {hasRight && (
        <section class={`${styles.pane} ${styles.right}`} aria-label={shell.value.task}>
          <Separator of={RIGHT} width={second.width.value} set={second.set} />
          <div class={styles.inner}>{right}</div>
        </section>
      )}
    </main>
  );
};

/** The left pane: what waits, and all sessions. */
export const Lists = ({ session }: { session: string | null }) => (
  <>
    <Inbox session={session} />
    <SessionList session={session} />
  </>
);
