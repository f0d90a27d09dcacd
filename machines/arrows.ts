import { type AnyStateNode, type AnyTransitionDefinition, createEmptyActor } from 'xstate';
import type { TaskEvent, TaskOpened } from '../contracts/event.ts';
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

/** A guard as its definition says it: a name, or names that XState's `and` and `not` combine. */
const guardText = (guard: unknown): string => {
  if (typeof guard !== 'function' || !('guards' in guard) || !Array.isArray(guard.guards)) return typeOf(guard);
  const texts = guard.guards.map(guardText);
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
