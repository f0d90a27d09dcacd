import { clearLine, createInterface, cursorTo } from 'node:readline';
import { SessionView } from '../../contracts/http.ts';
import { messages } from '../../contracts/messages/messages.ts';
import { isCommand, languageOf } from '../../contracts/text.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { printable } from '../lib/printable.ts';
import { pathOf } from './client.ts';
import { type Service, sessionCommand, turnOptions, withService } from './connection.ts';
import { checkRequest, exitCode, formatError } from './failure.ts';
import type { CliOptions } from './settings.ts';
import {
  type AskedLine,
  approvalAnswer,
  newSessionId,
  noteLine,
  processTerminal,
  type Said,
  type Terminal,
  terminalTexts,
} from './terminal.ts';

const HISTORY_LINES = 200;

const PROMPT = '> ';

/** Lines that leave a conversation and are never sent. As the new input of an action they are ordinary text. */
const LEAVE = /^\s*(\/?(exit|quit)|退出)\s*$/i;

/** Reads the lines that a person types, and prints texts above the line being typed, which stays unchanged. */
const openChatScreen = ({ input, output, notes, isInteractive }: Terminal) => {
  const reading = createInterface({
    input,
    prompt: PROMPT,
    historySize: HISTORY_LINES,
    removeHistoryDuplicates: true,
    ...(isInteractive && { output }),
  });
  let isOpen = true;
  reading.once('close', () => {
    isOpen = false;
  });
  const prompt = (): void => {
    if (isInteractive && isOpen) reading.prompt(true);
  };
  const show = (text: string, stream: Terminal['output']): void => {
    if (reading.terminal) {
      clearLine(stream, 0);
      cursorTo(stream, 0);
    }
    stream.write(`${text}\n`);
    prompt();
  };
  const noteStream = isInteractive ? output : notes;
  /** A text is being written on the last line. */
  let isWriting = false;
  const endLine = (): void => {
    if (isWriting) output.write('\n');
    isWriting = false;
  };
  return {
    reading,
    prompt,
    reply: (text: string) => {
      endLine();
      show(text, output);
    },
    /** Continues a text where it ended. */
    write: (piece: string): void => {
      if (!isWriting && reading.terminal) {
        clearLine(output, 0);
        cursorTo(output, 0);
      }
      isWriting = true;
      output.write(piece);
    },
    endWriting: (): void => {
      endLine();
      prompt();
    },
    note: (text: string) => {
      endLine();
      show(noteLine(text, noteStream), noteStream);
    },
    /** Asks for the next line with another prompt, and with a text to edit. */
    promptFor: (asked: AskedLine) => {
      if (!isInteractive || !isOpen) return;
      reading.setPrompt(asked.prompt);
      reading.prompt();
      reading.setPrompt(PROMPT);
      reading.write(asked.text);
    },
  };
};

/**
 * `tripact chat`: a conversation in one session, whose lines queue while a task runs. Without a terminal each line
 * waits for the one before. Returns the exit code.
 */
export const chat = async (options: CliOptions, terminal: Terminal = processTerminal()): Promise<number> => {
  const { session: sessionId = newSessionId('chat') } = options;
  checkRequest(sessionId, { input: '/help', ...turnOptions(options) });
  return withService(options, 'chat', 'work', (service) => talk(service, sessionId, options, terminal));
};

