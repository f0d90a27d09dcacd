import { jsonLine, printable } from '../lib/printable.ts';
import { exitCodeOf, wrongUsage } from './failure.ts';
import { openService, type ServiceOptions } from './open-service.ts';
import { checkRequest } from './refusal.ts';
import { closingNotes } from './run.ts';
import { noteLine, processTerminal, type Terminal } from './terminal.ts';

export interface ForkOptions extends ServiceOptions {
  at?: string;
  input?: string;
  session?: string;
  json?: true;
}

const seqOf = (text: string): number => {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw wrongUsage(`--at ${text} is not an entry number; "tripact trace" shows them`);
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
  const { client, close } = await openService(where, { command: 'fork', for: 'work' });
  try {
    const forked = await client.fork(taskId, wanted);
    note(`Forked into session ${forked.session_id}, task ${forked.task_id}`);
    const turn = await client.followTurn(forked.id, {
      progress: ({ kind, text }) => {
        // The reply itself contains the question.
        if (kind !== 'question') note(text);
      },
    });
    output.write(`${json === true ? jsonLine(turn) : printable(turn.output ?? '')}\n`);
    for (const text of closingNotes(turn, where)) note(text);
    return exitCodeOf(turn.status);
  } finally {
    await close();
  }
};
