import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy.tsx';
import { toggles } from '../design/fields.tsx';
import { MarkdownText } from '../design/markdown.tsx';
import { shared } from '../text/shared.ts';
import styles from './answer.module.css';

/** An answer while the model writes it. */
export const AnswerSoFar = ({ text }: { text: string }) => (
  <div class={`${styles.answer} ${styles.written}`}>
    <MarkdownText text={text} />
  </div>
);

interface AnswerProps {
  text: string;
  /** Notes below its text. */
  notes?: ComponentChildren;
  /** Beside what one does with it: when it came. */
  children?: ComponentChildren;
}

/** An answer as Markdown, and below it a copy of its text, and the text as the model wrote it. */
export const Answer = ({ text, notes, children }: AnswerProps) => {
  const isRaw = useSignal(false);
  return (
    <>
      <div class={styles.answer}>
        {isRaw.value ? (
          <p class="as-written" dir="auto">
            {text}
          </p>
        ) : (
          <MarkdownText text={text} />
        )}
      </div>
      {notes}
      <div class={styles.after}>
        <CopyButton icon="copy" size="small" title={shared.value.copy} text={text} />
        <Button icon="code" size="small" title={shared.value.raw} aria-pressed={isRaw.value} onClick={toggles(isRaw)} />
        {children}
      </div>
    </>
  );
};