const talk = async (service: Service, sessionId: string, options: CliOptions, terminal: Terminal): Promise<number> => {
  const { client } = service;
  const about = turnOptions(options, service.timezone);
  // Before the first turn, so that a reminder right after its reply is not missed.
  const before = terminal.isInteractive ? await client.get(pathOf('sessions', sessionId), SessionView) : null;
  const { reading, reply, write, endWriting, note, prompt, promptFor } = openChatScreen(terminal);
  const leaving = new AbortController();
  let texts = messages('en').terminal;
  let code: number = exitCode.answered;
  /** The number of turns that were sent and are not shown completely, and a promise for when all are. */
  let open = 0;
  let allShown: Promise<unknown> = Promise.resolve();
  let isCancelling = false;
  let isWatched = !terminal.isInteractive;
  /**
   * Whether the session's task waits for an answer, as far as known here, and the turn whose action waits for approval.
   */
  let isAsking = false;
  let asking: TurnView | null = null;
  /** The task whose end was shown last. Both its turn and its cancellation report it. */
  let cancelled: string | null = null;
  /** The next line is the new input of that action. */
  let isEditing = false;

  const fail = (error: unknown): void => {
    if (leaving.signal.aborted) return;
    code = exitCode.failed;
    note(formatError(error).text);
  };
  /** Shows the session's due reminders and goals until the person leaves or the service is gone for good. */
  const watchReminders = async (): Promise<void> => {
    if (isWatched) return;
    isWatched = true;
    for await (const { event } of client.follow(sessionId, before?.last_seq ?? 0, leaving.signal))
      if (event.type === 'reminder.due') note(`Reminder${event.late ? ' (late)' : ''}: ${event.text}`);
      else if (event.type === 'goal.due')
        note(
          `Goal${event.late ? ' (late)' : ''}: ${event.goal}${event.skipped ? ` (skipped: ${event.reason ?? 'its last run is not over'})` : ''}`,
        );
  };
  /** `written` is the part of its output that was already shown. */
  const showTurn = ({ output, status, approval, task_id, options: choices }: TurnView, written: string): void => {
    const isTold = status === 'cancelled' && cancelled !== null && task_id === cancelled;
    if (status === 'cancelled') cancelled = task_id;
    if (written !== '' && output?.startsWith(written)) {
      write(printable(output.slice(written.length)));
      endWriting();
    } else if (!isTold) reply(printable(output ?? ''));
    if (approval !== null) note(terminalTexts({ options: choices }).approvalKeys);
  };
  /**
   * Sends a line, and shows its result after those of earlier turns. Answers, and turns without a task such as most
   * commands, wait for none.
   */
  const send = (said: Said): Promise<void> => {
    if (said.input !== undefined) texts = messages(languageOf(said.input)).terminal;
    const isAnswer = isAsking && !isCommand(said.input ?? '');
    if (isAnswer) [isAsking, asking] = [false, null];
    if (open === 0) isCancelling = false;
    const ahead = isAnswer ? null : allShown;
    let shown: Promise<void> | null = null;
    const show = (print: () => void): void => {
      if (shown === null) print();
      else shown = shown.then(() => ahead).then(print);
    };
    let written = '';
    /** Progress that came while the answer was being written: shown behind it, not in its middle. */
    let held: string[] = [];
    const noteHeld = (): void => {
      for (const text of held) note(text);
      held = [];
    };
    const listener = {
      progress: (text: string): void =>
        show(() => {
          if (written === '') note(text);
          else held.push(text);
        }),
      answer: (text: string | null): void =>
        show(() => {
          if (text !== null) write(printable(text));
          else if (written !== '') note(messages(languageOf(written)).replies.withdrawn);
          written = text === null ? '' : written + text;
          if (text === null) noteHeld();
        }),
      task: (): void => {
        shown ??= Promise.resolve();
      },
    };
    const exchange = async (): Promise<void> => {
      try {
        const turn = await client.turn(sessionId, { ...said, ...about }, listener, leaving.signal);
        const { status, approval, task } = turn;
        if (status !== 'ran') isAsking = status === 'asking';
        if (approval !== null) asking = turn;
        else if (status !== 'ran' || task !== null) asking = null;
        show(() => {
          showTurn(turn, written);
          noteHeld();
        });
        watchReminders().catch(fail);
      } catch (error) {
        show(() => fail(error));
      }
      await shown;
      open -= 1;
    };
    open += 1;
    const exchanged = exchange();
    allShown = Promise.all([allShown, exchanged]);
    return exchanged;
  };

  reading.on('SIGINT', () => {
    if (open === 0 || isCancelling) return reading.close();
    isCancelling = true;
    note(texts.cancelling);
    void send({ input: '/cancel' });
  });

  const own = service.own();
  const where = own === null ? `on the service at ${service.base()}` : `model ${own.app.modelName}`;
  note(`Session ${sessionId}, ${where}. /help lists the commands, /quit or Ctrl-D leaves.`);
  prompt();
  const read = (line: string): { said: Said } | AskedLine => {
    if (isEditing) return { said: { decision: { type: 'edit', input: line } } };
    return asking === null ? { said: { input: line } } : approvalAnswer(line, asking);
  };
  for await (const line of reading) {
    if (line.trim() === '') {
      isEditing = false;
      prompt();
      continue;
    }
    if (!isEditing && LEAVE.test(line)) break;
    const meant = read(line);
    isEditing = 'prompt' in meant;
    if ('prompt' in meant) promptFor(meant);
    else if (terminal.isInteractive) void send(meant.said);
    else await send(meant.said);
  }
  const isRunning = open > 0 && !isAsking && !isCancelling;
  leaving.abort();
  await allShown;
  if (isRunning) note(service.own() === null ? texts.goesOn(service.base()) : texts.goesOnLater);
  note(texts.kept(sessionCommand('chat', sessionId, options)));
  return code;
};
