import { useEffect, useRef } from 'preact/hooks';
import type { CallRerun, JudgedAnswer } from '../../../contracts/call-rerun.ts';
import { Sign } from '../design/badge.tsx';
import { formatCost, formatDuration, formatNumber } from '../text/numbers.ts';
import styles from './again.module.css';
import { againTexts } from './again-texts.ts';
import { MarkedWords } from './marked-words.tsx';
import type { DiffRun } from './prompt-diff.ts';
import { answerText } from './prompt-text.ts';
import { wordDiff } from './word-diff.ts';

const Fact = ({ title, children }: { title: string; children: string }) => (
  <div>
    <dt>{title}</dt>
    <dd class="number">{children}</dd>
  </div>
);

/** Tokens, money and time of an answer; what is not known is a dash. */
const Facts = ({ answer: { usage, duration_ms } }: { answer: JudgedAnswer }) => {
  const texts = againTexts.value;
  const count = formatNumber.value;
  const known = usage === null || usage.is_unknown === true ? null : usage;
  const tokensIn =
    known === null
      ? '–'
      : count(known.input_tokens + (known.cache_read_tokens ?? 0) + (known.cache_written_tokens ?? 0));
  return (
    <dl class={styles.facts}>
      <Fact title={texts.tokensIn}>{tokensIn}</Fact>
      <Fact title={texts.tokensOut}>{known === null ? '–' : count(known.output_tokens)}</Fact>
      <Fact title={texts.cost}>
        {usage?.cost === undefined ? '–' : formatCost(Number(usage.cost.amount), usage.cost.currency)}
      </Fact>
      <Fact title={texts.time}>{formatDuration(duration_ms)}</Fact>
    </dl>
  );
};

/** Whether the contract takes an answer, in words. */
export const verdictOf = ({ text, is_accepted }: JudgedAnswer): string => {
  if (is_accepted) return againTexts.value.accepted;
  return text === null ? againTexts.value.noAnswer : againTexts.value.refused;
};

/** The same with its sign, and why not. */
const Verdict = ({ answer }: { answer: JudgedAnswer }) => {
  const { is_accepted, reason } = answer;
  return (
    <div class="stack">
      <p class={`line ${styles.verdict}`} data-accepted={is_accepted}>
        <Sign meaning={is_accepted ? 'done' : 'failed'} />
        <span class="name">{verdictOf(answer)}</span>
      </p>
      {reason !== null && (
        <p class="small as-written" dir="auto">
          {reason}
        </p>
      )}
    </div>
  );
};

interface AnswerProps {
  title: string;
  answer: JudgedAnswer;
  runs: readonly DiffRun[];
  own: 'added' | 'removed';
}

const Answer = ({ title, answer, runs, own }: AnswerProps) => (
  <section class="compared" aria-label={title}>
    <header>
      <h3>{title}</h3>
      <p class="small muted clipped">{answer.model ?? '–'}</p>
    </header>
    <Verdict answer={answer} />
    <Facts answer={answer} />
    {answer.text !== null &&
      (runs.every(({ change }) => change !== 'same' && change !== own) ? (
        <p class="small muted">{againTexts.value.emptyAnswer}</p>
      ) : (
        <MarkedWords runs={runs} own={own} />
      ))}
  </section>
);

const textOf = ({ text, calls }: JudgedAnswer): string => answerText({ answer: text, calls });

/** The recorded answer, and beside it the new one once it is there, with the words that differ. */
export const Answers = ({ recorded, again }: { recorded: JudgedAnswer; again: CallRerun['again'] | null }) => {
  const texts = againTexts.value;
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (again !== null) part.current?.scrollIntoView({ block: 'nearest' });
  }, [again]);
  const runs = wordDiff(textOf(recorded), textOf(again ?? recorded));
  const isSame = again !== null && again.text !== null && runs.every(({ change }) => change === 'same');
  return (
    <div class="stack" ref={part}>
      {isSame && <p class="muted">{texts.same}</p>}
      <div class={styles.answers}>
        <Answer title={texts.recorded} answer={recorded} runs={runs} own="removed" />
        {again !== null && <Answer title={texts.again} answer={again} runs={runs} own="added" />}
      </div>
    </div>
  );
};
