import type { PlanItem } from '../../../contracts/answer.ts';
import type { Observation, TaskContext } from '../../../contracts/task.ts';
import { cutText } from '../../../contracts/text.ts';
import { zonedAt } from '../../when/temporal.ts';
import type { ModelRequest } from '../port.ts';
import { block, changing, inRow, oneLine, type Prompt, type PromptPart, stable } from './prompt-text.ts';

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

const listed = (title: string, lines: string[]): string | null =>
  lines.length === 0 ? null : [title, ...lines].join('\n');

const goalBlock = (task: TaskContext): string => block('goal', {}, task.goal);

const conversationSection = ({ conversation }: TaskContext): string | null =>
  listed(
    'Earlier in this conversation, oldest first:',
    conversation.map(
      ({ said, answered }) => `${block('said', {}, said)}\n${block('untrusted', { source: 'your answer' }, answered)}`,
    ),
  );

const memorySection = ({ memory }: TaskContext): string | null =>
  memory.length === 0
    ? null
    : `What was remembered about the user, newest first; it may be out of date:\n${block('untrusted', { source: 'memory' }, memory.map(({ id, text }) => `#${id} ${text}`).join('\n'))}`;

const backgroundSection = ({ background }: TaskContext): string | null =>
  background === null
    ? null
    : `What the user's program says about them and their situation:\n${block('untrusted', { source: "the user's program" }, background)}`;

const shapeSection = ({ answer_schema }: TaskContext): string | null =>
  answer_schema === null
    ? null
    : `"done" also needs the key "answer" beside "response": an object that meets this JSON Schema and says the same as the response (not with "outcome": "failed"):\n${block('untrusted', { source: "the user's program" }, JSON.stringify(answer_schema))}`;

const clarificationsSection = ({ clarification_history: said }: TaskContext): string | null => {
  const max = shareOf(said.length, CLARIFICATION_CHARS_SHOWN);
  return listed(
    'What the user said since, oldest first:',
    said.map(({ question, options = [], text }) => {
      if (question === null) return block('steer', {}, text, max);
      const shown = options.map((option, i) => `${i + 1}. ${option}`).join(' ');
      return block(
        'clarification',
        { question: cutText(question, max), ...(shown !== '' && { options: cutText(shown, max) }) },
        text,
        max,
      );
    }),
  );
};

const itemLine = (item: PlanItem, count: number): string => {
  const waits = item.depends_on.length > 0 ? `, after ${item.depends_on.join(', ')}` : '';
  const tools = item.tools === null ? '' : `, tools ${item.tools.join(', ')}`;
  const expected = item.expected === null ? '' : `, expected: ${item.expected}`;
  return oneLine(
    `- [${item.status}] ${item.id} (${item.executor}${waits}${tools}): ${item.step}${expected}`,
    shareOf(count, LINE_CHARS_SHOWN),
  );
};

const planSection = (title: string, items: PlanItem[]): string =>
  items.length === 0
    ? `${title}: none.`
    : `${title}:\n${block('plan', {}, items.map((item) => itemLine(item, items.length)).join('\n'))}`;

