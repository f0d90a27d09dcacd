import type { ModelRequest } from '../port.ts';
import { keptSystem } from './kept-system.ts';
import { inRow, type Prompt, stable } from './prompt-text.ts';
import { executorsSection, instructionsSection, languageRule, toolsSection } from './shared-system.ts';

/** The system prompt of the two contracts that plan. `contract` says one, given how many items a plan may have. */
export const planningSystem = (
  contract: (itemsMax: number) => string,
  { task, tools, executors, instructions }: ModelRequest,
): Prompt['system'] => {
  const itemsMax = task.limits.max_plan_items;
  return keptSystem([contract, itemsMax, task.language, instructions, executors, ...tools], () =>
    inRow([
      stable(
        `${contract(itemsMax)}\n${languageRule(task.language)}`,
        instructionsSection(instructions),
        toolsSection('Tools that items can use', tools),
        executorsSection(executors),
      ),
    ]),
  );
};
