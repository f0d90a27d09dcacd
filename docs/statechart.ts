import { writeFileSync } from 'node:fs';
import type { AnyStateNode } from 'xstate';
import { Effect } from '../contracts/event.ts';
import { type Arrow, enteredState, entryActions, statesOf, taskArrows } from '../machines/arrows.ts';
import { MACHINE, taskMachine } from '../machines/task-machine.ts';

/** The page that `node docs/statechart.ts` writes. */
export const page = new URL('./statechart.md', import.meta.url);

/** States are named by their own key; the two gates also need their parent's. */
const nameOf = (node: AnyStateNode): string => (node.key === 'gate' ? `${node.parent?.key}_gate` : node.key);

const drawn = ({ from, event, guard, to }: Arrow): string => {
  const label = [event, guard === null ? null : `[${guard}]`].filter((part) => part !== null).join(' ');
  return `  ${nameOf(from)} --> ${nameOf(to ?? from)}${label === '' ? '' : `: ${label}`}`;
};

const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;
const code = (text: string): string => `\`${text}\``;

/** The row of a transition: its event, guard, target and actions, and the states that have it. */
const transitionRow = ([same, arrows]: [string, Arrow[]]): string => {
  const from = arrows.map(({ from }) =>
    from.type === 'compound' ? `any state of ${code(from.key)}` : code(nameOf(from)),
  );
  return row([same, from.join(', ')]);
};

const transition = ({ event, guard, to, actions }: Arrow): string =>
  [
    event === null ? 'at once' : code(event),
    guard === null ? '' : code(guard),
    to === null ? 'stays' : code(nameOf(to)),
    actions.map(code).join(', '),
  ].join(' | ');

const EFFECTS: ReadonlySet<string> = new Set(Effect.options.map((option) => option.shape.type.value));

const effectRow = (node: AnyStateNode): string[] =>
  entryActions(node)
    .filter((type) => EFFECTS.has(type))
    .map((type) => row([code(nameOf(node)), code(type)]));

/** A state's position in the hierarchy, as an item of a nested list, with its inner states below it. */
const outline = (node: AnyStateNode): string[] => {
  const kind = node.type === 'final' ? ', final' : '';
  const indent = '  '.repeat(node.path.length - 1);
  return [`${indent}- ${code(node.key)}${kind}`, ...Object.values(node.states).flatMap(outline)];
};

/** The task machine as a page of Markdown, drawn from its definition alone, so that it is never out of date. */
export const statechart = (): string => {
  const nodes = statesOf(taskMachine.root);
  const arrows = taskArrows();
  const inDiagram = arrows.filter(({ from, to }) => to !== null && from.type !== 'compound');
  const ends = nodes.filter((node) => node.type === 'final');
  return [
    `# The task machine, ${code(MACHINE)}`,
    '',
    'Written by `node docs/statechart.ts` from the machine itself; a test checks that it is up to date.',
    'A guard stands in brackets; the first whose guard is true is taken. An arrow without an event is taken at once.',
    "Each call of a model's message that is taken is an arrow of its own: a chain has no states.",
    'Not drawn: events that any state inside another takes, such as a cancel; the table below has those.',
    '',
    '## States',
    '',
    ...Object.values(taskMachine.root.states).flatMap(outline),
    '',
    '## Transitions',
    '',
    '```mermaid',
    'stateDiagram-v2',
    `  [*] --> ${nameOf(enteredState(taskMachine.root))}`,
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
    '## Transitions that are not drawn',
    '',
    row(['Event', 'Guard', 'To', 'Actions', 'From']),
    row(['---', '---', '---', '---', '---']),
    ...[
      ...Map.groupBy(
        arrows.filter((arrow) => !inDiagram.includes(arrow)),
        transition,
      ),
    ].map(transitionRow),
    '',
  ].join('\n');
};

if (import.meta.main) writeFileSync(page, statechart());
