import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { SessionMessage, TurnMessage } from '../../../contracts/stream.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { path } from '../api/request.ts';
import { readStream } from '../api/session-feed.ts';

/** The entries of a turn, in order, and its answer as far as it is written. */
export interface TurnEntries {
  readonly entries: ReadonlySignal<readonly TraceEntry[]>;
  readonly written: Signal<string>;
  /** Takes the entries that belong to the turn's task from messages, each once. */
  take(messages: readonly (SessionMessage | TurnMessage)[]): void;
}

/** Entries of a task; null: of any task. A stream and the past that is read may overlap. */
export const createTurnEntries = (task: string | null): TurnEntries => {
  const taken = new Map<number, TraceEntry>();
  const count = signal(0);
  const entries = computed(() => (count.value === 0 ? [] : [...taken.values()].sort((a, b) => a.seq - b.seq)));
  const written = signal('');
  const take = (messages: readonly (SessionMessage | TurnMessage)[]): void => {
    for (const message of messages)
      if (message.event === 'answer.retracted') written.value = '';
      else if (message.event === 'answer.delta' && (task ?? message.data.task_id) === message.data.task_id)
        written.value += message.data.text;
      else if (message.event === 'trace' && (task ?? message.data.task_id) === message.data.task_id)
        taken.set(message.id, message.data);
    count.value = taken.size;
  };
  return { entries, written, take };
};

/** Reads what a turn's stream has from its beginning: all of a finished one, of a running one until `signal` aborts. */
export const readPast = (turn: string, of: TurnEntries, signal: AbortSignal): Promise<void> =>
  readStream<TurnMessage>(path`/v1/turns/${turn}/events`, {
    signal,
    onMessage: (message) => {
      // The text of its answer comes only by the feed.
      if (message.event === 'trace') of.take([message]);
    },
  });
