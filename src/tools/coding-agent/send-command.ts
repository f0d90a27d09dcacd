import { createHash } from 'node:crypto';
import { cutText, type Language } from '../../../contracts/text.ts';
import type { TaskToolCall } from '../port.ts';
import type { Bridge, Ledger } from './bridge.ts';
import { codingAgentMessages } from './messages.ts';

/** A command to a coding agent, whose file is `task-<id>.md`. `session_id`: the agent's own, or `auto`. */
interface Command {
  id: string;
  session_id: string;
  command_type: 'new' | 'continue' | 'end';
  description: string;
  constraints: string[];
  expected: string | null;
}

/** Longest constraint of a command, in characters: the agent reads all of them again with each command. */
const CONSTRAINT_CHARS_MAX = 4_000;

/** Namespace of the command ids (RFC 9562, section 5.5); a random uuid of this project's own. */
const NAMESPACE = Buffer.from('7d2c8f1e4b0a4c39a6e50f9d13b7c842', 'hex');

/** A name-based uuid (version 5). */
const uuidOf = (name: string): string => {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/** The id of the command that an effect sends: the same at every repetition, and no other effect's. */
export const commandId = (taskId: string, effectId: string): string => uuidOf(`${taskId}\n${effectId}`);

/** The id of the command that ends a task's agent session. */
export const endId = (taskId: string): string => uuidOf(`${taskId}\nend 1`);

export const commandName = (id: string): string => `task-${id}.md`;

/** True for the text of a command that ends an agent session. */
export const isEndCommand = (text: string): boolean => /^---\n(?:.+\n)*?command_type: end\n/.test(text);

/** Writes a command's file once, never where a crash left it there: front matter, then three sections. The description is there word for word. */
const writeCommand = (bridge: Bridge, command: Command, now: number, language: Language): void => {
  const { id, session_id, command_type, description, constraints, expected } = command;
  const name = commandName(id);
  if (bridge.changedAt('commands/pending', name) !== null) return;
  if (bridge.changedAt('commands/processed', name) !== null) return;
  const { headings, none } = codingAgentMessages(language);
  const created_at = new Date(now).toISOString();
  const listed = constraints.map((text) => `- ${cutText(text.trim(), CONSTRAINT_CHARS_MAX).replace(/\n/g, '\n  ')}`);
  const sections = [
    `---\nid: task-${id}\ncreated_at: ${created_at}\nsession_id: ${session_id}\ncommand_type: ${command_type}\n---`,
    `## ${headings.description}\n\n${description}`,
    `## ${headings.constraints}\n\n${listed.join('\n') || none}`,
    `## ${headings.expected}\n\n${expected ?? none}\n`,
  ];
  bridge.write('commands/pending', name, sections.join('\n\n'));
};

/** The agent session that the newest report with one named, else `auto`. */
const sessionOf = (ledger: Ledger | null): string =>
  ledger?.commands.findLast(({ session_id }) => session_id !== null)?.session_id ?? 'auto';

/** Sends the command of a call and records it, once, however often the call is repeated. Gives the command's id. */
export const sendCommand = (bridge: Bridge, description: string, now: number, call: TaskToolCall): string => {
  call.signal.throwIfAborted();
  const { item_id, task_id, language, clarifications: constraints, expected } = call;
  const id = commandId(task_id, call.effect_id);
  const ledger = bridge.ledgerOf(task_id);
  if (ledger?.commands.some((command) => command.id === id)) return id;
  const session_id = sessionOf(ledger);
  const command_type = session_id === 'auto' ? 'new' : 'continue';
  writeCommand(bridge, { id, session_id, command_type, description, constraints, expected }, now, language);
  bridge.record(task_id, language, { id, item_id, session_id: null, report: null, timed_out: false });
  return id;
};

/** Withdraws what an ended task has in `commands/pending`, and writes the `end` of its agent session, once. Waits for no answer. */
export const endCommands = (bridge: Bridge, taskId: string, now: number): void => {
  const ledger = bridge.ledgerOf(taskId);
  if (ledger === null) return;
  for (const { id } of ledger.commands) bridge.move(commandName(id), 'commands/pending', 'commands/processed');
  const description = codingAgentMessages(ledger.language).sessionEnds;
  const end = { id: endId(taskId), session_id: sessionOf(ledger), command_type: 'end' } as const;
  writeCommand(bridge, { ...end, description, constraints: [], expected: null }, now, ledger.language);
  bridge.removeLedger(taskId);
};
