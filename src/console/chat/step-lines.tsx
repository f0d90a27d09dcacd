import { useSignal } from '@preact/signals';
import type { Progress } from '../../../contracts/stream.ts';
import { Button } from '../design/button.tsx';
import styles from './chat.module.css';
import { texts } from './texts.ts';

type Kind = Progress['kind'];

/** Lines that are shown of a running turn before one asks for all. */
const SHOWN = 8;

/** Lines that are drawn more at once when they are asked for: a turn may have thousands. */
const SHOWN_STEP = 200;

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

/** A turn's progress, a line each; of many lines the newest, and more of them when they are asked for. */
export const StepLines = ({ lines, isLive }: { lines: readonly Progress[]; isLive: boolean }) => {
  const drawn = useSignal(isLive ? SHOWN : SHOWN_STEP);
  const shown = lines.slice(-drawn.value);
  const hidden = lines.length - shown.length;
  return (
    <div class={styles.steps}>
      {hidden > 0 && (
        <Button
          kind="quiet"
          onClick={() => {
            drawn.value += SHOWN_STEP;
          }}
        >
          {hidden > SHOWN_STEP ? texts.value.moreSteps(SHOWN_STEP, lines.length) : texts.value.allSteps(lines.length)}
        </Button>
      )}
      <ol>
        {shown.map(({ kind, text }, index) => (
          <li key={hidden + index} data-kind={kind}>
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
