import type { PlanItem } from '../../../contracts/answer.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import type { ModelRequest } from '../port.ts';
import { block, changing, inRow, type Prompt, type PromptPart, stable } from './prompt-text.ts';
import {
  backgroundSection,
  clarificationsSection,
  conversationSection,
  failuresSection,
  goalBlock,
  notesSection,
  observationBlock,
  pastSection,
  planSection,
} from './sections.ts';

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
  return blocks.length === 0
    ? 'Recent observations: none.'
    : ['Recent observations, oldest first:', ...blocks].join('\n');
};

const abandonedLine = ({ abandoned_items: ids }: TaskContext): string | null =>
  ids.length === 0
    ? null
    : `Given up for good, so nothing may wait for them: ${ids.map((id) => JSON.stringify(id)).join(', ')}`;

/** The messages for what comes next: the whole task so far. */
export const replanMessages = (task: TaskContext, time: string): Messages => [
  said(
    stable(goalBlock(task), conversationSection(task), backgroundSection(task)),
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

/**
 * The messages for the next move on one item; they show other items only by their results. What any thought of the task repeats comes first,
 * then this item's, and at the end the counts and the time. The newest observation follows the thought that asked for it, as in a conversation;
 * earlier ones, whose thoughts are no longer kept, stand before.
 */
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
    stable(goalBlock(task), conversationSection(task), backgroundSection(task)),
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
