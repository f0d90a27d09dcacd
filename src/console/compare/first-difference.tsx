import type { ComponentChildren } from 'preact';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { jsonIn } from '../design/json-text.ts';
import { eventTitle } from '../text/event-titles.ts';
import { defineTexts } from '../text/language.ts';
import { entryText } from '../timeline/entry-text.ts';
import { MarkedWords } from '../timeline/marked-words.tsx';
import { wordDiff } from '../timeline/word-diff.ts';
import styles from './compare.module.css';

const texts = defineTexts({
  title: ['First difference', '第一处不同'],
  over: ['It was over', '已经结束'],
  of: ['{0}: {1}', '{0}：{1}'],
  inputOf: ['the input of {0}', '{0} 的输入'],
});

/** The fields of events that differ, by their names. */
const fieldTexts = defineTexts({
  next_action: ['the action', '动作'],
  tool: ['the tool', '工具'],
  input: ['the input of the call', '调用的输入'],
  more_actions: ['further actions', '其他动作'],
  plan: ['the plan', '计划'],
  response: ['the answer', '回答'],
  question: ['the question', '问题'],
  question_options: ['the options', '选项'],
  result: ['the result', '结果'],
  goal: ['the goal', '目标'],
  outcome: ['the outcome', '结果'],
  status: ['what comes next', '下一步'],
  state: ['the state', '状态'],
});

/** Events that are named after the field that they bring. */
const NAMED_AFTER: Partial<Record<TraceEntry['event']['type'], string>> = {
  'task.opened': 'goal',
  'plan.made': 'plan',
};

/** The field of an event in words; null: the event is named after it, or it has no word. */
const fieldText = (event: TraceEntry['event'], path: readonly string[], tool: string | undefined): string | null => {
  const name = path.findLast((each) => Object.hasOwn(fieldTexts.value, each));
  if (name === 'input' && tool !== undefined) return texts.value.inputOf(tool);
  return name === undefined || name === NAMED_AFTER[event.type]
    ? null
    : fieldTexts.value[name as keyof (typeof fieldTexts)['value']];
};

/** The name of a difference: an event's, and that of one of its fields. `tool`: the one that both call. */
export const whatDiffers = (event: TraceEntry['event'], path: readonly string[], tool?: string): string => {
  const [title, field] = [eventTitle(event), fieldText(event, path, tool)];
  return field === null ? title : texts.value.of(title, field);
};

/** An event in words: its name, and what it says. */
export const eventInWords = (event: TraceEntry['event'] | null | undefined): string => {
  if (event === null || event === undefined) return texts.value.over;
  return [eventTitle(event), entryText({ event })].filter(Boolean).join('\n');
};

const inText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));

/** A value of a trace as it is read best: an object, and JSON of one, with a field on each line. */
export const valueInWords = (value: unknown): string => {
  if (value === undefined || value === null) return '–';
  const whole = typeof value === 'string' ? (jsonIn(value) ?? value) : value;
  if (typeof whole !== 'object') return inText(whole);
  if (Array.isArray(whole)) return whole.map(inText).join('\n');
  return Object.entries(whole)
    .map(([name, each]) => `${name}: ${inText(each)}`)
    .join('\n');
};

interface FirstDifferenceProps {
  /** The difference by its name. */
  what: string;
  /** Both sides: the name of each, and the text of which the words are marked that the other lacks. */
  sides: readonly [left: readonly [name: string, text: string], right: readonly [name: string, text: string]];
  /** The title of a part of the page, or of a part of such a part. */
  title: 'h2' | 'h3';
  /** At the end of its title: a way there. */
  children?: ComponentChildren;
}

/** The place from which on two tasks differ, with both sides of it. */
export const FirstDifference = ({ what, sides: [left, right], title: Title, children }: FirstDifferenceProps) => {
  const runs = wordDiff(left[1], right[1]);
  return (
    <section class={styles.first} aria-label={texts.value.title}>
      <div class="line">
        <Title class="fill">
          <span class="label">{texts.value.title}</span> {what}
        </Title>
        {children}
      </div>
      <div class={styles.sides}>
        {([left, right] as const).map(([name], i) => (
          <div key={i} class={styles.side}>
            <p class="label">{name}</p>
            <MarkedWords runs={runs} own={i === 0 ? 'removed' : 'added'} />
          </div>
        ))}
      </div>
    </section>
  );
};
