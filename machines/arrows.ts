import { type AnyStateNode, type AnyTransitionDefinition, createEmptyActor } from 'xstate';
import type { TaskEvent, TaskOpened } from '../contracts/event.ts';
import type { TaskContext } from '../contracts/task.ts';
import { pendingAction } from './approvals.ts';
import { taskGuards } from './guards.ts';
import type { Task } from './step.ts';
import { inertScope, machineSnapshot } from './step.ts';
import { taskMachine } from './task-machine.ts';

/** One transition of the task machine, as its definition has it. */
export interface Arrow {
  /** Its source's path, its event, and its place among those of the same event, such as `open.working.outer.gate always 4`. */
  id: string;
  from: AnyStateNode;
  /** Null for a transition without an event. */
  event: string | null;
  guard: string | null;
  /** The innermost state that it enters; null where the task stays in its state. */
  to: AnyStateNode | null;
  actions: string[];
  definition: AnyTransitionDefinition;
}

/** A state's keys from the root on, such as `open.working.outer.inner.thinking`; empty for the root. */
export const pathOf = (node: AnyStateNode): string => node.path.join('.');

/** The state that a transition into a compound state enters: its initial state, and so on. */
export const enteredState = (node: AnyStateNode): AnyStateNode => {
  const [initial] = node.initial?.target ?? [];
  return initial === undefined ? node : enteredState(initial);
};

/** The guards that XState's `and` combines, or the one that its `not` turns around; null for a guard by its name. */
const combined = (guard: unknown): unknown[] | null =>
  typeof guard === 'function' && 'guards' in guard && Array.isArray(guard.guards) ? guard.guards : null;

/** A guard as its definition says it: a name, or names that XState's `and` and `not` combine. */
const guardText = (guard: unknown): string => {
  const texts = combined(guard)?.map(guardText);
  if (texts === undefined) return typeOf(guard);
  return texts.length === 1 ? `not ${texts[0]}` : texts.join(' and ');
};

const typeOf = (named: unknown): string => {
  if (typeof named === 'string') return named;
  if (typeof named === 'object' && named !== null && 'type' in named && typeof named.type === 'string')
    return named.type;
  throw new Error('only named guards and actions can be drawn');
};

const arrowOf = (definition: AnyTransitionDefinition, event: string | null, index: number): Arrow => {
  const { source: from, guard, target, actions } = definition;
  const [to] = target ?? [];
  return {
    id: `${pathOf(from)} ${event ?? 'always'} ${index}`,
    from,
    event,
    guard: guard === undefined ? null : guardText(guard),
    to: to === undefined ? null : enteredState(to),
    actions: actions.map(typeOf),
    definition,
  };
};

const arrowsFrom = (node: AnyStateNode): Arrow[] => [
  ...(node.always ?? []).map((transition, i) => arrowOf(transition, null, i)),
  ...[...node.transitions].flatMap(([event, all]) => all.map((transition, i) => arrowOf(transition, event, i))),
];

/** A state and all states inside it, outermost first. */
export const statesOf = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(statesOf)];

/** The effects and other actions that a state asks for when it is entered, by name. */
export const entryActions = (node: AnyStateNode): string[] => node.entry.map(typeOf);

/** Every transition of the task machine, by source, in the order in which their guards are tried. */
export const taskArrows = (): Arrow[] => statesOf(taskMachine.root).flatMap(arrowsFrom);

/** The verdict of a guard on a task, whatever its next event contains; null: the event decides. */
const verdictOf = (guard: unknown, context: TaskContext): boolean | null => {
  if (guard === undefined) return true;
  const verdicts = combined(guard)?.map((each) => verdictOf(each, context));
  if (verdicts === undefined) {
    const known: Partial<Record<string, (scope: { context: TaskContext }) => boolean>> = taskGuards;
    return known[typeOf(guard)]?.({ context }) ?? null;
  }
  const [only, ...others] = verdicts;
  if (others.length === 0) return only == null ? null : !only;
  if (verdicts.includes(false)) return false;
  return verdicts.includes(null) ? null : true;
};

/** Of transitions that are tried in this order, those that a task may take. */
const untilCertain = (arrows: readonly Arrow[], context: TaskContext): Arrow[] => {
  const verdicts = arrows.map(({ definition }) => verdictOf(definition.guard, context));
  const certain = verdicts.indexOf(true);
  return arrows.filter((_, i) => verdicts[i] !== false && (certain === -1 || i <= certain));
};

/** The transitions that a task's next event may take, by what the task already says of their guards. */
export const possibleArrows = ({ state, context }: Task): Arrow[] => {
  const possible: Arrow[] = [];
  for (let node: AnyStateNode | undefined = taskMachine.getStateNodeById(state); node; node = node.parent)
    for (const arrows of Map.groupBy(arrowsFrom(node), ({ event }) => event).values())
      possible.push(...untilCertain(arrows, context));
  // No guard says this of decisions, but a law.
  return pendingAction(context) === null ? possible.filter(({ event }) => event !== 'decision.received') : possible;
};

/** Makes a function that says which transitions an accepted event takes, in order. It executes no action. `before` null: it opens a task. */
export const createArrowTracer = () => {
  const arrows = new Map(taskArrows().map((arrow) => [arrow.definition, arrow]));
  const actor = createEmptyActor();
  const scope = { ...inertScope(actor), actionExecutor: () => {} };
  const taken: Arrow[] = [];
  actor.system.inspect((inspected) => {
    if (inspected.type !== '@xstate.microstep') return;
    for (const definition of inspected._transitions) {
      const arrow = arrows.get(definition);
      if (arrow !== undefined) taken.push(arrow);
    }
  });
  return (before: Task | null, event: TaskOpened | TaskEvent): Arrow[] => {
    if (event.type === 'task.opened') taskMachine.getInitialSnapshot(scope, event);
    else if (before !== null) taskMachine.transition(machineSnapshot(before), event, scope);
    return taken.splice(0);
  };
};
