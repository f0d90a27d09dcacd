import { createHash } from 'node:crypto';
import { messages } from '../../../contracts/messages/messages.ts';
import { cutText, type Language } from '../../../contracts/text.ts';

/** A command to a coding agent. */
export interface Command {
  /** A uuid; the file is named `task-<id>.md`, and its front matter says `id: task-<id>`. */
  id: string;
  created_at: string;
  /** The agent's own session, by the uuid that it reported; `auto` leaves it to the agent. */
  session_id: string;
  command_type: 'new' | 'continue' | 'end';
  description: string;
  constraints: string[];
  expected: string | null;
}

/** Characters of all constraints of a command: the agent reads them again with each command. */
const CONSTRAINTS_CHARS_MAX = 64_000;

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

/** The id of the command that ends an agent session of a task; `number` counts its sessions from 1. */
export const endId = (taskId: string, number: number): string => uuidOf(`${taskId}\nend ${number}`);

export const commandName = (id: string): string => `task-${id}.md`;

/** Writes a command: front matter, then three sections. The description is there word for word; constraints that are too long together are cut to equal shares. */
export const commandText = (command: Command, language: Language): string => {
  const { id, created_at, session_id, command_type, description, constraints, expected } = command;
  const { headings, none } = messages(language).codingAgent;
  const chars = constraints.reduce((sum, { length }) => sum + length, 0);
  const max = chars <= CONSTRAINTS_CHARS_MAX ? chars : Math.floor(CONSTRAINTS_CHARS_MAX / constraints.length);
  const listed = constraints.map((text) => `- ${cutText(text.trim(), max).replace(/\n/g, '\n  ')}`).join('\n');
  return [
    `---\nid: task-${id}\ncreated_at: ${created_at}\nsession_id: ${session_id}\ncommand_type: ${command_type}\n---`,
    `## ${headings.description}\n\n${description}`,
    `## ${headings.constraints}\n\n${listed || none}`,
    `## ${headings.expected}\n\n${expected ?? none}\n`,
  ].join('\n\n');
};

/** True for the text of a command that ends an agent session, as `commandText` writes it. */
export const isEndCommand = (text: string): boolean => /^---\n(?:[a-z_]+: .*\n){0,8}command_type: end\n/.test(text);
