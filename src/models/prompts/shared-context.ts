import type { PlanItem } from '../../../contracts/answer.ts';
import type { Observation, TaskContext } from '../../../contracts/task.ts';
import { cutText } from '../../../contracts/text.ts';
import { zonedAt } from '../../when/temporal.ts';
import type { ModelRequest } from '../port.ts';
import { block, oneLine } from './block.ts';
import {
  CLARIFICATION_CHARS_SHOWN,
  INPUT_CHARS_SHOWN,
  LINE_CHARS_SHOWN,
  NOTES_SHOWN,
  RESULT_CHARS_SHOWN,
  shareOf,
} from './limits.ts';

/** By the number of the day, from Monday as 1; written out, for a formatter takes ten times as long as all else of the line. */
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The newest time line: sessions that ask in the same second mostly share it, and a line takes as long to make as the rest of a prompt. */
let newest = { second: Number.NaN, timezone: '', line: '' };

/** The current time in the session's zone, such as `Current time: Friday, 2025-11-21T15:04:05+08:00 (Asia/Shanghai)`. */
export const timeLine = ({ now, timezone }: Pick<ModelRequest, 'now' | 'timezone'>): string => {
  const second = Math.floor(now / 1_000);
  if (newest.second !== second || newest.timezone !== timezone) {
    const time = zonedAt(now, timezone);
    const shown = time.toString({ timeZoneName: 'never', fractionalSecondDigits: 0 });
    const line = `Current time: ${WEEKDAYS[time.dayOfWeek - 1]}, ${shown} (${timezone})`;
    newest = { second, timezone, line };
  }
  return newest.line;
};

/** The goal, whole: it is at most one input long. */
export const goalBlock = (task: TaskContext): string => block('goal', {}, task.goal);

/** What was said and answered in the session before, oldest first; null in a new one. An answer repeats what tools gave. */
export const conversationSection = ({ conversation }: TaskContext): string | null =>
  conversation.length === 0
    ? null
    : [
        'Earlier in this conversation, oldest first:',
        ...conversation.map(
          ({ said, answered }) =>
            `${block('said', {}, said)}\n${block('untrusted', { source: 'your answer' }, answered)}`,
        ),
      ].join('\n');

/** What the user answered and threw in, oldest first; null when there is nothing. */
export const clarificationsSection = ({ clarification_history: said }: TaskContext): string | null => {
  const max = shareOf(said.length, CLARIFICATION_CHARS_SHOWN);
  return said.length === 0
    ? null
    : [
        'What the user said since, oldest first:',
        ...said.map(({ question, text }) =>
          question === null
            ? block('steer', {}, text, max)
            : block('clarification', { question: cutText(question, max) }, text, max),
        ),
      ].join('\n');
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
  return past.length === 0
    ? 'Completed and blocked items: none.'
    : [
        'Completed and blocked items, with their results:',
        ...past.map(
          (item) =>
            `${itemLine(item, past.length)}\n${block('untrusted', { source: `item:${item.id}` }, item.result ?? '(no result)', max)}`,
        ),
      ].join('\n');
};

/** One observation as untrusted data, with its number among those that the task keeps. */
export const observationBlock = (observation: Observation, number: number, max: number): string => {
  const { source, tool, input, instead_of, ok, result } = observation;
  const from = source === 'tool' ? `tool:${tool}` : source;
  const attributes: Record<string, string> = { source: from, ok: String(ok), id: `o${number}` };
  if (input !== '') attributes['input'] = cutText(input, INPUT_CHARS_SHOWN);
  if (instead_of !== undefined) attributes['edited_by_user_from'] = cutText(instead_of, INPUT_CHARS_SHOWN);
  return block('untrusted', attributes, result, max);
};

/** What failed since the last success, and what stopped the task; in a tool's or a verifier's words, so untrusted. */
export const failuresSection = (task: TaskContext): string | null => {
  const lines = task.recent_failures.slice(-NOTES_SHOWN);
  if (task.pause_detail !== null) lines.push(task.pause_detail);
  if (lines.length === 0) return null;
  const listed = lines.map((line) => `- ${oneLine(line, LINE_CHARS_SHOWN)}`).join('\n');
  return `What failed lately, oldest first. A refused answer was yours: answer otherwise.\n${block('untrusted', { source: 'failures' }, listed)}`;
};

/** The machine's remarks on the last plan, which quote what a model wrote; null without any. */
export const notesSection = (task: TaskContext): string | null => {
  const lines = task.notes.slice(-NOTES_SHOWN).map((note) => `- ${oneLine(note, LINE_CHARS_SHOWN)}`);
  return lines.length === 0
    ? null
    : `Notes on the last plan:\n${block('untrusted', { source: 'notes' }, lines.join('\n'))}`;
};
