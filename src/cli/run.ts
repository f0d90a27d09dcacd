import type { TurnRequest } from '../../contracts/http.ts';
import { SessionId } from '../../contracts/ids.ts';
import { type Messages, messages } from '../../contracts/messages/messages.ts';
import { languageOf } from '../../contracts/text.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { jsonLine, printable } from '../lib/printable.ts';
import { approvalAnswer, type Said, terminalTexts } from './approval.ts';
import type { Client } from './client.ts';
import { CommandFailure, exitCode, exitCodeOf } from './failure.ts';
import { openService, type ServiceOptions, sessionCommand } from './open-service.ts';
import { checkRequest } from './refusal.ts';
import { ask, newSessionId, noteLine, processTerminal, type Terminal } from './terminal.ts';

export interface RunOptions extends ServiceOptions {
  session?: string;
  timezone?: string;
  confirmPlan?: true;
  /** The finished turn as one line of JSON; then no question is asked. */
  json?: true;
}

/** The last notes of a turn, in its language: which task and session it was, what to type next, and what it cost. */
export const closingNotes = (turn: TurnView, options: ServiceOptions): string[] => {
  const { status, session_id, task_id, task, output } = turn;
  const texts = messages(languageOf(task?.goal ?? output ?? '')).terminal;
  const run = sessionCommand('run', session_id, options);
  const chat = sessionCommand('chat', session_id, options);
  return [
    task_id === null ? texts.session(session_id) : texts.taskOf(task_id, session_id),
    ...(status === 'asking' ? [texts.answerWith(run, chat)] : []),
    ...(status === 'paused' ? [texts.goOnWith(run, chat)] : []),
    ...(task?.cost === undefined ? [] : [texts.cost(task.cost.amount, task.cost.currency)]),
  ];
};

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
  const line = await ask(terminal, signal);
  if (line === null) return null;
  if (turn.approval === null) return { input: line };
  const answer = approvalAnswer(line, turn);
  if ('said' in answer) return answer.said;
  const input = await ask(terminal, signal, answer);
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
  const service = await openService(options, { command: 'run', for: 'work' });
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

/** Cancels the task of that id, else what the session of that name works on; null: there is neither. */
const cancelIn = async (client: Client, id: string): Promise<{ isCancelled: boolean; text: string } | null> => {
  if ((await client.task(id)) !== null) {
    const { goal } = await client.cancel(id);
    return { isCancelled: true, text: messages(languageOf(goal)).replies.cancelled(goal) };
  }
  // A turn would make a session that there is not.
  if (!SessionId.safeParse(id).success || (await client.session(id)) === null) return null;
  const { status, output } = await client.turn(id, { input: '/cancel' }, { progress: () => {} });
  return { isCancelled: status === 'cancelled', text: output ?? '' };
};

/** `tripact cancel`: ends a task, or what a session works on, waits for or has paused. Gives the exit code: 1 where nothing was to cancel. */
export const cancel = async (id: string, options: ServiceOptions): Promise<number> => {
  const { client, close } = await openService(options, { command: 'cancel', for: 'tools' });
  try {
    const cancelled = await cancelIn(client, id);
    if (cancelled === null) throw new CommandFailure(`There is no task and no session "${id}"`);
    console.log(printable(cancelled.text));
    return cancelled.isCancelled ? exitCode.answered : exitCode.failed;
  } finally {
    await close();
  }
};
