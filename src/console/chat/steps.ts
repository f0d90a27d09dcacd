import { type ReadonlySignal, signal } from '@preact/signals';
import type { Progress, SessionMessage, TurnMessage } from '../../../contracts/stream.ts';
import { readStream } from '../api/event-stream.ts';

/** The progress lines of a turn, in order, and its answer as far as it is written. */
export interface Steps {
  readonly lines: ReadonlySignal<readonly Progress[]>;
  readonly written: ReadonlySignal<string>;
  /** Takes the lines among a session's messages that belong to the turn's task. A message that was taken before is taken once. */
  take(messages: readonly (SessionMessage | TurnMessage)[]): void;
  /** The stream was lost: what is written comes again from its beginning. */
  forget(): void;
}

/** Lines by the seq of their entry, so that a stream and what is read of the past may overlap. `task` is what the turn answers; null: any. */
export const createSteps = (task: string | null): Steps => {
  const bySeq = new Map<number, Progress[]>();
  const lines = signal<readonly Progress[]>([]);
  const written = signal('');
  let newest = 0;
  const take = (messages: readonly (SessionMessage | TurnMessage)[]): void => {
    const arrived = new Map<number, Progress[]>();
    for (const message of messages)
      if (message.event === 'answer.delta' && (task === null || message.data.task_id === task))
        written.value += message.data.text;
      else if (message.event === 'answer.retracted') written.value = '';
      else if (message.event === 'progress' && (task === null || message.data.task_id === task)) {
        const ofEntry = arrived.get(message.id) ?? [];
        ofEntry.push(message.data);
        arrived.set(message.id, ofEntry);
      }
    if (arrived.size === 0) return;
    const isInOrder = Math.min(...arrived.keys()) > newest;
    for (const [seq, ofEntry] of arrived) {
      const known = bySeq.get(seq) ?? [];
      const fresh = ofEntry.filter(({ text }) => !known.some((line) => line.text === text));
      bySeq.set(seq, [...known, ...fresh]);
      newest = Math.max(newest, seq);
    }
    // Most of what arrives comes behind all that is there, and need not be sorted into it.
    lines.value = isInOrder
      ? [...lines.peek(), ...[...arrived.keys()].flatMap((seq) => bySeq.get(seq) ?? [])]
      : [...bySeq].sort(([a], [b]) => a - b).flatMap(([, ofEntry]) => ofEntry);
  };
  const forget = (): void => {
    written.value = '';
  };
  return { lines, written, take, forget };
};

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
