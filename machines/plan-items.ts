import type { PlanItem, PlanItemAnswer, ThoughtStatus } from '../contracts/answer.ts';
import { messages } from '../contracts/messages/messages.ts';
import type { TaskContext } from '../contracts/task.ts';

/** The plan item being worked on; null for an empty plan and past the plan's end. */
export const currentItem = (context: TaskContext): PlanItem | null =>
  context.plan_items[context.current_plan_index] ?? null;

/** True for an item that is still to be done or being done. */
export const isOpen = (item: PlanItem): boolean => item.status === 'not_started' || item.status === 'in_progress';

export const hasOpenItems = (context: TaskContext): boolean => context.plan_items.some(isOpen);

/** True for a task that looks first: its user has not agreed to the plan yet, and only reading tools may be called (SPEC 3, confirm_plan). */
export const isLooking = ({ confirm_plan, plan_confirmed }: TaskContext): boolean =>
  confirm_plan === 'after_looking' && !plan_confirmed;

/** True where a task that replans when needed has nothing to replan for: nothing failed and nothing was said since the last replan (SPEC 3). */
export const isReplanSpareable = (context: TaskContext): boolean => {
  const { replan, needs_replan, steered, failed_since_replan } = context;
  // The plan of a task that looks first is shown after a replan.
  return replan === 'when_needed' && !needs_replan && !steered && !failed_since_replan && !isLooking(context);
};

/** True where the conclusion of an empty plan's thought may be the answer (SPEC 3, `when_needed`). A schema is met by a replan's answer alone. */
export const mayConclude = (context: TaskContext): boolean =>
  context.plan_items.length === 0 && context.answer_schema === null && isReplanSpareable(context);

/** The items completed so far, in this plan and in earlier ones, oldest first. */
export const completedItems = (context: TaskContext): PlanItem[] =>
  context.past_items.filter(({ status }) => status === 'completed');

/** The index of the first open item in plan order whose dependencies are all completed (SPEC 3); -1 without such an item. */
export const nextItemIndex = (context: TaskContext): number => {
  const completed = new Set(completedItems(context).map(({ id }) => id));
  const inPlan = new Map(context.plan_items.map((item) => [item.id, item]));
  const isMet = (id: string): boolean => {
    const item = inPlan.get(id);
    return item === undefined ? completed.has(id) : item.status === 'completed';
  };
  return context.plan_items.findIndex((item) => isOpen(item) && item.depends_on.every(isMet));
};

/** Names of the tools that the current item allows (SPEC 5): its own that its executor has too, else all of the executor's; while the task looks, those that only read. Empty where only the tools that every item has would be left. */
export const allowedTools = (context: TaskContext): string[] => {
  const item = currentItem(context);
  if (item === null) return [];
  const executor = context.catalogue.executors.find(({ name }) => name === item.executor);
  // Sets, because a catalogue and an executor's list may both be long.
  const limits: Set<string>[] = [];
  for (const tools of [executor?.tools, item.tools]) if (tools != null) limits.push(new Set(tools));
  const names: string[] = [];
  let isAlone = true;
  const looks = isLooking(context);
  for (const { name, always, writes } of context.catalogue.tools) {
    if (looks && writes) continue;
    if (always !== true && !limits.every((tools) => tools.has(name))) continue;
    names.push(name);
    isAlone &&= always === true;
  }
  return isAlone ? [] : names;
};

/** True once failures in a row have used up the thought's freedom to act (SPEC 6). */
export const isNarrowedByFailures = (context: TaskContext): boolean =>
  context.consecutive_failures >= context.limits.failure_limit;

/** The statuses that the next thought may have: narrowed by an empty plan, failures, rounds and questions asked (SPEC 3, 6). */
export const allowedStatuses = (context: TaskContext, tools = allowedTools(context)): ThoughtStatus[] => {
  const isNarrowed =
    currentItem(context) === null ||
    isNarrowedByFailures(context) ||
    context.rounds > context.limits.max_rounds_per_item ||
    tools.length === 0;
  const may: ThoughtStatus[] = isNarrowed ? [] : ['continue'];
  if (context.questions_asked < context.limits.max_questions) may.push('ask_user');
  may.push('done');
  return may;
};

/** A model's plan made into plan items, with notes on what had to be changed; or why it fails its contract. */
export type PlannedItems =
  | { ok: true; items: PlanItem[]; notes: string[]; itemsNumbered: number }
  | { ok: false; reason: string };

/** Tags that name an executor by another word than its name (SPEC 5). */
const TAG_NAMES: Record<string, string> = { code: 'coding_agent' };

