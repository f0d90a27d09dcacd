import type { TurnRequest } from '../../contracts/http.ts';
import { languageOf } from '../../contracts/language.ts';
import { type Messages, messages } from '../../contracts/messages/messages.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { jsonLine, printable } from '../lib/printable.ts';
import { approvalAnswer, editableInput, isEdit, type Said, terminalTexts } from './approval.ts';
import { ask } from './ask.ts';
import { checkRequest } from './check-request.ts';
import type { Client } from './client.ts';
import { closingNotes } from './closing-notes.ts';
import { exitCode, exitCodeOf } from './exit-code.ts';
import { newSessionId } from './new-session-id.ts';
import { openService, type ServiceOptions } from './open-service.ts';
import { noteLine, processTerminal, type Terminal } from './terminal.ts';

export interface RunOptions extends ServiceOptions {
  session?: string;
  timezone?: string;
  confirmPlan?: true;
  /** The finished turn as one line of JSON; then no question is asked. */
  json?: true;
}

/** First Ctrl-C: the task is cancelled as soon as it is known, and its question withdrawn. Second: the process ends at once. */
const cancelOnInterrupt = (client: Client, texts: Messages['terminal'], note: (text: string) => void) => {
  const withdrawn = new AbortController();
  const known = Promise.withResolvers<string>();
  let cancelled: Promise<unknown> | undefined;
  const interrupt = (): void => {
    if (withdrawn.signal.aborted) process.exit(exitCode.interrupted);
    note(texts.cancelling);
    withdrawn.abort();
    void known.promise.then((taskId) => {
      cancelled = client.cancel(taskId).catch((error: Error) => note(error.message));
    });
  };
  process.on('SIGINT', interrupt);
  return {
    withdrawn: withdrawn.signal,
    task: known.resolve,
    /** Waits for a cancel in flight. */
    settle: async () => {
      process.off('SIGINT', interrupt);
      await cancelled;
    },
  };
};

/** Asks for the answer to a turn's question; an approval may be answered with another input for its tool. Null: the person left. */
const askFor = async (turn: TurnView, terminal: Terminal, signal: AbortSignal): Promise<Said | null> => {
  const { approval } = turn;
  const answer = await ask(terminal, signal);
  if (answer === null || approval === null) return answer === null ? null : { input: answer };
  if (!isEdit(answer)) return { input: approvalAnswer(answer) };
  const prompt = terminalTexts(turn).newInput;
  const input = await ask(terminal, signal, { prompt, text: editableInput(approval.input) });
  return input === null ? null : { decision: { type: 'edit', input } };
};

/** `tripact run`: one task in the terminal, progress on standard error, the answer on standard output. Gives the exit code. */
export const run = async (
  goal: string,
  options: RunOptions,
  terminal: Terminal = processTerminal(),
): Promise<number> => {
  const { session: sessionId = newSessionId('run'), confirmPlan, json } = options;
  const { output, notes } = terminal;
  const note = (text: string): void => void notes.write(`${noteLine(text, notes)}\n`);
  const { timezone } = options;
  checkRequest(sessionId, { input: goal, ...(timezone !== undefined && { timezone }) });
  const service = await openService(options, 'run');
  const texts = messages(languageOf(goal)).terminal;
  if (service.found !== null) note(texts.onService(service.found));
  const interrupts = cancelOnInterrupt(service.client, texts, note);
  const progress = (line: { kind: string; text: string }): void => {
    // The reply itself contains the question.
    if (line.kind !== 'question') note(line.text);
  };
  const request = {
    timezone: timezone ?? service.timezone,
    ...(confirmPlan === true && { confirm_plan: true }),
  };
  const send = (said: Said): Promise<TurnView> =>
    service.client.turn(sessionId, { ...request, ...said } satisfies TurnRequest, { progress, task: interrupts.task });
  try {
    for (let said: Said = { input: goal }; ; ) {
      const turn = await send(said);
      const asks = turn.status === 'asking' && terminal.isInteractive && json !== true;
      const shown = json === true ? jsonLine(turn) : printable(turn.output ?? '');
      (asks ? notes : output).write(`${shown}\n`);
      if (asks && turn.approval !== null) note(terminalTexts(turn).approvalKeys);
      const answer = asks ? await askFor(turn, terminal, interrupts.withdrawn) : null;
      if (answer !== null) {
        said = answer;
        continue;
      }
      if (asks && interrupts.withdrawn.aborted) return exitCode.failed;
      for (const text of closingNotes(turn, options)) note(text);
      return exitCodeOf(turn.status);
    }
  } finally {
    await interrupts.settle();
    await service.close();
  }
};
