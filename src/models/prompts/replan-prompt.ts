import type { PlanItem } from '../../../contracts/answer.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import type { ModelRequest } from '../port.ts';
import { conversation } from './conversation.ts';
import { RECENT_OBSERVATION_CHARS_SHOWN, RECENT_OBSERVATIONS_SHOWN } from './limits.ts';
import { ITEM_SHAPE } from './plan-prompt.ts';
import { planningSystem } from './planning-system.ts';
import { changing, type Prompt, stable } from './prompt-text.ts';
import {
  clarificationsSection,
  conversationSection,
  failuresSection,
  goalBlock,
  notesSection,
  observationBlock,
  pastSection,
  planSection,
  timeLine,
} from './shared-context.ts';
import { COMMON_RULES } from './shared-system.ts';

const contract = (itemsMax: number): string => `Contract: replan
You decide whether the task is finished. Either you give the work still to do, or the answer that ends the task.

# Answer
{"status": "replanned" | "done", "plan": [item, …], "response": string | null, "outcome"?: "completed" | "failed"}

status    | plan                                      | response
replanned | the work still to do, at least one item   | null
done      | []                                        | the whole answer to the user, not empty

${ITEM_SHAPE}

# Rules
${COMMON_RULES}
- "replanned" replaces what remains of the plan: list everything still to do, keep the ids of items that stay, and leave
  out what is completed. "depends_on" may name completed items. At most ${itemsMax} items.
- "done" ends the task: nobody adds to your response, so say what was found or made, not that it was.
- What the user said since counts: change the plan when an answer or a steer asks for it.
- To give up is "done" with "outcome": "failed": say what failed and why, and what the user can do. Without "outcome" the
  goal counts as reached. Never claim what no result shows, and never present a blocked item as done.`;

const remaining = (item: PlanItem): boolean => item.status === 'not_started' || item.status === 'in_progress';
const isDropped = (item: PlanItem): boolean => item.status === 'dropped';

const recentObservations = (task: TaskContext): string => {
  const first = Math.max(0, task.observations.length - RECENT_OBSERVATIONS_SHOWN);
  const recent = task.observations.slice(first);
  if (recent.length === 0) return 'Recent observations: none.';
  const blocks = recent.map((observation, i) =>
    observationBlock(observation, first + i + 1, RECENT_OBSERVATION_CHARS_SHOWN),
  );
  return ['Recent observations, oldest first:', ...blocks].join('\n');
};

const abandonedLine = (task: TaskContext): string | null =>
  task.abandoned_items.length === 0
    ? null
    : `Given up for good, so nothing may wait for them: ${task.abandoned_items.map((id) => JSON.stringify(id)).join(', ')}`;

/** The prompt for what comes next: the whole task so far, with every tool that new items could use. */
export const replanPrompt = (request: ModelRequest): Prompt => {
  const { task, now, timezone } = request;
  return {
    system: planningSystem(contract, request),
    messages: conversation(
      [
        stable(goalBlock(task), conversationSection(task)),
        changing(
          clarificationsSection(task),
          pastSection(task),
          planSection('Remaining plan', task.plan_items.filter(remaining)),
          planSection('Dropped', task.plan_items.filter(isDropped)),
          abandonedLine(task),
          recentObservations(task),
          notesSection(task),
          failuresSection(task),
          `Steps used: ${task.step_count} of ${task.step_limit}.`,
          timeLine({ now, timezone }),
          'Is the task finished? Give the rest of the plan, or the answer.',
        ),
      ],
      [],
    ),
  };
};
