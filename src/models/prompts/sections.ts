import type { PlanItem } from '../../../contracts/answer.ts';
import type { Observation, TaskContext } from '../../../contracts/task.ts';
import { cutText } from '../../../contracts/text.ts';
import { zonedAt } from '../../when/temporal.ts';
import { block, oneLine } from './prompt-text.ts';

/** Characters shown of one clarification: a page or so, and a task may have a hundred. */
const CLARIFICATION_CHARS_SHOWN = 8_000;

/** Characters shown of a completed item's result: its conclusion, not the work. */
const RESULT_CHARS_SHOWN = 2_000;

/** Characters shown of a step, an expectation or a note where it is one line of a list. */
const LINE_CHARS_SHOWN = 1_000;

/** Characters shown of one tool input beside its observation: enough to recognise what was tried. */
const INPUT_CHARS_SHOWN = 1_000;

/** Failures and notes shown, newest last. */
const NOTES_SHOWN = 10;

/** Characters that the texts of one list may have together: a few dozen entries are shown as long as above, and hundreds shorter. */
const LIST_CHARS_SHOWN = 128_000;

/** Characters shown of each entry of a list of so many, at most `max`. It changes seldom as a list grows, for then the provider's cache of it is lost. */
const shareOf = (count: number, max: number): number =>
  Math.min(max, LIST_CHARS_SHOWN / 2 ** Math.ceil(Math.log2(Math.max(count, 1))));

/** By the number of the day, from Monday as 1; written out, for a formatter takes ten times as long as all else of the line. */
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** A time in a zone, such as `Current time: Friday, 2025-11-21T15:04:05+08:00 (Asia/Shanghai)`. */
export const timeLine = (now: number, timezone: string): string => {
  const time = zonedAt(now, timezone);
  const shown = time.toString({ timeZoneName: 'never', fractionalSecondDigits: 0 });
  return `Current time: ${WEEKDAYS[time.dayOfWeek - 1]}, ${shown} (${timezone})`;
};

/** A title and its lines; null without any. */
const listed = (title: string, lines: string[]): string | null =>
  lines.length === 0 ? null : [title, ...lines].join('\n');

/** The goal, whole: it is at most one input long. */
export const goalBlock = (task: TaskContext): string => block('goal', {}, task.goal);

/** The session's earlier turns, oldest first; null in a new one. An answer repeats what tools gave. */
export const conversationSection = ({ conversation }: TaskContext): string | null =>
  listed(
    'Earlier in this conversation, oldest first:',
    conversation.map(
      ({ said, answered }) => `${block('said', {}, said)}\n${block('untrusted', { source: 'your answer' }, answered)}`,
    ),
  );

/** The program's words about its user; null where it said nothing. */
export const backgroundSection = ({ background }: TaskContext): string | null =>
  background === null
    ? null
    : `What the user's program says about them and their situation:\n${block('untrusted', { source: "the user's program" }, background)}`;

/** The user's answers and steers, oldest first; null when there are none. */
export const clarificationsSection = ({ clarification_history: said }: TaskContext): string | null => {
  const max = shareOf(said.length, CLARIFICATION_CHARS_SHOWN);
  return listed(
    'What the user said since, oldest first:',
    said.map(({ question, text }) =>
      question === null
        ? block('steer', {}, text, max)
        : block('clarification', { question: cutText(question, max) }, text, max),
    ),
  );
};

/** An item of so many on one line. */
const itemLine = (item: PlanItem, count: number): string => {
  const waits = item.depends_on.length > 0 ? `, after ${item.depends_on.join(', ')}` : '';
  const tools = item.tools === null ? '' : `, tools ${item.tools.join(', ')}`;
  const expected = item.expected === null ? '' : `, expected: ${item.expected}`;
  return oneLine(
    `- [${item.status}] ${item.id} (${item.executor}${waits}${tools}): ${item.step}${expected}`,
    shareOf(count, LINE_CHARS_SHOWN),
  );
};

/** Plan items as one block, an item a line. */
export const planSection = (title: string, items: PlanItem[]): string =>
  items.length === 0
    ? `${title}: none.`
    : `${title}:\n${block('plan', {}, items.map((item) => itemLine(item, items.length)).join('\n'))}`;

/** The items that ended, completed or blocked, with their results; a result repeats what tools gave, so it is untrusted. */
export const pastSection = ({ past_items: past }: TaskContext): string => {
  const max = shareOf(past.length, RESULT_CHARS_SHOWN);
  const resultOf = ({ id, result }: PlanItem): string =>
    block('untrusted', { source: `item:${id}` }, result ?? '(no result)', max);
  return (
    listed(
      'Completed and blocked items, with their results:',
      past.map((item) => `${itemLine(item, past.length)}\n${resultOf(item)}`),
    ) ?? 'Completed and blocked items: none.'
  );
};

/** One observation as untrusted data, with its number among those that the task keeps. */
export const observationBlock = (observation: Observation, number: number, max?: number): string => {
  const { source, tool, input, instead_of, ok, result } = observation;
  const from = source === 'tool' ? `tool:${tool}` : source;
  const attributes: Record<string, string> = { source: from, ok: String(ok), id: `o${number}` };
  if (input !== '') attributes['input'] = cutText(input, INPUT_CHARS_SHOWN);
  if (instead_of !== undefined) attributes['edited_by_user_from'] = cutText(instead_of, INPUT_CHARS_SHOWN);
  return block('untrusted', attributes, result, max);
};

/** Untrusted remarks as one block; null without any. */
const remarks = (title: string, source: string, lines: string[]): string | null => {
  const shown = lines.map((line) => `- ${oneLine(line, LINE_CHARS_SHOWN)}`);
  return shown.length === 0 ? null : `${title}\n${block('untrusted', { source }, shown.join('\n'))}`;
};

/** The failures since the last success, and the reason of a stop; in a tool's or a verifier's words. */
export const failuresSection = ({ recent_failures, pause_detail }: TaskContext): string | null =>
  remarks('What failed lately, oldest first. A refused answer was yours: answer otherwise.', 'failures', [
    ...recent_failures.slice(-NOTES_SHOWN),
    ...(pause_detail === null ? [] : [pause_detail]),
  ]);

/** The machine's remarks on the last plan, which quote what a model wrote. */
export const notesSection = (task: TaskContext): string | null =>
  remarks('Notes on the last plan:', 'notes', task.notes.slice(-NOTES_SHOWN));
