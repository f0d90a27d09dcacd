import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import { SessionView, type TurnRequest } from '../../contracts/http.ts';
import { messages } from '../../contracts/messages/messages.ts';
import { isCommand, languageOf } from '../../contracts/text.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { printable } from '../lib/printable.ts';
import { pathOf } from './client.ts';
import { openService, type ServiceOptions, sessionCommand } from './connection.ts';
import { checkRequest, exitCode, formatError } from './failure.ts';
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

/** Lines of earlier input that the arrow keys bring back. */
const HISTORY_LINES = 200;

const PROMPT = '> ';

/** Reads the lines that a person types, and shows texts above the one they are typing. */
interface ChatScreen {
  reading: Interface;
  /** A reply. */
  reply(text: string): void;
  /** Progress or a hint. */
  note(text: string): void;
  /** Shows the prompt on an interactive terminal. */
  prompt(): void;
  /** Asks for the next line with another prompt, and with a text to change. */
  promptFor(asked: AskedLine): void;
}

/** Opens a conversation's screen. No text ever lands inside the line being typed, which stays as it is. */
const openChatScreen = ({ input, output, notes, isInteractive }: Terminal): ChatScreen => {
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
  return {
    reading,
    reply: (text) => show(text, output),
    note: (text) => show(noteLine(text, noteStream), noteStream),
    prompt,
    promptFor: (asked) => {
      if (!isInteractive || !isOpen) return;
      reading.setPrompt(asked.prompt);
      reading.prompt();
      reading.setPrompt(PROMPT);
      reading.write(asked.text);
    },
  };
};

interface OrderedTurn {
  isOnTask: boolean;
  isEnded: boolean;
  later: (() => void)[];
}

/**
 * Keeps the order in which turns of one session are shown. Each has a connection of its own, so the lines of a later turn may arrive
 * before the end of an earlier one. A turn that works on no task, such as most commands, is shown at once.
 */
export const createTurnOrder = () => {
  const turns: OrderedTurn[] = [];
  return {
    /** A turn that is sent: the last in order, but for an answer, which the session takes before its queue. */
    open: ({ isAnswer }: { isAnswer: boolean }) => {
      const turn: OrderedTurn = { isOnTask: false, isEnded: false, later: [] };
      turns[isAnswer ? 'unshift' : 'push'](turn);
      return {
        /** The turn works on a task: from here on it shows nothing before the turns ahead of it have ended. */
        begin: (): void => {
          turn.isOnTask = true;
        },
        /** Runs `print` now, or later in the turn's order. */
        show: (print: () => void): void => {
          if (turn.isOnTask && turn !== turns[0]) turn.later.push(print);
          else print();
        },
        /** The turn has ended, and shows nothing more. */
        end: (): void => {
          turn.isEnded = true;
          for (let first = turns[0]; first !== undefined; first = turns[0]) {
            for (const print of first.later.splice(0)) print();
            if (!first.isEnded) return;
            turns.shift();
          }
        },
      };
    },
  };
};

/** Lines that leave a conversation, and are never sent; as the new input of an action they are a text like any other. */
const LEAVE = /^\s*(\/?(exit|quit)|退出)\s*$/i;

/** Reads the lines of a conversation in which an action may wait for approval. */
const createApprovalLines = () => {
  let asking: TurnView | null = null;
  let isEditing = false;
  return {
    /** A turn was answered. */
    replied: (turn: TurnView): void => {
      if (turn.approval !== null) asking = turn;
      else if (turn.status !== 'ran' || turn.task !== null) asking = null;
    },
    /** An answer was sent: nothing waits any more, as far as is known here. */
    answered: (): void => {
      asking = null;
    },
    /** Null for a blank line, which says nothing. */
    read: (line: string): { said: Said } | AskedLine | 'leave' | null => {
      const wasEditing = isEditing;
      isEditing = false;
      if (line.trim() === '') return null;
      if (!wasEditing && LEAVE.test(line)) return 'leave';
      if (asking === null) return { said: { input: line } };
      if (wasEditing) return { said: { decision: { type: 'edit', input: line } } };
      const answer = approvalAnswer(line, asking);
      isEditing = 'prompt' in answer;
      return answer;
    },
  };
};

export interface ChatOptions extends ServiceOptions {
  session?: string;
  timezone?: string;
  confirmPlan?: true;
}

/**
 * `tripact chat`: a conversation in one session. A line typed while a task runs joins its queue; slash commands are answered at
 * once. Without an interactive terminal, lines are read one after the other, each when the one before is answered. Gives the exit code.
 */
export const chat = async (options: ChatOptions, terminal: Terminal = processTerminal()): Promise<number> => {
  const { session: sessionId = newSessionId('chat'), confirmPlan } = options;
  checkRequest(sessionId, options.timezone === undefined ? null : { input: '/help', timezone: options.timezone });
  const service = await openService(options, 'chat', 'work');
  const { client } = service;
  const timezone = options.timezone ?? service.timezone;
  // Before the first turn: a reminder that comes right behind its reply is not missed.
  const sessionBefore = async (): Promise<SessionView | null> => {
    try {
      return await client.get(pathOf('sessions', sessionId), SessionView);
    } catch (error) {
      await service.close();
      throw error;
    }
  };
  const before = terminal.isInteractive ? await sessionBefore() : null;
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
  /** Shows the session's reminders that come due, until the person leaves or the service can't be reached any more. */
  const watchReminders = async (): Promise<void> => {
    if (isWatched) return;
    isWatched = true;
    for await (const { event } of client.follow(sessionId, before?.last_seq ?? 0, leaving.signal))
      if (event.type === 'reminder.due') note(`Reminder${event.late ? ' (late)' : ''}: ${event.text}`);
  };
  const exchange = async (said: Said, ordered: ReturnType<typeof turnOrder.open>): Promise<void> => {
    const request: TurnRequest = { ...said, timezone, ...(confirmPlan === true && { confirm_plan: true }) };
    const progress = (text: string): void => ordered.show(() => note(text));
    const turn = await client.turn(sessionId, request, { progress, task: ordered.begin }, leaving.signal);
    const { output, status, approval } = turn;
    if (status !== 'ran') isAsking = status === 'asking';
    approvalLines.replied(turn);
    ordered.show(() => {
      reply(printable(output ?? ''));
      if (approval !== null) note(terminalTexts(turn).approvalKeys);
    });
    watchReminders().catch(fail);
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
      .finally(() => {
        ordered.end();
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

  const own = service.own();
  const where = own === null ? `on the service at ${service.base()}` : `model ${own.app.modelName}`;
  note(`Session ${sessionId}, ${where}. /help lists the commands, /quit or Ctrl-D leaves.`);
  prompt();
  for await (const line of reading) {
    const read = approvalLines.read(line);
    if (read === 'leave') break;
    if (read === null) prompt();
    else if ('prompt' in read) promptFor(read);
    else if (terminal.isInteractive) void send(read.said);
    else await send(read.said);
  }
  const isRunning = underWay.size > 0 && !isAsking;
  leaving.abort();
  await Promise.all(underWay);
  if (isRunning) note(service.own() === null ? texts.goesOn(service.base()) : texts.goesOnLater);
  note(texts.kept(sessionCommand('chat', sessionId, options)));
  await service.close();
  return code;
};
