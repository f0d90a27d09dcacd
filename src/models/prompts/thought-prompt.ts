import type { PlanItem, ThoughtStatus } from '../../../contracts/answer.ts';
import { OBSERVATION_CHARS_MAX } from '../../../contracts/limits.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import type { ExecutorUsage, ModelRequest } from '../port.ts';
import { block } from './block.ts';
import { conversation, type Exchange } from './conversation.ts';
import { keptSystem } from './kept-system.ts';
import { OWN_OBSERVATIONS_CHARS_SHOWN, shareOf } from './limits.ts';
import { changing, inRow, type Prompt, type PromptPart, stable } from './prompt-text.ts';
import {
  clarificationsSection,
  conversationSection,
  failuresSection,
  goalBlock,
  observationBlock,
  pastSection,
  planSection,
  timeLine,
} from './shared-context.ts';
import { COMMON_RULES, instructionsSection, languageRule, toolsSection } from './shared-system.ts';

const CONTRACT = `Contract: thought
You carry out one plan item, the current one. You decide the next move, and see what came of it before the one after.

# Answer
{"status": "continue" | "ask_user" | "done", "current_step": string | null,
 "next_action": {"tool": string, "input": string} | null, "question": string | null, "response": string | null,
 "outcome"?: "completed" | "blocked", "options"?: [string, …]}

status   | current_step | next_action              | question | response
continue | required     | required, both non-empty | null     | null
ask_user | required     | null                     | required | null
done     | optional     | null                     | null     | optional: the item's conclusion

# Rules
${COMMON_RULES}
- Work on the current item only. Never rewrite the plan and never do another item's work.
- One action at most. "input" is the tool's command line or JSON, exactly as the tool's usage says.
- "continue" calls a tool. "ask_user" asks the user one question that only they can answer. "done" ends this item, not the task.
- Don't repeat an action that gave what it gives; after a failure change the input, or say that the item can't be done.
- An item that could not be done ends with "done", "outcome": "blocked" and the reason in "response". Without "outcome" it
  counts as completed, so never leave it out when what the item was for did not happen.
- Don't ask again what the user has answered. With "ask_user", "options" may give up to 10 short answers to choose from; the
  user may always answer otherwise.`;

const NARROWED: Record<ThoughtStatus, string> = {
  continue: 'no tool may be called now (too many failures or rounds)',
  ask_user: 'no more questions may be asked',
  done: 'the item may not be ended',
};
const STATUSES = Object.keys(NARROWED) as ThoughtStatus[];

const mayRule = (may: ThoughtStatus[]): string => {
  const not = STATUSES.filter((status) => !may.includes(status));
  const allowed = may.map((status) => `"${status}"`).join(' or ');
  if (not.length === 0) return `Your status may be ${allowed}.`;
  return `Your status may now only be ${allowed}: ${not.map((status) => NARROWED[status]).join('; ')}. Anything else is refused.`;
};

const executorSection = (executor: ExecutorUsage | undefined): string | null =>
  executor?.prompt ? `# Your role: ${executor.name}\n${executor.prompt}` : null;

const currentLine = (item: PlanItem | null): string => {
  if (item === null) return 'The plan is empty: there is no item to work on. Conclude, or ask what you must know.';
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

/** The item's earlier observations, each a piece of its own, so that a cache that has the first ones need not read them again. */
const earlierParts = (shown: string[]): PromptPart[] =>
  shown.map((text, i) => ({
    text: i === 0 ? `Observations of this item, oldest first:\n${text}` : text,
    ...(i === shown.length - 1 && { isStable: true }),
  }));

/**
 * The item's own observations, in full but where they are very many. The newest follows the thought that asked for it, as in a conversation; earlier
 * ones, whose thoughts are no longer kept, stand before.
 */
const ownObservations = (task: TaskContext, item_id: string | null): { earlier: PromptPart[]; last: Exchange[] } => {
  const numbered = task.observations.map((observation, i) => ({ observation, number: i + 1 }));
  const ofItem = numbered.filter(({ observation }) => observation.item_id === item_id);
  const max = shareOf(ofItem.length, OBSERVATION_CHARS_MAX, OWN_OBSERVATIONS_CHARS_SHOWN);
  const own = ofItem.map(({ observation, number }) => ({
    observation,
    shown: observationBlock(observation, number, max),
  }));
  const thought = task.last_thought_snapshot;
  const newest = own.at(-1)?.observation;
  const isReply =
    newest !== undefined && thought?.next_action?.tool === newest.tool && thought.next_action.input === newest.input;
  return {
    earlier: earlierParts((isReply ? own.slice(0, -1) : own).map(({ shown }) => shown)),
    last: isReply ? [{ assistant: JSON.stringify(thought), user: [changing(own.at(-1)!.shown)] }] : [],
  };
};

const lastThought = (task: TaskContext): string | null =>
  task.last_thought_snapshot === null
    ? null
    : `Your last thought, on this or an earlier item:\n${block('thought', {}, JSON.stringify(task.last_thought_snapshot))}`;

/**
 * The prompt for the next move on one item; it shows the allowed tools alone, and other items only by their results. What any
 * thought of the task repeats comes first, then what those on items with the same tools do, then this item's, and at the end the counts and the time.
 */
export const thoughtPrompt = (request: ModelRequest): Prompt => {
  const { task, item_id, may, tools, executors, instructions, now, timezone } = request;
  const item = task.plan_items.find(({ id }) => id === item_id) ?? null;
  const executor = executors.find(({ name }) => name === item?.executor);
  const { earlier, last } = ownObservations(task, item_id);
  const ask = changing(
    failuresSection(task),
    counts(task),
    mayRule(may),
    timeLine({ now, timezone }),
    'What is your next move?',
  );
  const context = [
    stable(goalBlock(task), conversationSection(task)),
    changing(
      clarificationsSection(task),
      planSection('The plan', task.plan_items),
      pastSection(task),
      currentLine(item),
    ),
    ...earlier,
  ];
  return {
    system: keptSystem(['thought', task.language, instructions, executor, ...tools], () =>
      inRow([
        stable(`${CONTRACT}\n${languageRule(task.language)}`, instructionsSection(instructions)),
        stable(toolsSection('Tools that you may call', tools), executorSection(executor)),
      ]),
    ),
    messages:
      last.length === 0
        ? conversation([...context, changing(lastThought(task)), ask], [])
        : conversation(
            context,
            last.map((exchange) => ({ ...exchange, user: [...exchange.user, ask] })),
          ),
  };
};
