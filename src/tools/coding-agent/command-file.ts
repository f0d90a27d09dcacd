import { createHash } from 'node:crypto';
import { cutText } from '../../../contracts/text.ts';
import { iso } from '../../lib/iso-time.ts';
import type { TaskToolCall } from '../port.ts';
import { codingAgentMessages } from './messages.ts';

/** Longest constraint of a command, in characters: the agent reads all constraints again with each command. */
const CONSTRAINT_CHARS_MAX = 4_000;

/** The text of a command that ends an agent session. */
const END_COMMAND = /^---\n(?:.+\n)*?command_type: end\n/;

export const endsSession = (command: string): boolean => END_COMMAND.test(command);

/** Namespace of the command ids (RFC 9562, section 5.5): a random UUID of this project. */
const NAMESPACE = Buffer.from('7d2c8f1e4b0a4c39a6e50f9d13b7c842', 'hex');

/**
 * The id of the command that an effect sends, or of the one that ends a task's agent session: a name-based UUID
 * (version 5), always the same.
 */
export const commandId = (taskId: string, effectId = 'end 1'): string => {
  const bytes = createHash('sha1').update(NAMESPACE).update(`${taskId}\n${effectId}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

export const commandName = (id: string): string => `task-${id}.md`;
export const reportName = (id: string): string => `report-task-${id}.md`;

/** The fields of a command's front matter that its sender chooses. */
export interface CommandFront {
  id: string;
  /** The agent session that it belongs to; `auto`: a new one. */
  session_id: string;
  command_type: 'new' | 'continue' | 'end';
}

export type CommandCall = Pick<TaskToolCall, 'language' | 'clarifications' | 'expected'>;

/** The text of a command: front matter, then three sections with the description verbatim. `now` is in epoch milliseconds. */
export const commandText = (
  { id, ...session }: CommandFront,
  description: string,
  { language, clarifications, expected }: CommandCall,
  now: number,
): string => {
  const { headings, none } = codingAgentMessages(language);
  const fields = { id: `task-${id}`, created_at: iso(now), ...session };
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${value}`);
  const constraints = clarifications.map((text) => cutText(text.trim(), CONSTRAINT_CHARS_MAX).replace(/\n/g, '\n  '));
  const sections = [
    `---\n${lines.join('\n')}\n---`,
    `## ${headings.description}\n\n${description}`,
    `## ${headings.constraints}\n\n${constraints.map((text) => `- ${text}`).join('\n') || none}`,
    `## ${headings.expected}\n\n${expected ?? none}\n`,
  ];
  return sections.join('\n\n');
};
