import type { TurnMessage } from '../../../contracts/stream.ts';
import { readStream } from '../api/read-stream.ts';
import type { Steps } from './steps.ts';

/** How long the past of a running turn is read, in milliseconds: its stream goes on, and what comes then comes by the session's feed too. */
const PAST_MS = 3_000;

/** Reads what a turn's stream has from its beginning: all of a finished one, of a running one what is there. */
export const readPast = async (turn: string, steps: Steps, signal: AbortSignal): Promise<void> => {
  const enough = AbortSignal.timeout(PAST_MS);
  try {
    await readStream<TurnMessage>(`/v1/turns/${encodeURIComponent(turn)}/events`, {
      signal: AbortSignal.any([signal, enough]),
      // What is written of its answer comes by the feed alone.
      onMessages: (messages) => steps.take(messages.filter(({ event }) => !event.startsWith('answer.'))),
    });
  } catch (error) {
    if (!enough.aborted && !signal.aborted) throw error;
  }
};
