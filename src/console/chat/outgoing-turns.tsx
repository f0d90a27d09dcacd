import { Button } from '../design/button.tsx';
import styles from './chat.module.css';
import type { Outgoing } from './outgoing.ts';
import { texts } from './texts.ts';
import { Said } from './turn.tsx';

/** Turns being sent, and those that were refused, with why. */
export const OutgoingTurns = ({ outgoing }: { outgoing: Outgoing }) => (
  <>
    {outgoing.turns.value.map(({ key, body, problem }) => (
      <article key={key} class={styles.turn}>
        <Said text={body.input ?? body.decision?.type ?? ''} />
        {problem === null ? (
          <p class={styles.note} role="status">
            {texts.value.sending}
          </p>
        ) : (
          <div class={styles.refused} role="alert">
            <strong>{texts.value.notSent}</strong>
            <span>{problem}</span>
            <Button onClick={() => outgoing.sendAgain(key)}>{texts.value.sendAgain}</Button>
            <Button kind="quiet" onClick={() => outgoing.discard(key)}>
              {texts.value.discard}
            </Button>
          </div>
        )}
      </article>
    ))}
  </>
);
