import type { TurnRequest } from '../../../contracts/http.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { Button } from '../design/button.tsx';
import { Markdown } from '../design/markdown.tsx';
import styles from './chat.module.css';
import { texts } from './texts.ts';

/** The open question and what may be chosen; any other answer is written below it. */
export const QuestionForm = ({ turn, send }: { turn: TurnView; send: (body: TurnRequest) => void }) => {
  const { question, options } = turn;
  const hasOptions = options !== null && options.length > 0;
  return (
    <section class={styles.question} aria-label={texts.value.question}>
      <div class={styles.asked}>
        <Markdown text={question ?? ''} />
      </div>
      {hasOptions && (
        <fieldset class={styles.options} aria-label={texts.value.choices}>
          {options.map((option) => (
            <Button key={option} class={styles.option} onClick={() => send({ input: option })}>
              {option}
            </Button>
          ))}
        </fieldset>
      )}
      <p class={styles.hint}>{hasOptions ? texts.value.otherwise : texts.value.answerBelow}</p>
    </section>
  );
};
