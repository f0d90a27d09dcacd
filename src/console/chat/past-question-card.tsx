import { useSignal } from '@preact/signals';
import { actionTitle } from '../card/action-title.ts';
import { hasRows, type Way, WaySwitch, WholeInput } from '../card/approval-card.tsx';
import { Act, Card, CardFoot } from '../card/card.tsx';
import { Options, titleOf } from '../card/question-card.tsx';
import { texts } from '../card/texts.ts';
import { Markdown } from '../design/markdown.tsx';
import { openFork } from '../state/selection.ts';
import styles from './chat.module.css';
import type { PastQuestion } from './past-question.ts';

/** A question in its state at the selected moment. Choosing an answer forks the task, which itself stays unchanged. */
export const PastQuestionCard = ({ task, asked }: { task: string; asked: PastQuestion }) => {
  const { seq, question, options, approval, answer } = asked;
  const way = useSignal<Way>('fields');
  const { title, lead } =
    approval === null
      ? titleOf(question ?? texts.value.planTitle)
      : { title: actionTitle(approval), lead: approval.reason ?? '' };
  const choose = (to: Way): void => {
    way.value = to;
  };
  return (
    <Card
      label={texts.value.pastQuestion}
      title={title}
      tool={approval?.summary === undefined ? undefined : approval.tool}
      side={
        approval !== null && hasRows(approval) ? <WaySwitch way={way.value} choose={choose} isOff={false} /> : undefined
      }
      isPast
    >
      <div class={styles.lead}>
        {lead !== '' && <Markdown text={lead} />}
        {answer !== null && !options.includes(answer) && <p class="muted small">{texts.value.answered(answer)}</p>}
      </div>
      {approval !== null && <WholeInput action={approval} way={way.value} />}
      <Options options={options} chosen={answer} choose={(option) => openFork(task, seq, option)} />
      <CardFoot>
        <span class="fill muted small">{texts.value.forkHint}</span>
        <Act onClick={() => openFork(task, seq, '')}>{texts.value.otherwiseFork}</Act>
      </CardFoot>
    </Card>
  );
};
