import { createHash } from 'node:crypto';
import { cutText } from '../../../contracts/text.ts';
import { iso } from '../../lib/iso-time.ts';
import type { TaskToolCall } from '../port.ts';
import { type Bridge, commandName, type Ledger } from './bridge.ts';
import { reportOn } from './collect-reports.ts';
import { codingAgentMessages } from './messages.ts';

/** Longest constraint of a command, in characters: the agent reads all of them again with each command. */
const CONSTRAINT_CHARS_MAX = 4_000;

/** Namespace of the command ids (RFC 9562, section 5.5); a random uuid of this project's own. */
const NAMESPACE = Buffer.from('7d2c8f1e4b0a4c39a6e50f9d13b7c842', 'hex');

/** The id of the command that an effect sends, a name-based uuid (version 5): the same at every repetition, and no other effect's. */
export const commandId = (taskId: string, effectId: string): string => {
  const bytes = createHash('sha1').update(NAMESPACE).update(`${taskId}\n${effectId}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/** Stands for an effect in the id of the command that ends a task's agent session. */
export const END = 'end 1';

/**
 * Writes the file of a command once, never where a crash left it there: front matter, then three sections. The description is there
 * word for word. `session_id`: the agent's own, or `auto`.
 */
const writeCommand = (
  bridge: Bridge,
  front: { id: string; created_at: string; session_id: string; command_type: 'new' | 'continue' | 'end' },
  description: string,
  { language, clarifications, expected }: Pick<TaskToolCall, 'language' | 'clarifications' | 'expected'>,
): void => {
  const name = commandName(front.id);
  if (bridge.has('commands/pending', name) || bridge.has('commands/processed', name)) return;
  const { headings, none } = codingAgentMessages(language);
  const fields = Object.entries({ ...front, id: `task-${front.id}` }).map(([key, value]) => `${key}: ${value}`);
  const constraints = clarifications.map((text) => cutText(text.trim(), CONSTRAINT_CHARS_MAX).replace(/\n/g, '\n  '));
  const sections = [
    `---\n${fields.join('\n')}\n---`,
    `## ${headings.description}\n\n${description}`,
    `## ${headings.constraints}\n\n${constraints.map((text) => `- ${text}`).join('\n') || none}`,
    `## ${headings.expected}\n\n${expected ?? none}\n`,
  ];
  bridge.write('commands/pending', name, sections.join('\n\n'));
};

/** The agent session that the newest report with one named, else `auto`. */
const sessionOf = (bridge: Bridge, { commands }: Pick<Ledger, 'commands'>): string => {
  const named = commands.map(({ id }) => reportOn(bridge, id)?.session_id ?? null);
  return named.findLast((session_id) => session_id !== null) ?? 'auto';
};

/** Sends the command of a call and records it, once, however often the call is repeated. */
export const sendCommand = (
  bridge: Bridge,
  id: string,
  description: string,
  now: number,
  call: Omit<TaskToolCall, 'signal'>,
): void => {
  const { item_id, task_id, language } = call;
  const { commands = [] } = bridge.ledgerOf(task_id) ?? {};
  if (commands.some((command) => command.id === id)) return;
  const session_id = sessionOf(bridge, { commands });
  const command_type = session_id === 'auto' ? 'new' : 'continue';
  writeCommand(bridge, { id, created_at: iso(now), session_id, command_type }, description, call);
  bridge.record(task_id, language, { id, item_id, timed_out: false });
};

/** Withdraws what an ended task has in `commands/pending`, and writes the `end` of its agent session, once. Waits for no answer. */
export const endCommands = (bridge: Bridge, taskId: string, now: number): void => {
  const ledger = bridge.ledgerOf(taskId);
  if (ledger === null) return;
  const { commands, language } = ledger;
  for (const { id } of commands) bridge.move(commandName(id), 'commands/pending', 'commands/processed');
  const front = {
    id: commandId(taskId, END),
    created_at: iso(now),
    session_id: sessionOf(bridge, ledger),
    command_type: 'end',
  } as const;
  const about = { language, clarifications: [], expected: null };
  writeCommand(bridge, front, codingAgentMessages(language).sessionEnds, about);
  bridge.removeLedger(taskId);
};
