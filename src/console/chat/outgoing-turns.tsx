import type { TurnRequest } from '../../../contracts/http.ts';
import { Button } from '../design/button.tsx';
import styles from './chat.module.css';
import type { Outgoing } from './outgoing.ts';
import { texts } from './texts.ts';
import { Said } from './turn.tsx';

/** The text of a turn: its input, or its decision in words. */
const saidBy = ({ input, decision }: TurnRequest): string => {
  if (input !== undefined) return input;
  switch (decision?.type) {
    case undefined:
      return '';
    case 'approve':
      return texts.value.approved;
    case 'approve_always':
      return texts.value.approvedAlways;
    case 'edit':
      return texts.value.editedTo(decision.input);
    case 'reject':
      return decision.reason ?? texts.value.rejected;
    default:
      return decision satisfies undefined | never;
  }
};

/** Turns being sent, and those that were refused, with why. */
export const OutgoingTurns = ({ outgoing }: { outgoing: Outgoing }) => (
  <>
    {outgoing.turns.value.map(({ key, body, problem }) => (
      <article key={key} class={styles.turn}>
        <Said text={saidBy(body)} />
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
