import { createHash } from 'node:crypto';
import type { Language } from '../../../contracts/language.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { cutText } from '../../../machines/cut-text.ts';
import { yaml } from './yaml.ts';

/** What a coding agent is to do with its session: start one, continue one, or end one (SPEC 10). */
export type CommandType = 'new' | 'continue' | 'end';

/** A command to a coding agent. */
export interface Command {
  /** A uuid; the file is named `task-<id>.md`, and its front matter says `id: task-<id>`. */
  id: string;
  created_at: string;
  /** The agent's own session, by the uuid that it reported; `auto` leaves it to the agent. */
  session_id: string;
  command_type: CommandType;
  description: string;
  constraints: string[];
  expected: string | null;
}

/** Characters that the constraints of a command may have together: the agent reads all of them again with each command. */
const CONSTRAINTS_CHARS_MAX = 64_000;

const SAFE = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** The name of a task's ledger: the task's id where every file system keeps it apart from all others, else a hash of it. */
export const taskKey = (taskId: string): string => {
  const text = taskId.replace(/^task_/, '');
  return SAFE.test(text) ? text : createHash('sha256').update(text).digest('hex').slice(0, 32);
};

/** Namespace of the command ids (RFC 9562, section 5.5); a random uuid of this project's own. */
const NAMESPACE = Buffer.from('7d2c8f1e4b0a4c39a6e50f9d13b7c842', 'hex');

/** A name-based uuid (version 5): the same name always gives the same one, and no other name does. */
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

/** The name of a command's file. */
export const commandName = (id: string): string => `task-${id}.md`;

/** The names that a report on a command may have without reading it, the usual one first (SPEC 10). */
export const reportNames = (id: string): string[] => [`report-task-${id}.md`, `report-${id}.md`];

/** The id of the command that a report's name states; null for any other name. */
export const idOfReport = (name: string): string | null =>
  /^report-(?:task-)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.md$/.exec(name)?.[1] ?? null;

/** The most that each of several texts may have, so that together they have no more than `CONSTRAINTS_CHARS_MAX`: a short one leaves the others more. */
const shareOf = (texts: string[]): number => {
  let left = CONSTRAINTS_CHARS_MAX;
  for (const [at, { length }] of texts.toSorted((a, b) => a.length - b.length).entries()) {
    const share = Math.floor(left / (texts.length - at));
    if (length > share) return share;
    left -= length;
  }
  return CONSTRAINTS_CHARS_MAX;
};

/** A command as its file says it: YAML front matter, then three sections; the description is there word for word, and constraints that are too long together are each cut to their share. */
export const commandText = (command: Command, language: Language): string => {
  const { id, created_at, session_id, command_type, description, constraints, expected } = command;
  const { headings, none } = messages(language).codingAgent;
  const max = shareOf(constraints);
  const listed = constraints.map((text) => `- ${cutText(text.trim(), max).replace(/\n/g, '\n  ')}`).join('\n');
  return [
    `---\n${yaml().stringify({ id: `task-${id}`, created_at, session_id, command_type })}---`,
    `## ${headings.description}\n\n${description}`,
    `## ${headings.constraints}\n\n${listed || none}`,
    `## ${headings.expected}\n\n${expected ?? none}\n`,
  ].join('\n\n');
};

/** True for the text of a command that ends an agent session, as `commandText` writes it. */
export const isEndCommand = (text: string): boolean => /^---\n(?:[a-z_]+: .*\n){0,8}command_type: end\n/.test(text);