/** The executor that an item runs under: its `executor`, else its step's tag, else `default`; null if unknown. */
const executorOf = (
  item: { step: string; executor?: string | undefined },
  { executors }: TaskContext['catalogue'],
): string | null => {
  const wanted = (item.executor ?? executorTag(item.step))?.toLowerCase();
  if (wanted === undefined) return 'default';
  const known = TAG_NAMES[wanted] ?? wanted;
  return executors.find(({ name }) => name.toLowerCase() === known)?.name ?? null;
};

/** The first item of each step's text: looked up, because comparing each with each takes long where texts begin alike. */
const firstByStep = (items: PlanItem[]): Map<string, PlanItem> =>
  new Map(items.toReversed().map((item) => [item.step, item]));

/** Ids that a dependency may be kept under: those of this plan and of the task's earlier items, except items skipped as repeated. */
const knownIds = (ids: Iterable<string>, context: TaskContext): Set<string> =>
  new Set([
    ...ids,
    ...context.plan_items.filter(({ status }) => status !== 'completed').map(({ id }) => id),
    ...context.past_items.map(({ id }) => id),
    ...context.abandoned_items,
  ]);

/** Gives the id that a dependency is kept under (SPEC 3): that of the answer's own item, else of the newest ended one, or of the one it repeated. */
const dependencyIds = (own: ReadonlyMap<string, string>, context: TaskContext): ((name: string) => string) => {
  const newest = new Map(context.past_items.flatMap(({ id, name = id }) => [[id, id] as const, [name, id] as const]));
  const repeated = firstByStep(completedItems(context));
  const skipped = new Map<string, string | undefined>();
  for (const { id, step, status } of context.plan_items)
    if (status === 'completed') skipped.set(id, repeated.get(step)?.id);
  return (name) => own.get(name) ?? newest.get(name) ?? skipped.get(name) ?? name;
};

/** Characters of a name that an id made from it keeps, so that its number finds room. */
const NAME_KEPT_CHARS = 58;

/** An entry of an answer that has an id of its own, which is a name within the answer. */
type NamedEntry = Extract<PlanItemAnswer, { id: string }>;

/** Makes the ids of an answer's items unique over the task (SPEC 3): a name stays where no other step has had it as its id. */
const createItemIds = (named: readonly NamedEntry[], context: TaskContext) => {
  const steps = new Map([...context.past_items, ...context.plan_items].map(({ id, step }) => [id, step]));
  const stays = ({ id, step }: NamedEntry): boolean =>
    steps.has(id) ? steps.get(id) === step : !context.abandoned_items.includes(id);
  const taken = new Set(named.filter(stays).map(({ id }) => id));
  const used = new Set([...taken, ...steps.keys(), ...context.abandoned_items]);
  const open = firstByStep(context.plan_items.filter(({ status }) => status !== 'completed'));
  let count = context.items_numbered;
  const newId = (name: string): string => {
    let copies = 1;
    const next = /^\d*$/.test(name) ? () => String(++count) : () => `${name.slice(0, NAME_KEPT_CHARS)}-${++copies}`;
    let id = next();
    while (used.has(id)) id = next();
    used.add(id);
    return id;
  };
  return {
    idOf: (entry: { step: string } | NamedEntry): string => {
      if ('id' in entry && stays(entry)) return entry.id;
      const same = open.get(entry.step)?.id;
      if (same === undefined || taken.has(same)) return newId('id' in entry ? entry.id : '');
      taken.add(same);
      return same;
    },
    count: () => count,
  };
};

/** The items in an order in which each follows those of this plan that it depends on. Items in a cycle are left out. */
const dependencyOrder = (items: PlanItem[]): PlanItem[] => {
  const own = new Set(items.map((item) => item.id));
  const order = new Map<string, PlanItem>();
  const isNext = ({ id, depends_on }: PlanItem): boolean =>
    !order.has(id) && depends_on.every((needed) => !own.has(needed) || order.has(needed));
  for (let next = items.find(isNext); next !== undefined; next = items.find(isNext)) order.set(next.id, next);
  return [...order.values()];
};

/** An id that two entries of an answer have; undefined where each has one of its own. */
const idGivenTwice = (named: readonly NamedEntry[]): string | undefined => {
  const ids = new Set<string>();
  for (const { id } of named) {
    if (ids.has(id)) return id;
    ids.add(id);
  }
  return undefined;
};

/** Why the dependencies of an answer's items can never be met: one is unknown, or they form a cycle; null where they can. */
const dependencyFault = (items: PlanItem[], own: Iterable<string>, context: TaskContext): string | null => {
  if (items.every(({ depends_on }) => depends_on.length === 0)) return null;
  const texts = messages(context.language).rejections;
  const known = knownIds(own, context);
  for (const item of items)
    for (const id of item.depends_on) if (!known.has(id)) return texts.unknownDependency(item.id, id);
  return dependencyOrder(items).length < items.length ? texts.cycle : null;
};

