import { openFork } from '../app/task-dialog.ts';
import { Button } from '../design/button.tsx';
import { Markdown } from '../design/markdown.tsx';
import styles from './chat.module.css';
import type { PastQuestion } from './past-question.ts';
import { texts } from './texts.ts';

/** A question as it stood at the moment that is looked at. What is chosen now is answered in a fork: the task itself stays as it is. */
export const PastQuestionCard = ({ task, asked }: { task: string; asked: PastQuestion }) => {
  const { seq, question, options, approval, answer } = asked;
  const title = approval !== null ? texts.value.approvalTitle(approval.tool) : (question ?? texts.value.planQuestion);
  return (
    <section class={`${styles.question} ${styles.past}`} aria-label={texts.value.pastQuestion}>
      <div class={styles.asked}>
        <Markdown text={title} />
      </div>
      {approval !== null && <pre class={styles.input}>{approval.input}</pre>}
      {options.length > 0 && (
        <fieldset class={styles.options} aria-label={texts.value.choices}>
          {options.map((option) => (
            <Button
              key={option}
              class={styles.option}
              aria-pressed={option === answer}
              onClick={() => openFork(task, seq, option)}
            >
              {option === answer && '✓ '}
              {option}
            </Button>
          ))}
        </fieldset>
      )}
      {answer !== null && !options.includes(answer) && <p class={styles.hint}>{texts.value.answered(answer)}</p>}
      <p class={styles.line}>
        <span class={styles.hint}>{texts.value.forkHint}</span>
        <Button onClick={() => openFork(task, seq, '')}>{texts.value.otherwiseFork}</Button>
      </p>
    </section>
  );
};
