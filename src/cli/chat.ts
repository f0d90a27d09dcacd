import type { SessionView, TurnRequest } from '../../contracts/http.ts';
import { messages } from '../../contracts/messages/messages.ts';
import { isCommand, languageOf } from '../../contracts/text.ts';
import { printable } from '../lib/printable.ts';
import { createApprovalLines, type Said, terminalTexts } from './approval.ts';
import { createTurnOrder, openChatScreen } from './chat-screen.ts';
import type { Client } from './client.ts';
import { exitCode, formatError } from './failure.ts';
import { openService, type ServiceOptions, sessionCommand } from './open-service.ts';
import { checkRequest } from './refusal.ts';
import { newSessionId, processTerminal, type Terminal } from './terminal.ts';

type OrderedOutput = ReturnType<ReturnType<typeof createTurnOrder>['open']>;

export interface ChatOptions extends ServiceOptions {
  session?: string;
  timezone?: string;
  confirmPlan?: true;
}

/** Prints the session's reminders that come due behind the entry `after`, until `signal` aborts or the service can't be reached any more. */
const printReminders = async (
  client: Client,
  sessionId: string,
  after: number,
  print: (text: string) => void,
  signal: AbortSignal,
): Promise<void> => {
  for await (const { event } of client.follow(sessionId, after, signal))
    if (event.type === 'reminder.due') print(`Reminder${event.late ? ' (late)' : ''}: ${event.text}`);
};

/**
 * `tripact chat`: a conversation in one session. A line typed while a task runs joins its queue; slash commands are answered at
 * once. Without an interactive terminal, lines are read one after the other, each when the one before is answered. Gives the exit code.
 */
export const chat = async (options: ChatOptions, terminal: Terminal = processTerminal()): Promise<number> => {
  const { session: sessionId = newSessionId('chat'), confirmPlan } = options;
  checkRequest(sessionId, options.timezone === undefined ? null : { input: '/help', timezone: options.timezone });
  const service = await openService(options, { command: 'chat', for: 'work' });
  const timezone = options.timezone ?? service.timezone;
  // Before the first turn: a reminder that comes right behind its reply is not missed.
  const sessionBefore = async (): Promise<SessionView | null> => {
    try {
      return await service.client.session(sessionId);
    } catch (error) {
      await service.close();
      throw error;
    }
  };
  const session = terminal.isInteractive ? await sessionBefore() : null;
  let texts = messages('en').terminal;
  const { reading, reply, note, prompt, promptFor } = openChatScreen(terminal);
  const leaving = new AbortController();
  const turnOrder = createTurnOrder();
  const approvalLines = createApprovalLines();
  const underWay = new Set<Promise<void>>();
  let code: number = exitCode.answered;
  let isCancelling = false;
  /** The session's task waits for an answer, as far as is known here. */
  let isAsking = false;
  let isWatched = !terminal.isInteractive;

  const fail = (error: unknown): void => {
    if (leaving.signal.aborted) return;
    code = exitCode.failed;
    note(formatError(error).text);
  };
  const watchReminders = (): void => {
    if (isWatched) return;
    isWatched = true;
    printReminders(service.client, sessionId, session?.last_seq ?? 0, note, leaving.signal).catch(fail);
  };
  const exchange = async (said: Said, ordered: OrderedOutput): Promise<void> => {
    const request: TurnRequest = { ...said, timezone, ...(confirmPlan === true && { confirm_plan: true }) };
    const progress = ({ kind, text }: { kind: string; text: string }): void => {
      // The reply itself contains the question.
      if (kind !== 'question') ordered.show(() => note(text));
    };
    const listener = { progress, task: ordered.begin };
    const turn = await service.client.turn(sessionId, request, listener, leaving.signal);
    const { output, status, approval } = turn;
    if (status !== 'ran') isAsking = status === 'asking';
    approvalLines.replied(turn);
    ordered.show(() => {
      reply(printable(output ?? ''));
      if (approval !== null) note(terminalTexts(turn).approvalKeys);
    });
    watchReminders();
  };
  const send = (said: Said): Promise<void> => {
    if (said.input !== undefined) texts = messages(languageOf(said.input)).terminal;
    const isAnswer = isAsking && !isCommand(said.input ?? '');
    if (isAnswer) {
      isAsking = false;
      approvalLines.answered();
    }
    const ordered = turnOrder.open({ isAnswer });
    const sent = exchange(said, ordered)
      .catch((error: unknown) => ordered.show(() => fail(error)))
      .finally(ordered.end)
      .finally(() => {
        underWay.delete(sent);
        isCancelling &&= underWay.size > 0;
      });
    underWay.add(sent);
    return sent;
  };

  reading.on('SIGINT', () => {
    if (underWay.size === 0 || isCancelling) return reading.close();
    isCancelling = true;
    note(texts.cancelling);
    void send({ input: '/cancel' });
  });

  const where = service.modelName === null ? `on the service at ${service.base()}` : `model ${service.modelName}`;
  note(`Session ${sessionId}, ${where}. /help lists the commands, /quit or Ctrl-D leaves.`);
  prompt();
  for await (const line of reading) {
    const read = approvalLines.read(line);
    if (read === 'leave') break;
    if (read === null) prompt();
    else if ('prompt' in read) promptFor(read.prompt, read.text);
    else if (terminal.isInteractive) void send(read.said);
    else await send(read.said);
  }
  const isRunning = underWay.size > 0 && !isAsking;
  leaving.abort();
  await Promise.all(underWay);
  if (isRunning) note(service.isOwn() ? texts.goesOnLater : texts.goesOn(service.base()));
  note(texts.kept(sessionCommand('chat', sessionId, options)));
  await service.close();
  return code;
};
