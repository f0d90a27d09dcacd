import { useSignal } from '@preact/signals';
import { Button } from '../design/button.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';

/** Longest text that is shown at once, in characters: a browser lays out some hundred thousand in more than a frame. */
const SHOWN_CHARS = 2_000;

/** A text or value as it is, cut where it is long until one asks for the whole. */
export const LongText = ({ value }: { value: unknown }) => {
  const isWhole = useSignal(false);
  const texts = timelineTexts.value;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const isLong = text.length > SHOWN_CHARS;
  return (
    <>
      <pre class={styles.text}>{isLong && !isWhole.value ? `${text.slice(0, SHOWN_CHARS)}…` : text}</pre>
      {isLong && (
        <Button
          kind="quiet"
          onClick={() => {
            isWhole.value = !isWhole.value;
          }}
        >
          {isWhole.value ? texts.less : texts.whole}
        </Button>
      )}
    </>
  );
};
