import type { TurnView } from '../../contracts/turn-view.ts';
import { jsonLine, printable } from '../lib/printable.ts';
import { createNarrator } from '../projections/progress-stream.ts';
import { checkRequest } from './check-request.ts';
import type { Client } from './client.ts';
import { closingNotes } from './closing-notes.ts';
import { CommandFailure } from './command-failure.ts';
import { exitCode, exitCodeOf } from './exit-code.ts';
import { openService, type ServiceOptions } from './open-service.ts';
import { noteLine, processTerminal, type Terminal } from './terminal.ts';

export interface ForkOptions extends ServiceOptions {
  at?: string;
  input?: string;
  session?: string;
  json?: true;
}

const seqOf = (text: string): number => {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new CommandFailure(`--at ${text} is not an entry number; "tripact trace" shows them`, exitCode.usage);
};

/** The fork's turn when it is finished. Reports the progress of new entries, not of the copied history. */
const finishedTurn = async (client: Client, forked: TurnView, note: (text: string) => void): Promise<TurnView> => {
  if (forked.finished_at !== null) return forked;
  // It follows the session from its start, so there is no earlier progress to show.
  const narrate = createNarrator(async function* () {});
  for await (const entry of client.follow(forked.session_id, 0)) {
    const { progress } = await narrate(entry);
    if (entry.at <= forked.created_at) continue;
    for (const { kind, text } of progress) if (kind !== 'question') note(text);
    if (entry.effects.length > 0) continue;
    const turn = await client.turnOf(forked.id);
    if (turn.finished_at !== null) return turn;
  }
  return client.turnOf(forked.id);
};

/** `tripact fork`: continues from any entry of a task in a new session, and prints its reply. Gives the exit code. */
export const fork = async (
  taskId: string,
  { at, input, session, json, ...where }: ForkOptions,
  { output, notes }: Pick<Terminal, 'output' | 'notes'> = processTerminal(),
): Promise<number> => {
  const note = (text: string): void => void notes.write(`${noteLine(text, notes)}\n`);
  const wanted = {
    ...(at !== undefined && { at: seqOf(at) }),
    ...(input !== undefined && { input }),
    ...(session !== undefined && { session_id: session }),
  };
  checkRequest(session, input === undefined ? null : { input });
  const { client, close } = await openService(where, 'fork');
  try {
    const forked = await client.fork(taskId, wanted);
    note(`Forked into session ${forked.session_id}, task ${forked.task_id}`);
    const turn = await finishedTurn(client, forked, note);
    output.write(`${json === true ? jsonLine(turn) : printable(turn.output ?? '')}\n`);
    for (const text of closingNotes(turn, where)) note(text);
    return exitCodeOf(turn.status);
  } finally {
    await close();
  }
};
