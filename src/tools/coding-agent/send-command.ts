import { messages } from '../../../contracts/messages/messages.ts';
import { writeFileAtomic } from '../../workspace/write-file-atomic.ts';
import type { TaskToolCall } from '../port.ts';
import type { Bridge } from './bridge-folder.ts';
import { type Command, commandId, commandName, commandText, endId, reportName, taskKey } from './command-file.ts';
import { type Ledger, type SentCommand, withCommand } from './ledger.ts';
import type { BridgeParts } from './sweep.ts';

const writeCommand = async (bridge: Bridge, command: Command): Promise<void> =>
  writeFileAtomic(bridge.pathOf('commandsPending', commandName(command.id)), commandText(command), { isDurable: true });

/** True when a command of that id was ever written, as far as files tell. */
const isWritten = async (bridge: Bridge, id: string): Promise<boolean> => {
  const traces = await Promise.all([
    bridge.stateOf('commandsPending', commandName(id)),
    bridge.stateOf('commandsProcessed', commandName(id)),
    bridge.stateOf('reportsPending', reportName(id)),
    bridge.stateOf('reportsProcessed', reportName(id)),
  ]);
  return traces.some((state) => state !== null);
};

/** The agent session that the newest report on this item named; null when none did. */
const sessionOf = (commands: SentCommand[], itemId: string | null): string | null =>
  commands.findLast(({ item_id, session_id }) => item_id === itemId && session_id !== null)?.session_id ?? null;

/**
 * Sends the command of a call, once and never again, whatever was killed in between: the ledger says that it is about to be
 * written, then the file is written whole, then the ledger says that it was. Gives the command's entry.
 */
export const sendCommand = ({ bridge, ledgers, inTurn, now }: BridgeParts, input: string, call: TaskToolCall) =>
  inTurn(call.task_id, async (): Promise<SentCommand> => {
    call.signal.throwIfAborted();
    const { item_id, task_id } = call;
    const id = commandId(task_id, call.effect_id);
    const ledger = await ledgers.of(task_id);
    if (ledger.ended) throw new Error(messages(call.language).codingAgent.taskEnded);
    const known = ledger.commands.find((command) => command.id === id);
    if (known !== undefined && known.state !== 'sending') return known;
    const entry: SentCommand = known ?? { id, item_id, state: 'sending', session_id: null };
    await ledgers.save(withCommand(ledger, entry));
    if (!(await isWritten(bridge, id))) {
      const session = sessionOf(ledger.commands, item_id);
      await writeCommand(bridge, {
        id,
        created_at: new Date(now()).toISOString(),
        session_id: session ?? 'auto',
        command_type: session === null ? 'new' : 'continue',
        description: input,
        constraints: call.clarifications,
        expected: call.expected,
      });
    }
    const sent: SentCommand = { ...entry, state: 'sent' };
    await ledgers.save(withCommand(ledger, sent));
    return sent;
  });

/** The sessions to end: all that reports named, and `auto` where a command was taken by one that no report named yet. */
const sessionsToEnd = ({ commands }: Ledger): string[] => {
  const named = commands.flatMap(({ session_id }) => session_id ?? []);
  const isOneUnknown = commands.some(
    ({ state, item_id }) => state !== 'reported' && sessionOf(commands, item_id) === null,
  );
  return [...new Set(named), ...(isOneUnknown ? ['auto'] : [])];
};

/**
 * Withdraws what a task that ended has in `commands/pending`, and writes an `end` for each of its agent sessions. Waits for no
 * answer. Writes none a second time, and nothing for a task that never sent a command.
 */
export const endCommands = ({ bridge, ledgers, inTurn, now }: BridgeParts, taskId: string): Promise<void> =>
  inTurn(taskId, async () => {
    if (!(await bridge.isInUse())) return;
    await bridge.prepare();
    const ledger = await ledgers.find(taskKey(taskId));
    if (ledger === null || ledger.ended) return;
    for (const { id } of ledger.commands) await bridge.move(commandName(id), 'commandsPending', 'commandsProcessed');
    const open = ledger.commands.filter(({ state }) => state !== 'reported').map(({ id }) => `task-${id}`);
    const withdrawn = open.length === 0 ? '' : ` No report is expected any more on: ${open.join(', ')}.`;
    for (const [index, session_id] of sessionsToEnd(ledger).entries()) {
      const id = endId(taskId, index + 1);
      if (await isWritten(bridge, id)) continue;
      await writeCommand(bridge, {
        id,
        created_at: new Date(now()).toISOString(),
        session_id,
        command_type: 'end',
        description: `The task has ended; nothing more will be asked in this session.${withdrawn}`,
        constraints: [],
        expected: null,
      });
    }
    await ledgers.save({ ...ledger, ended: true });
  });
