import { messages } from '../../../contracts/messages/messages.ts';
import { createLoopSlices } from '../../event-loop/loop-slices.ts';
import { writeFileAtomic } from '../../workspace/write-file-atomic.ts';
import type { TaskToolCall } from '../port.ts';
import type { Bridge, BridgeFolder } from './bridge-folder.ts';
import { type Command, commandId, commandName, commandText, endId, reportNames } from './command-file.ts';
import { type Ledger, type SentCommand, sessionOf, withCommand } from './ledger.ts';
import type { BridgeParts } from './sweep.ts';

/** The longest command takes some milliseconds to make and write, and many tasks may send one in the same moment. */
const inSlices = createLoopSlices();

const writeCommand = async (
  bridge: Bridge,
  command: Command,
  { language }: Pick<Ledger, 'language'>,
): Promise<void> => {
  await inSlices.next();
  await writeFileAtomic(bridge.pathOf('commandsPending', commandName(command.id)), commandText(command, language), {
    isDurable: true,
  });
};

/** True when a command of that id was ever written, as far as files tell. */
const isWritten = async (bridge: Bridge, id: string): Promise<boolean> => {
  const files: [BridgeFolder, string][] = [
    ['commandsPending', commandName(id)],
    ['commandsProcessed', commandName(id)],
    ...reportNames(id).flatMap((name): [BridgeFolder, string][] => [
      ['reportsPending', name],
      ['reportsProcessed', name],
    ]),
  ];
  const states = await Promise.all(files.map(([folder, name]) => bridge.stateOf(folder, name)));
  return states.some((state) => state !== null);
};

/**
 * Sends the command of a call, once and never again, whatever was killed in between: the ledger says that it is about to be
 * written, then the file is written whole, then the ledger says that it was. The first command of a task begins an agent session,
 * every later one continues in the session that the last readable report named. Gives the command's entry.
 */
export const sendCommand = (
  { bridge, ledgers, inTurn, now, service, tasksMax }: BridgeParts,
  input: string,
  call: TaskToolCall,
) =>
  inTurn(call.task_id, async (): Promise<SentCommand> => {
    call.signal.throwIfAborted();
    const { item_id, task_id, language } = call;
    const id = commandId(task_id, call.effect_id);
    const own = await ledgers.find(task_id);
    if (own === null && (await ledgers.areFull(tasksMax)))
      throw new Error(messages(language).codingAgent.tooMany(tasksMax));
    const ledger = own ?? { task_id, service, language, ended: false, commands: [] };
    if (ledger.ended) throw new Error(messages(language).codingAgent.taskEnded);
    const known = ledger.commands.find((command) => command.id === id);
    if (known !== undefined && known.state !== 'sending') return known;
    const entry: SentCommand = known ?? { id, item_id, state: 'sending', session_id: null, report: null };
    await ledgers.save(withCommand(ledger, entry));
    if (!(await isWritten(bridge, id))) {
      const session = sessionOf(ledger);
      const command: Command = {
        id,
        created_at: new Date(now()).toISOString(),
        session_id: session ?? 'auto',
        command_type: session === null ? 'new' : 'continue',
        description: input,
        constraints: call.clarifications,
        expected: call.expected,
      };
      await writeCommand(bridge, command, ledger);
    }
    const sent: SentCommand = { ...entry, state: 'sent' };
    await ledgers.save(withCommand(ledger, sent));
    return sent;
  });

/** The sessions to end: all that reports named; `auto` where commands were sent and none did. */
const sessionsToEnd = ({ commands }: Ledger): string[] => {
  const named = new Set(commands.flatMap(({ session_id }) => session_id ?? []));
  return named.size === 0 && commands.length > 0 ? ['auto'] : [...named];
};

/**
 * Withdraws what a task that ended has in `commands/pending`, and writes an `end` for each of its agent sessions. Waits for no
 * answer. Writes none a second time, and nothing for a task that never sent a command.
 */
export const endCommands = ({ bridge, ledgers, inTurn, now }: BridgeParts, taskId: string): Promise<void> =>
  inTurn(taskId, async () => {
    if (!(await bridge.isInUse())) return;
    await bridge.prepare();
    const ledger = await ledgers.find(taskId);
    if (ledger === null || ledger.ended) return;
    for (const { id } of ledger.commands) await bridge.move(commandName(id), 'commandsPending', 'commandsProcessed');
    const open = ledger.commands.filter(({ state }) => state !== 'reported').map(({ id }) => `task-${id}`);
    const { sessionEnds, withdrawn } = messages(ledger.language).codingAgent;
    for (const [index, session_id] of sessionsToEnd(ledger).entries()) {
      const id = endId(taskId, index + 1);
      if (await isWritten(bridge, id)) continue;
      const command: Command = {
        id,
        created_at: new Date(now()).toISOString(),
        session_id,
        command_type: 'end',
        description: open.length === 0 ? sessionEnds : `${sessionEnds}${withdrawn(open)}`,
        constraints: [],
        expected: null,
      };
      await writeCommand(bridge, command, ledger);
    }
    await ledgers.close(ledger);
  });
