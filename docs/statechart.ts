import { writeFileSync } from 'node:fs';
import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { Effect } from '../contracts/effect.ts';
import { MACHINE, taskMachine } from '../machines/task-machine.ts';

/** The page that `node docs/statechart.ts` writes. */
export const page = new URL('./statechart.md', import.meta.url);

interface Arrow {
  from: AnyStateNode;
  /** Null for a transition without an event. */
  event: string | null;
  guard: string | null;
  /** Null where the task stays in its state. */
  to: AnyStateNode | null;
  actions: string[];
}

/** States are named by their own key; only the two gates need their parent's as well. */
const nameOf = (node: AnyStateNode): string => (node.key === 'gate' ? `${node.parent?.key}_gate` : node.key);

const nodesOf = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(nodesOf)];

/** The state that a transition into a compound state enters: its initial state, and so on. */
const entered = (node: AnyStateNode): AnyStateNode => {
  const [initial] = node.initial?.target ?? [];
  return initial === undefined ? node : entered(initial);
};

const typeOf = (named: unknown): string => {
  if (typeof named === 'string') return named;
  if (typeof named === 'object' && named !== null && 'type' in named && typeof named.type === 'string')
    return named.type;
  throw new Error('only named guards and actions can be drawn');
};

const arrowsOf = (from: AnyStateNode): Arrow[] => {
  const arrow = (event: string | null, { guard, target, actions }: AnyTransitionDefinition): Arrow => {
    const [to] = target ?? [];
    return {
      from,
      event,
      guard: guard === undefined ? null : typeOf(guard),
      to: to === undefined ? null : entered(to),
      actions: actions.map(typeOf),
    };
  };
  return [
    ...(from.always ?? []).map((transition) => arrow(null, transition)),
    ...[...from.transitions].flatMap(([event, all]) => all.map((transition) => arrow(event, transition))),
  ];
};

/** True for an event with the same target in several states: only the table has it, so that the diagram stays readable. */
const isEverywhere = ({ event }: Arrow, all: Arrow[]): boolean => {
  const same = all.filter((other) => other.event === event);
  return event !== null && same.length > 1 && same.every((other) => other.guard === null && other.to === same[0]?.to);
};

const drawn = ({ from, event, guard, to }: Arrow): string => {
  const label = [event, guard === null ? null : `[${guard}]`].filter((part) => part !== null).join(' ');
  return `  ${nameOf(from)} --> ${nameOf(to ?? from)}${label === '' ? '' : `: ${label}`}`;
};

const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;
const code = (text: string): string => `\`${text}\``;

const transitionRow = ({ from, event, guard, to, actions }: Arrow): string =>
  row([
    from.type === 'compound' ? `any state of ${code(from.key)}` : code(nameOf(from)),
    event === null ? 'at once' : code(event),
    guard === null ? '' : code(guard),
    to === null ? 'stays' : code(nameOf(to)),
    actions.map(code).join(', '),
  ]);

const EFFECTS: ReadonlySet<string> = new Set(Effect.options.map((option) => option.shape.type.value));

const effectRow = (node: AnyStateNode): string[] =>
  node.entry
    .map(typeOf)
    .filter((type) => EFFECTS.has(type))
    .map((type) => row([code(nameOf(node)), code(type)]));

/** The task machine as a page of Markdown, drawn from its definition alone, so that it is never out of date. */
export const statechart = (): string => {
  const nodes = nodesOf(taskMachine.root);
  const arrows = nodes.flatMap(arrowsOf);
  const inDiagram = arrows.filter(
    (arrow) => arrow.to !== null && arrow.from.type !== 'compound' && !isEverywhere(arrow, arrows),
  );
  const isLeft = (from: AnyStateNode): boolean => arrows.some((arrow) => arrow.from === from && arrow.to !== null);
  const ends = Object.values(taskMachine.root.states).filter((node) => !isLeft(node));
  return [
    `# The task machine, ${code(MACHINE)}`,
    '',
    'Written by `node docs/statechart.ts` from the machine itself; a test checks that it is up to date.',
    'A guard stands in brackets; the first whose guard is true is taken. An arrow without an event is taken at once.',
    'Not drawn: events that lead to the same state from many states, such as a cancel. The table below has everything.',
    '',
    '```mermaid',
    'stateDiagram-v2',
    `  [*] --> ${nameOf(entered(taskMachine.root))}`,
    ...inDiagram.map(drawn),
    ...ends.map((node) => `  ${nameOf(node)} --> [*]`),
    '```',
    '',
    '## Effects by state',
    '',
    row(['State', 'Effect']),
    row(['---', '---']),
    ...nodes.flatMap(effectRow),
    '',
    '## Every transition',
    '',
    row(['From', 'Event', 'Guard', 'To', 'Actions']),
    row(['---', '---', '---', '---', '---']),
    ...arrows.map(transitionRow),
    '',
  ].join('\n');
};

if (import.meta.main) writeFileSync(page, statechart());
