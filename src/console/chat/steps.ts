import { type ReadonlySignal, signal } from '@preact/signals';
import type { Progress, SessionMessage, TurnMessage } from '../../../contracts/stream.ts';
import { readStream } from '../api/read-stream.ts';

/** The progress lines of a turn, in order. */
export interface Steps {
  readonly lines: ReadonlySignal<readonly Progress[]>;
  /** Takes the lines among a session's messages that belong to the turn's task. A message that was taken before is taken once. */
  take(messages: readonly (SessionMessage | TurnMessage)[]): void;
}

/** Lines by the seq of their entry, so that a stream and what is read of the past may overlap. `task` is what the turn answers; null: any. */
export const createSteps = (task: string | null): Steps => {
  const bySeq = new Map<number, Progress[]>();
  const lines = signal<readonly Progress[]>([]);
  const take = (messages: readonly (SessionMessage | TurnMessage)[]): void => {
    const arrived = new Map<number, Progress[]>();
    for (const message of messages)
      if (message.event === 'progress' && (task === null || message.data.task_id === task)) {
        const ofEntry = arrived.get(message.id) ?? [];
        arrived.set(message.id, [...ofEntry, message.data]);
      }
    if (arrived.size === 0) return;
    for (const [seq, ofEntry] of arrived) {
      const known = bySeq.get(seq) ?? [];
      const fresh = ofEntry.filter(({ text }) => !known.some((line) => line.text === text));
      bySeq.set(seq, [...known, ...fresh]);
    }
    lines.value = [...bySeq].sort(([a], [b]) => a - b).flatMap(([, ofEntry]) => ofEntry);
  };
  return { lines, take };
};

/** How long the past of a running turn is read, in milliseconds: its stream goes on, and what comes then comes by the session's feed too. */
const PAST_MS = 3_000;

/** Reads what a turn's stream has from its beginning: all of a finished one, of a running one what is there. */
export const readPast = async (turn: string, steps: Steps, signal: AbortSignal): Promise<void> => {
  const enough = AbortSignal.timeout(PAST_MS);
  try {
    await readStream<TurnMessage>(`/v1/turns/${encodeURIComponent(turn)}/events`, {
      signal: AbortSignal.any([signal, enough]),
      onMessages: steps.take,
    });
  } catch (error) {
    if (!enough.aborted && !signal.aborted) throw error;
  }
};
