import { useSignal } from '@preact/signals';
import type { Progress } from '../../../contracts/stream.ts';
import { Button } from '../design/button.tsx';
import styles from './chat.module.css';
import { texts } from './texts.ts';

type Kind = Progress['kind'];

/** Lines that are shown of a running turn before one asks for all. */
const SHOWN = 8;

const marks: Partial<Record<Kind, string>> = {
  plan: '≡',
  replan: '≡',
  item: '▸',
  action: '→',
  result: '✓',
  rejected: '!',
  failed: '✗',
  question: '?',
  finished: '■',
  paused: '‖',
};

/** A turn's progress, a line each; of many lines the newest. */
export const StepLines = ({ lines, isLive }: { lines: readonly Progress[]; isLive: boolean }) => {
  const isWhole = useSignal(!isLive);
  const shown = isWhole.value ? lines : lines.slice(-SHOWN);
  return (
    <div class={styles.steps}>
      {shown.length < lines.length && (
        <Button
          kind="quiet"
          onClick={() => {
            isWhole.value = true;
          }}
        >
          {texts.value.allSteps(lines.length)}
        </Button>
      )}
      <ol>
        {shown.map(({ kind, text }, index) => (
          <li key={lines.length - shown.length + index} data-kind={kind}>
            <span class={styles.mark} aria-hidden="true">
              {marks[kind] ?? '·'}
            </span>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </div>
  );
};
