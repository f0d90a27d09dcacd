import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import { printable } from '../lib/printable.ts';

/** Where a command reads and writes; tests give streams of their own. */
export interface Terminal {
  input: Readable;
  /** Results, which can be piped on. */
  output: Writable;
  /** Output besides the result: progress, hints. */
  notes: Writable;
  /** A person is there to type. */
  isInteractive: boolean;
}

/** This process's own streams. A person is there when both input and notes are a terminal. */
export const processTerminal = (): Terminal => ({
  input: process.stdin,
  output: process.stdout,
  notes: process.stderr,
  isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
});

/** One line of progress or a hint, dim where the stream shows colours. */
export const noteLine = (text: string, stream: Writable): string =>
  styleText('dim', `· ${printable(text)}`, { stream });

/** The zone that dates of this terminal's user are in. */
export const hostTimezone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Random bytes of a new session's id: enough that no two terminals ever meet, few enough to type again. */
const ID_BYTES = 5;

/** A new session's id that says which command began it, such as `chat-9f3c1a77b2`. */
export const newSessionId = (command: string): string => `${command}-${randomBytes(ID_BYTES).toString('hex')}`;

/**
 * Asks the person at the terminal until the answer is not blank; null when they leave by Ctrl-D, or `signal` aborts. The line begins with
 * `text`, to be changed.
 */
export const ask = async (
  { input, notes }: Terminal,
  signal: AbortSignal,
  { prompt = '> ', text = '' }: { prompt?: string; text?: string } = {},
): Promise<string | null> => {
  const reading = createInterface({ input, output: notes });
  const left = new AbortController();
  reading.once('close', () => left.abort());
  // A terminal that reads lines sees Ctrl-C before the process does.
  reading.on('SIGINT', () => process.emit('SIGINT'));
  try {
    for (;;) {
      const answered = reading.question(prompt, { signal: AbortSignal.any([signal, left.signal]) });
      if (text !== '') reading.write(text);
      const answer = await answered;
      if (answer.trim() !== '') return answer;
    }
  } catch (error) {
    if (signal.aborted || left.signal.aborted) return null;
    throw error;
  } finally {
    reading.close();
  }
};
