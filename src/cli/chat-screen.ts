import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import { noteLine, type Terminal } from './terminal.ts';

/** Lines of earlier input that the arrow keys bring back. */
const HISTORY_LINES = 200;

/** What a line is asked for with. */
const PROMPT = '> ';

/** The lines that a person types, and what is shown above the one they are typing. */
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

/** Opens a conversation's screen. What is shown never lands inside the line being typed, which stays as it is. */
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