/** As many items as a plan may have: the first in plan order, and no item without those that it depends on. Completed items do not count. */
const withinPlanLimit = (items: PlanItem[], context: TaskContext): PlanItem[] => {
  if (items.length <= context.limits.max_plan_items) return items;
  const max = context.limits.max_plan_items + skipRepeated(items, context).index;
  if (items.length <= max) return items;
  const first = new Set(dependencyOrder(items).slice(0, max));
  return items.filter((item) => first.has(item));
};

/** Makes plan items of what a model listed (SPEC 3, 5, 6). Refuses an id used twice, an unknown dependency and a cycle; drops no step in silence. */
export const planItems = (answer: PlanItemAnswer[], context: TaskContext): PlannedItems => {
  const { rejections: texts, taskNotes: noted } = messages(context.language);
  const entries = answer.map((entry) => (typeof entry === 'string' ? { step: entry } : entry));
  const named = entries.filter((entry) => 'id' in entry);
  const twice = idGivenTwice(named);
  if (twice !== undefined) return { ok: false, reason: texts.duplicateId(twice) };
  const ids = createItemIds(named, context);
  const given = entries.map((entry) => {
    const bare = { executor: undefined, tools: undefined, expected: undefined, depends_on: undefined };
    const id = ids.idOf(entry);
    return { ...bare, ...entry, id, name: 'id' in entry && entry.id !== id ? entry.id : undefined };
  });
  const own = new Map(given.map(({ id, name = id }) => [name, id]));
  const dependsOnNothing = given.every((entry) => !entry.depends_on?.length);
  const dependencyId = dependsOnNothing ? (name: string) => name : dependencyIds(own, context);
  const toolNames = new Set(context.catalogue.tools.map((tool) => tool.name));
  const notes: string[] = [];
  const items = given.map((entry): PlanItem => {
    const { id, name, step, tools, expected, depends_on } = entry;
    const executor = executorOf(entry, context.catalogue);
    if (executor === null) notes.push(noted.unknownExecutor(id, entry.executor ?? executorTag(step) ?? ''));
    const unknown = (tools ?? []).filter((tool) => !toolNames.has(tool));
    for (const tool of unknown) notes.push(noted.unknownTool(id, tool));
    return {
      id,
      ...(name !== undefined && { name }),
      step,
      status: 'not_started',
      depends_on: [...new Set((depends_on ?? []).map(dependencyId))],
      executor: executor ?? 'default',
      tools: tools?.length ? tools : null,
      expected: expected ?? null,
      result: null,
      rounds: 0,
    };
  });
  const fault = dependencyFault(items, own.values(), context);
  if (fault !== null) return { ok: false, reason: fault };
  const kept = withinPlanLimit(items, context);
  if (kept !== items) notes.push(noted.planCut(items.length, kept.length, context.limits.max_plan_items));
  return { ok: true, items: kept, notes, itemsNumbered: ids.count() };
};

/** The plan items of an answer that was validated. Throws for one that fails its contract. */
export const acceptedItems = (answer: PlanItemAnswer[], context: TaskContext) => {
  const planned = planItems(answer, context);
  if (!planned.ok) throw new Error(`an unacceptable plan went in: ${planned.reason}`);
  return planned;
};

const countSteps = (items: PlanItem[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { step } of items) counts.set(step, (counts.get(step) ?? 0) + 1);
  return counts;
};

/** Marks the leading items that repeat, word for word, items completed already; the rest is still to do (SPEC 3). A step that the plan has again, and open, is no repeat. */
export const skipRepeated = (
  items: PlanItem[],
  { past_items, plan_items }: TaskContext,
): { items: PlanItem[]; index: number } => {
  const completed = firstByStep(past_items.filter(({ status }) => status === 'completed'));
  const open = countSteps(plan_items.filter(isOpen));
  const left = countSteps(items);
  const marked = items.map((item) => {
    const times = left.get(item.step) ?? 0;
    left.set(item.step, times - 1);
    return { item, done: times > (open.get(item.step) ?? 0) ? completed.get(item.step) : undefined };
  });
  const firstNew = marked.findIndex(({ done }) => done === undefined);
  const index = firstNew === -1 ? items.length : firstNew;
  return {
    index,
    items: marked.map(({ item, done }, i) =>
      i < index && done !== undefined
        ? { ...item, status: 'completed', result: done.result, rounds: done.rounds }
        : item,
    ),
  };
};

const TAG = /^\s*[[【]([A-Za-z][\w-]*)[\]】]\s*/;

/** The tag that a step begins with and that names its executor, without its brackets; undefined for a step without a tag (SPEC 5). */
export const executorTag = (step: string): string | undefined => TAG.exec(step)?.[1];

/** A text without the executor tag that it begins with: what is sent outside as a description or an expected output. Never empty. */
export const withoutExecutorTag = (text: string): string => text.replace(TAG, '') || text;
