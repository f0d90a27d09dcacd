import { createInterface } from 'node:readline/promises';
import type { Terminal } from './terminal.ts';

/** How a line is asked for. */
interface Asked {
  /** Default `> `. */
  prompt?: string;
  /** What the line begins with, to be changed. */
  text?: string;
}

/** Asks the person at the terminal until the answer is not blank; null when they leave by Ctrl-D, or `signal` aborts. */
export const ask = async (
  { input, notes }: Terminal,
  signal: AbortSignal,
  { prompt = '> ', text = '' }: Asked = {},
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
