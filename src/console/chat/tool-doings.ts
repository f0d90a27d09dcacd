import { argumentOf, firstLine } from '../history/call-of-tool.ts';

/** The kinds of work of the built-in tools: the tool, and its command where it has several. */
export const DOINGS = [
  'files list',
  'files read',
  'files write',
  'files append',
  'files replace',
  'files delete',
  'todo add',
  'todo list',
  'todo search',
  'todo get',
  'todo update',
  'todo done',
  'todo delete',
  'view',
  'schedule add',
  'schedule list',
  'schedule get',
  'schedule view',
  'schedule update',
  'schedule repeat',
  'schedule delete',
  'schedule goal',
  'schedule goals',
  'planning create',
  'planning update',
  'planning list',
  'planning get',
  'planning set_active',
  'planning mark_step',
  'planning delete',
  'remember',
  'remember list',
  'remember delete',
  'skill',
  'read_result',
  'internet_search',
  'coding_agent',
] as const;
export type Doing = (typeof DOINGS)[number];

/** A call of a tool. */
interface ToolCall {
  tool: string;
  input: string;
}

/** The names by which commands of a tool begin, other than its own. */
const COMMANDS: Readonly<Record<string, string>> = { planning: 'plan', remember: 'memory' };

/** Commands of lines that have another name in JSON. */
const LONG_NAMES: Readonly<Record<string, string>> = { activate: 'set_active', mark: 'mark_step' };

/** A line's first word and the rest. */
const firstWord = (line: string): readonly [word: string, rest: string] => {
  const [word = ''] = /^\S*/.exec(line) ?? [];
  return [word, line.slice(word.length).trimStart()];
};

/** An input as its command and the rest, whether it is a line or JSON. */
const commandIn = ({ tool, input }: ToolCall): readonly [command: string, rest: string] => {
  const line = input.trimStart().startsWith('{') ? argumentOf(input) : firstLine(input);
  const [name, afterName] = firstWord(line);
  const isNamed = [tool, COMMANDS[tool]].includes(name.replace(/^\//, '').toLowerCase());
  const [command, rest] = firstWord(isNamed ? afterName : line);
  return [LONG_NAMES[command] ?? command.toLowerCase(), rest];
};

const isDoing = (name: string): name is Doing => (DOINGS as readonly string[]).includes(name);

const hasDoings = (tool: string): boolean => DOINGS.some((name) => name.split(' ')[0] === tool);

/** The kind of work of a built-in tool's call; null: another tool's, or no such command. */
export const doingOf = (call: ToolCall): Doing | null => {
  const { tool, input } = call;
  if (!hasDoings(tool)) return null;
  // Such a tool takes commands only with a slash; anything else is what it works with.
  if (isDoing(tool) && !input.trimStart().startsWith('/')) return tool;
  const named = `${tool} ${commandIn(call)[0]}`;
  if (isDoing(named)) return named;
  return isDoing(tool) ? tool : null;
};

/** The argument of a call, without its command. */
export const toldArgument = (call: ToolCall): string => {
  if (!doingOf(call)?.includes(' ')) return argumentOf(call.input);
  const [, rest] = commandIn(call);
  // What is written into a file follows its path.
  return argumentOf(call.tool === 'files' ? (rest.split(' ')[0] ?? '') : rest);
};
