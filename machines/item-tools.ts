import type { PlanItem, PlanItemAnswer } from '../contracts/answer.ts';
import { messages } from '../contracts/messages/messages.ts';
import type { Catalogue, TaskContext } from '../contracts/task.ts';

/** The last part of a qualified name: `water` of `functions.water` and `mcp__garden__water`. */
const lastPart = (name: string): string => name.split(/[.:/]|__/).at(-1) ?? name;

/** The one tool that a name means: that of exactly this name, else in another case, else of the same last part; the name itself where that is not certain. */
const toolNamed = (given: string, names: string[]): string => {
  if (names.includes(given)) return given;
  const lower = given.toLowerCase();
  const inOtherCase = names.filter((name) => name.toLowerCase() === lower);
  const found =
    inOtherCase.length > 0 ? inOtherCase : names.filter((name) => lastPart(name.toLowerCase()) === lastPart(lower));
  return found.length === 1 ? found[0]! : given;
};

/** A plan with its items' tools under the names that the task has for them (SPEC 5). */
export const withToolNames = (plan: PlanItemAnswer[], catalogue: Catalogue): PlanItemAnswer[] => {
  const names = catalogue.tools.map(({ name }) => name);
  return plan.map((item) =>
    typeof item === 'string' || !item.tools?.length
      ? item
      : { ...item, tools: [...new Set(item.tools.map((tool) => toolNamed(tool, names)))] },
  );
};

/** Why an item could never act: its executor has tools, but not those that the item names; null where each item can. An item that the plan had before is accepted: its tools have been removed since. */
export const toolsRejection = (items: readonly PlanItem[], context: TaskContext): string | null => {
  const { catalogue, language } = context;
  const stays = new Set(context.plan_items.map(({ id }) => id));
  for (const { id, tools, executor } of items) {
    if (tools === null || stays.has(id)) continue;
    const limit = catalogue.executors.find(({ name }) => name === executor)?.tools ?? null;
    const names = catalogue.tools.map(({ name }) => name).filter((name) => limit === null || limit.includes(name));
    if (names.length > 0 && !tools.some((tool) => names.includes(tool)))
      return messages(language).rejections.itemTools(id, tools, names);
  }
  return null;
};
