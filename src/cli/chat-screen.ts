import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import { noteLine, type Terminal } from './terminal.ts';

/** Lines of earlier input that the arrow keys bring back. */
const HISTORY_LINES = 200;

const PROMPT = '> ';

/** Reads the lines that a person types, and shows texts above the one they are typing. */
export interface ChatScreen {
  reading: Interface;
  /** A reply. */
  reply(text: string): void;
  /** Progress or a hint. */
  note(text: string): void;
  /** Shows the prompt on an interactive terminal. */
  prompt(): void;
  /** Asks for the next line with another prompt, and with a text to change. */
  promptFor(asked: string, text: string): void;
}

/** Opens a conversation's screen. No text ever lands inside the line being typed, which stays as it is. */
export const openChatScreen = ({ input, output, notes, isInteractive }: Terminal): ChatScreen => {
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
    promptFor: (asked, text) => {
      if (!isInteractive || !isOpen) return;
      reading.setPrompt(asked);
      reading.prompt();
      reading.setPrompt(PROMPT);
      reading.write(text);
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
