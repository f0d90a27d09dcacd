import type { ModelRequest } from '../port.ts';
import { conversation } from './conversation.ts';
import { planningSystem } from './planning-system.ts';
import { changing, type Prompt } from './prompt-text.ts';
import { clarificationsSection, conversationSection, failuresSection, goalBlock, timeLine } from './shared-context.ts';
import { COMMON_RULES } from './shared-system.ts';

/** How a plan item is written, in the plan and the replan contract. */
export const ITEM_SHAPE = `An item is a non-empty string (the step), or
  {"id": string, "step": string, "depends_on"?: [id, …], "executor"?: string, "tools"?: [tool name, …], "expected"?: string}
Ids are unique. "depends_on" names items that must be completed first, and never forms a circle. "tools" narrows what the
item may use; without it, all that its executor has. "expected" says what the item should give.`;

const contract = (itemsMax: number): string => `Contract: plan
You plan a task. Another call will carry out the items one by one; you only say what they are.

# Answer
{"status": "planned", "goal"?: string, "plan": [item, …]}
${ITEM_SHAPE}

# Rules
${COMMON_RULES}
- Never answer the user here and do none of the work: the plan is all you give.
- One item is one piece of work that a tool or a decision can finish. At most ${itemsMax} items; fewer are better.
- A goal that needs no work (a greeting, a question you can answer at once) has an empty plan: "plan": [].
- Something the user has yet to tell you is no reason not to plan: the item that needs it can ask.`;

/** The prompt for a task's first plan: goal, tools, executors. It shows no plan, as there is none yet. */
export const planPrompt = (request: ModelRequest): Prompt => {
  const { task, now, timezone } = request;
  return {
    system: planningSystem(contract, request),
    messages: conversation(
      [
        changing(
          goalBlock(task),
          conversationSection(task),
          clarificationsSection(task),
          failuresSection(task),
          timeLine({ now, timezone }),
          'Give the plan.',
        ),
      ],
      [],
    ),
  };
};
