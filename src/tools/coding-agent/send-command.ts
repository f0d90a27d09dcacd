import { createHash } from 'node:crypto';
import { cutText, type Language } from '../../../contracts/text.ts';
import type { TaskToolCall } from '../port.ts';
import type { BridgeParts, Ledger } from './bridge.ts';
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
export const isEndCommand = (text: string): boolean => /^---\n(?:[a-z_]+: .*\n){0,8}command_type: end\n/.test(text);

/** Front matter, then three sections. The description is there word for word. */
const commandText = (command: Command, now: number, language: Language): string => {
  const { id, session_id, command_type, description, constraints, expected } = command;
  const { headings, none } = codingAgentMessages(language);
  const created_at = new Date(now).toISOString();
  const listed = constraints.map((text) => `- ${cutText(text.trim(), CONSTRAINT_CHARS_MAX).replace(/\n/g, '\n  ')}`);
  return [
    `---\nid: task-${id}\ncreated_at: ${created_at}\nsession_id: ${session_id}\ncommand_type: ${command_type}\n---`,
    `## ${headings.description}\n\n${description}`,
    `## ${headings.constraints}\n\n${listed.join('\n') || none}`,
    `## ${headings.expected}\n\n${expected ?? none}\n`,
  ].join('\n\n');
};

/** Writes a command's file once: never where a crash left it there. */
const writeCommand = async ({ bridge, now }: BridgeParts, command: Command, language: Language): Promise<void> => {
  const name = commandName(command.id);
  for (const folder of ['commands/pending', 'commands/processed'] as const)
    if ((await bridge.changedAt(folder, name)) !== null) return;
  bridge.write('commands/pending', name, commandText(command, now(), language));
};

/** The agent session that the newest report with one named. */
const sessionOf = ({ commands }: Ledger): string | null =>
  commands.findLast(({ session_id }) => session_id !== null)?.session_id ?? null;

/** Sends the command of a call and records it, once, however often the call is repeated. Gives the command's id. */
export const sendCommand = (parts: BridgeParts, description: string, call: TaskToolCall): Promise<string> =>
  parts.inTurn(call.task_id, async () => {
    const { bridge, service } = parts;
    call.signal.throwIfAborted();
    const { item_id, task_id, language, clarifications: constraints, expected } = call;
    const id = commandId(task_id, call.effect_id);
    const ledger = (await bridge.ledgerOf(task_id)) ?? { task_id, service, language, commands: [] };
    if (ledger.commands.some((command) => command.id === id)) return id;
    const session_id = sessionOf(ledger) ?? 'auto';
    const command_type = session_id === 'auto' ? 'new' : 'continue';
    await writeCommand(parts, { id, session_id, command_type, description, constraints, expected }, language);
    bridge.record(ledger, { id, item_id, session_id: null, report: null, timed_out: false });
    return id;
  });

/** Withdraws what an ended task has in `commands/pending`, and writes the `end` of its agent session, once. Waits for no answer. */
export const endCommands = (parts: BridgeParts, taskId: string): Promise<void> =>
  parts.inTurn(taskId, async () => {
    const { bridge } = parts;
    const ledger = await bridge.ledgerOf(taskId);
    if (ledger === null) return;
    const { commands, language } = ledger;
    for (const { id } of commands) await bridge.move(commandName(id), 'commands/pending', 'commands/processed');
    const open = commands.filter(({ report }) => report === null).map(({ id }) => `task-${id}`);
    const { sessionEnds, withdrawn } = codingAgentMessages(language);
    const description = open.length === 0 ? sessionEnds : `${sessionEnds}${withdrawn(open)}`;
    const end = { id: endId(taskId), session_id: sessionOf(ledger) ?? 'auto', command_type: 'end' } as const;
    await writeCommand(parts, { ...end, description, constraints: [], expected: null }, language);
    await bridge.removeLedger(taskId);
  });
