import { clearLine, createInterface, cursorTo } from 'node:readline';
import { type AskedLine, noteLine, type Terminal } from './terminal.ts';

const HISTORY_LINES = 200;

const PROMPT = '> ';

/** Reads the lines that a person types, and prints texts above the line being typed, which stays unchanged. */
export const openChatScreen = ({ input, output, notes, isInteractive }: Terminal) => {
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

export type ChatScreen = ReturnType<typeof openChatScreen>;
