import { messages } from '../../../contracts/messages/messages.ts';
import { writeFileAtomic } from '../../workspace/write-file-atomic.ts';
import type { TaskToolCall } from '../port.ts';
import type { Bridge } from './bridge.ts';
import type { BridgeParts } from './collect-reports.ts';
import { type Command, commandId, commandName, commandText, endId } from './command.ts';
import { type Ledger, type SentCommand, withCommand } from './ledger.ts';

const isWritten = async (bridge: Bridge, id: string): Promise<boolean> =>
  (await bridge.statOf('commandsPending', commandName(id))) !== null ||
  (await bridge.statOf('commandsProcessed', commandName(id))) !== null;

/** Writes a command's file once: never where a crash left it there. */
const write = async ({ bridge, now }: BridgeParts, command: Omit<Command, 'created_at'>, ledger: Ledger) => {
  if (await isWritten(bridge, command.id)) return;
  const text = commandText({ ...command, created_at: new Date(now()).toISOString() }, ledger.language);
  await writeFileAtomic(bridge.pathOf('commandsPending', commandName(command.id)), text, { isDurable: true });
};

/**
 * Sends the command of a call, once, whatever was killed in between: the ledger says that it is about to be written, then the
 * file is written whole, then the ledger says that it was. The first command of a task begins an agent session, every later one
 * continues the session that the last readable report named. Gives the command's entry.
 */
export const sendCommand = (parts: BridgeParts, input: string, call: TaskToolCall): Promise<SentCommand> =>
  parts.inTurn(call.task_id, async () => {
    call.signal.throwIfAborted();
    const { ledgers, service } = parts;
    const { item_id, task_id, language, clarifications: constraints, expected } = call;
    const id = commandId(task_id, call.effect_id);
    const ledger = (await ledgers.find(task_id)) ?? { task_id, service, language, ended: false, commands: [] };
    if (ledger.ended) throw new Error(messages(language).codingAgent.taskEnded);
    const known = ledger.commands.find((command) => command.id === id);
    if (known !== undefined && known.state !== 'sending') return known;
    const entry: SentCommand = known ?? { id, item_id, state: 'sending', session_id: null, report: null };
    await ledgers.save(withCommand(ledger, entry));
    const session = ledger.commands.findLast(({ session_id }) => session_id !== null)?.session_id ?? null;
    const [session_id, command_type] = session === null ? (['auto', 'new'] as const) : ([session, 'continue'] as const);
    await write(parts, { id, session_id, command_type, description: input, constraints, expected }, ledger);
    const sent: SentCommand = { ...entry, state: 'sent' };
    await ledgers.save(withCommand(ledger, sent));
    return sent;
  });

/**
 * Withdraws what a task that ended has in `commands/pending`, and writes an `end` for each of its agent sessions. Waits for no
 * answer. Writes none a second time, and nothing for a task that never sent a command.
 */
export const endCommands = (parts: BridgeParts, taskId: string): Promise<void> =>
  parts.inTurn(taskId, async () => {
    const { bridge, ledgers } = parts;
    if (!(await bridge.isInUse())) return;
    await bridge.prepare();
    const ledger = await ledgers.find(taskId);
    if (ledger === null || ledger.ended) return;
    for (const { id } of ledger.commands) await bridge.move(commandName(id), 'commandsPending', 'commandsProcessed');
    const open = ledger.commands.filter(({ state }) => state !== 'reported').map(({ id }) => `task-${id}`);
    const { sessionEnds, withdrawn } = messages(ledger.language).codingAgent;
    const description = open.length === 0 ? sessionEnds : `${sessionEnds}${withdrawn(open)}`;
    const named = [...new Set(ledger.commands.flatMap(({ session_id }) => session_id ?? []))];
    for (const [index, session_id] of (named.length === 0 ? ['auto'] : named).entries()) {
      const end = { id: endId(taskId, index + 1), session_id, command_type: 'end', description } as const;
      await write(parts, { ...end, constraints: [], expected: null }, ledger);
    }
    await ledgers.close(ledger);
  });
