import type { TurnRequest } from '../../../contracts/http.ts';
import { Button } from '../design/button.tsx';
import styles from './chat.module.css';
import { Composer } from './composer.tsx';
import type { Situation } from './situation.ts';
import { texts } from './texts.ts';

interface ControlsProps {
  session: string;
  situation: Situation;
  isSending: boolean;
  send: (body: TurnRequest) => void;
}

/** Controls below the conversation: continue, and the field to write in. */
export const Controls = ({ session, situation: { mode, isPaused }, isSending, send }: ControlsProps) => (
  <div class={styles.controls}>
    {isPaused && !isSending && (
      <div class={styles.actions}>
        <span class={styles.hint}>{texts.value.continueHint}</span>
        <Button kind="primary" onClick={() => send({ input: 'continue' })}>
          {texts.value.continue}
        </Button>
      </div>
    )}
    <Composer session={session} mode={mode} send={send} />
  </div>
);
