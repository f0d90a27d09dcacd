import { createHash } from 'node:crypto';
import { yaml } from './yaml.ts';

/** What a coding agent is to do with its session: start one, continue one, or end one (SPEC 10). */
export type CommandType = 'new' | 'continue' | 'end';

/** A command to a coding agent. */
export interface Command {
  id: string;
  created_at: string;
  /** The agent's own session, by the uuid that it reported; `auto` leaves it to the agent. */
  session_id: string;
  command_type: CommandType;
  description: string;
  constraints: string[];
  expected: string | null;
}

const SAFE = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** A part of a file's name: the text itself where every file system keeps it apart from all others, else a hash of it. */
const namePart = (text: string): string =>
  SAFE.test(text) ? text : createHash('sha256').update(text).digest('hex').slice(0, 32);

/** What a task is called in file names; its ledger too. */
export const taskKey = (taskId: string): string => namePart(taskId.replace(/^task_/, ''));

/** The id of the command that an effect sends: the same at every repetition, and no other effect's. */
export const commandId = (taskId: string, effectId: string): string => {
  const own = effectId.startsWith(`${taskId}.`) ? effectId.slice(taskId.length + 1) : effectId;
  return `${taskKey(taskId)}.${namePart(own)}`;
};

/** The id of the command that ends an agent session of a task; `number` counts its sessions from 1. */
export const endId = (taskId: string, number: number): string => `${taskKey(taskId)}.end${number}`;

/** The key of the task that a command id belongs to. */
export const taskKeyOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('.')));

/** The name of a command's file. */
export const commandName = (id: string): string => `task-${id}.md`;

/** The name of the report on a command. */
export const reportName = (id: string): string => `report-task-${id}.md`;

/** The id in a report's name, or null for a file that is no report. */
export const idOfReport = (name: string): string | null => /^report-task-(.+)\.md$/.exec(name)?.[1] ?? null;

/** A command as its file says it: YAML front matter, then three sections; the description is there word for word. */
export const commandText = ({ description, constraints, expected, ...front }: Command): string => {
  const { id, created_at, session_id, command_type } = front;
  const listed = constraints.map((text) => `- ${text.trim().replace(/\n/g, '\n  ')}`).join('\n');
  return [
    `---\n${yaml().stringify({ id, created_at, session_id, command_type })}---`,
    `# Description\n\n${description}`,
    `# Constraints\n\n${listed || 'None.'}`,
    `# Expected output\n\n${expected ?? 'None.'}\n`,
  ].join('\n\n');
};
