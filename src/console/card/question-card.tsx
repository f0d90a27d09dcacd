import type { TurnRequest } from '../../../contracts/http.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { Markdown } from '../design/markdown.tsx';
import styles from './card.module.css';
import { Act, Card, CardFoot, useCardKeys } from './card.tsx';
import { texts } from './texts.ts';

/** The longest first paragraph that is a title, in characters. */
const TITLE_CHARS_MAX = 200;

/** A question as its title, and what stands below it. */
export const titleOf = (question: string): { title: string; lead: string } => {
  const text = question.trim();
  const end = text.search(/\n\s*\n/);
  const title = end === -1 ? text : text.slice(0, end);
  if (title.length > TITLE_CHARS_MAX || title.includes('\n') || title.startsWith('#'))
    return { title: texts.value.question, lead: text };
  return { title, lead: end === -1 ? '' : text.slice(end).trim() };
};

/** The digit of an option: only the first nine have one. */
const digitOf = (place: number): string => (place < 9 ? String(place + 1) : '');

interface OptionsProps {
  options: readonly string[];
  /** The id of the question above them; absent: they are called choices. */
  labelledBy?: string | undefined;
  /** The chosen one, where one may look back at it. */
  chosen?: string | null;
  choose: (option: string) => void;
}

/** Answers to choose from, a row each; draws nothing if there are none. */
export const Options = ({ options, labelledBy, chosen, choose }: OptionsProps) =>
  options.length === 0 ? null : (
    <fieldset
      class={styles.options}
      aria-label={labelledBy === undefined ? texts.value.choices : undefined}
      aria-labelledby={labelledBy}
    >
      {options.map((option, place) => (
        <button
          key={option}
          type="button"
          class={styles.option}
          data-digit={option === chosen ? '✓' : digitOf(place)}
          aria-pressed={chosen === undefined ? undefined : option === chosen}
          onClick={() => choose(option)}
        >
          <span dir="auto">{option}</span>
        </button>
      ))}
    </fieldset>
  );

interface QuestionCardProps {
  question: string;
  options: readonly string[];
  send: (body: TurnRequest) => void;
}

/** A question with its options. A digit chooses while the card has the focus; any other answer is written. */
export const QuestionCard = ({ question, options, send }: QuestionCardProps) => {
  const { title, lead } = titleOf(question);
  const choose = (option: string): void => send({ input: option });
  const digits = options.slice(0, 9).map((option, place) => [digitOf(place), () => choose(option)]);
  const { press } = useCardKeys(Object.fromEntries(digits));
  return (
    <Card label={texts.value.question} title={title} press={press}>
      {lead !== '' && (
        <div class={styles.lead}>
          <Markdown text={lead} />
        </div>
      )}
      <Options options={options} choose={choose} />
      {options.length === 0 && <div class={styles.gap} />}
    </Card>
  );
};

/** The words of the question beside the steps that it lists. */
const remarkOf = (question: string): string => {
  const first = question.search(/(^|\n)1\. /);
  const before = first === -1 ? '' : question.slice(0, first).trim();
  // Its last paragraph says how many steps there are, which one sees.
  return before
    .split(/\n\s*\n/)
    .slice(0, -1)
    .join('\n\n');
};

interface PlanCardProps {
  task: TaskView;
  question: string;
  send: (body: TurnRequest) => void;
  /** Goes to where one writes what should change. */
  change: () => void;
}

/** The items of a plan that are left to do. */
const leftOf = ({ plan }: TaskView): TaskView['plan'] =>
  plan.filter(({ status }) => status === 'not_started' || status === 'in_progress');

/** A plan that waits for a yes. */
export const PlanCard = ({ task, question, send, change }: PlanCardProps) => {
  const [yes = 'yes', no = 'no'] = task.question_options ?? [];
  const { goOn, change: changeText, stop, planTitle, planToConfirm } = texts.value;
  const acts = { y: () => send({ input: yes }), e: change };
  const { press, areOn } = useCardKeys({ ...acts, Enter: acts.y });
  const remark = remarkOf(question);
  return (
    <Card label={planToConfirm} title={planTitle} press={press}>
      {remark !== '' && (
        <div class={styles.lead}>
          <Markdown text={remark} />
        </div>
      )}
      <ol class={styles.items}>
        {leftOf(task).map(({ id, step }) => (
          <li key={id}>
            <span dir="auto">{step}</span>
          </li>
        ))}
      </ol>
      <CardFoot>
        <Act kind="primary" letter="y" isKeyOn={areOn} onClick={acts.y}>
          {goOn}
        </Act>
        <Act letter="e" isKeyOn={areOn} onClick={change}>
          {changeText}
        </Act>
        <Act kind="quiet" class={styles.last} onClick={() => send({ input: no })}>
          {stop}
        </Act>
      </CardFoot>
    </Card>
  );
};
