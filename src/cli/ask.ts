import { createInterface } from 'node:readline/promises';
import type { Terminal } from './terminal.ts';

/** Asks the person at the terminal until the answer is not blank; null when they leave by Ctrl-D, or `signal` aborts. */
export const ask = async ({ input, notes }: Terminal, signal: AbortSignal): Promise<string | null> => {
  const reading = createInterface({ input, output: notes });
  const left = new AbortController();
  reading.once('close', () => left.abort());
  // A terminal that reads lines sees Ctrl-C before the process does.
  reading.on('SIGINT', () => process.emit('SIGINT'));
  try {
    for (;;) {
      const answer = await reading.question('> ', { signal: AbortSignal.any([signal, left.signal]) });
      if (answer.trim() !== '') return answer;
    }
  } catch (error) {
    if (signal.aborted || left.signal.aborted) return null;
    throw error;
  } finally {
    reading.close();
  }
};