/** The items that ended, completed or blocked, with their results; a result repeats what tools gave, so it is untrusted. */
const pastSection = ({ past_items: past }: TaskContext): string => {
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
const observationBlock = (observation: Observation, number: number, max?: number): string => {
  const { source, tool, input, instead_of, ok, result } = observation;
  const from = source === 'tool' ? `tool:${tool}` : source;
  const attributes: Record<string, string> = { source: from, ok: String(ok), id: `o${number}` };
  if (input !== '') attributes['input'] = cutText(input, INPUT_CHARS_SHOWN);
  if (instead_of !== undefined) attributes['edited_by_user_from'] = cutText(instead_of, INPUT_CHARS_SHOWN);
  return block('untrusted', attributes, result, max);
};

const remarks = (title: string, source: string, lines: string[]): string | null => {
  const shown = lines.map((line) => `- ${oneLine(line, LINE_CHARS_SHOWN)}`);
  return shown.length === 0 ? null : `${title}\n${block('untrusted', { source }, shown.join('\n'))}`;
};

/** The failures since the last success, and the reason of a stop; in a tool's or a verifier's words. */
const failuresSection = ({ recent_failures, pause_detail }: TaskContext): string | null =>
  remarks('What failed lately, oldest first. A refused answer was yours: answer otherwise.', 'failures', [
    ...recent_failures.slice(-NOTES_SHOWN),
    ...(pause_detail === null ? [] : [pause_detail]),
  ]);

const notesSection = (task: TaskContext): string | null =>
  remarks('Notes on the last plan:', 'notes', task.notes.slice(-NOTES_SHOWN));

type Messages = Prompt['messages'];

/** Observations that a replan sees: what was tried lately; the completed items say the rest. */
const RECENT_OBSERVATIONS_SHOWN = 20;

/** Characters of each that a replan sees: twenty of them stay below 40,000. */
const RECENT_OBSERVATION_CHARS_SHOWN = 2_000;

const said = (...parts: PromptPart[]): Messages[number] => ({ role: 'user', content: inRow(parts) });

/** The messages for a task's first plan: it shows no plan, as there is none yet. */
export const planMessages = (task: TaskContext, time: string): Messages => [
  said(
    changing(
      goalBlock(task),
      conversationSection(task),
      memorySection(task),
      backgroundSection(task),
      clarificationsSection(task),
      failuresSection(task),
      time,
      'Give the plan.',
    ),
  ),
];

const isRemaining = ({ status }: PlanItem): boolean => status === 'not_started' || status === 'in_progress';

const recentObservations = ({ observations }: TaskContext): string => {
  const first = Math.max(0, observations.length - RECENT_OBSERVATIONS_SHOWN);
  const blocks = observations
    .slice(first)
    .map((observation, i) => observationBlock(observation, first + i + 1, RECENT_OBSERVATION_CHARS_SHOWN));
  return listed('Recent observations, oldest first:', blocks) ?? 'Recent observations: none.';
};

const abandonedLine = ({ abandoned_items: ids }: TaskContext): string | null =>
  ids.length === 0
    ? null
    : `Given up for good, so nothing may wait for them: ${ids.map((id) => JSON.stringify(id)).join(', ')}`;

export const replanMessages = (task: TaskContext, time: string): Messages => [
  said(
    stable(
      goalBlock(task),
      conversationSection(task),
      memorySection(task),
      backgroundSection(task),
      shapeSection(task),
    ),
    changing(
      clarificationsSection(task),
      pastSection(task),
      planSection('Remaining plan', task.plan_items.filter(isRemaining)),
      planSection(
        'Dropped',
        task.plan_items.filter(({ status }) => status === 'dropped'),
      ),
      abandonedLine(task),
      recentObservations(task),
      notesSection(task),
      failuresSection(task),
      `Steps used: ${task.step_count} of ${task.step_limit}.`,
      time,
      'Is the task finished? Give the rest of the plan, or the answer.',
    ),
  ),
];

const NARROWED = {
  continue: 'no tool may be called now (too many failures or rounds)',
  ask_user: 'no more questions may be asked',
  done: 'the item may not be ended',
};
const STATUSES = Object.keys(NARROWED) as (keyof typeof NARROWED)[];

const mayRule = (may: ModelRequest['may']): string => {
  const not = STATUSES.filter((status) => !may.includes(status));
  const allowed = may.map((status) => `"${status}"`).join(' or ');
  if (not.length === 0) return `Your status may be ${allowed}.`;
  return `Your status may now only be ${allowed}: ${not.map((status) => NARROWED[status]).join('; ')}. Anything else is refused.`;
};

const currentLine = (item: PlanItem | undefined): string => {
  if (item === undefined) return 'The plan is empty: there is no item to work on. Conclude, or ask what you must know.';
  const expected = item.expected === null ? '' : `\nExpected: ${item.expected}`;
  return `Your item:\n${block('plan', {}, `${item.id}: ${item.step}${expected}`)}`;
};

const counts = (task: TaskContext): string =>
  [
    `Steps used: ${task.step_count} of ${task.step_limit}`,
    `failures in a row: ${task.consecutive_failures} of ${task.limits.failure_limit}`,
    `rounds on this item: ${task.rounds} of ${task.limits.max_rounds_per_item}`,
    `questions asked: ${task.questions_asked} of ${task.limits.max_questions}.`,
  ].join(' · ');

/** The item's own observations, in full: a task keeps no more than a prompt can hold. */
const ownObservations = ({ observations }: TaskContext, item_id: string | null): string[] =>
  observations.flatMap((observation, i) =>
    observation.item_id === item_id ? [observationBlock(observation, i + 1)] : [],
  );

/** Each a piece of its own, so that a cache that has the first ones need not read them again. */
const earlierParts = (shown: string[]): PromptPart[] =>
  shown.map((text, i) => ({
    text: i === 0 ? `Observations of this item, oldest first:\n${text}` : text,
    ...(i === shown.length - 1 && { isStable: true }),
  }));

const lastThought = ({ last_thought_snapshot: thought }: TaskContext): string | null =>
  thought === null
    ? null
    : `Your last thought, on this or an earlier item:\n${block('thought', {}, JSON.stringify(thought))}`;

/** The messages for the next move on one item. What any thought repeats comes first, and the newest observation behind the thought that asked for it. */
export const thoughtMessages = (
  task: TaskContext,
  { item_id, may }: Pick<ModelRequest, 'item_id' | 'may'>,
  time: string,
): Messages => {
  const item = task.plan_items.find(({ id }) => id === item_id);
  const shown = ownObservations(task, item_id);
  const action = task.last_thought_snapshot?.next_action;
  const newest = task.observations.findLast((observation) => observation.item_id === item_id);
  const isReply = newest !== undefined && action?.tool === newest.tool && action.input === newest.input;
  const ask = changing(failuresSection(task), counts(task), mayRule(may), time, 'What is your next move?');
  const context = [
    stable(goalBlock(task), conversationSection(task), memorySection(task), backgroundSection(task)),
    changing(
      clarificationsSection(task),
      planSection('The plan', task.plan_items),
      pastSection(task),
      currentLine(item),
    ),
    ...earlierParts(isReply ? shown.slice(0, -1) : shown),
  ];
  if (!isReply) return [said(...context, changing(lastThought(task)), ask)];
  return [
    said(...context),
    { role: 'assistant', content: [{ text: JSON.stringify(task.last_thought_snapshot) }] },
    said(changing(shown.at(-1) ?? null), ask),
  ];
};
