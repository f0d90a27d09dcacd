import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Progress, SessionMessage, TurnMessage } from '../../../contracts/stream.ts';
import { path } from '../api/request.ts';
import { readStream } from '../api/session-feed.ts';

/** The progress lines of a turn, in order, and its answer as far as it is written. */
export interface ProgressLines {
  readonly lines: ReadonlySignal<readonly Progress[]>;
  readonly written: Signal<string>;
  /** Takes the lines that belong to the turn's task from messages, each once. */
  take(messages: readonly (SessionMessage | TurnMessage)[]): void;
}

/** Lines of a task; null: of any task. A stream and the past that is read may overlap. */
export const createProgressLines = (task: string | null): ProgressLines => {
  const taken = new Map<string, Progress & { seq: number }>();
  const count = signal(0);
  const lines = computed(() => (count.value === 0 ? [] : [...taken.values()].sort((a, b) => a.seq - b.seq)));
  const written = signal('');
  const take = (messages: readonly (SessionMessage | TurnMessage)[]): void => {
    for (const message of messages)
      if (message.event === 'answer.retracted') written.value = '';
      else if (message.event === 'answer.delta' && (task ?? message.data.task_id) === message.data.task_id)
        written.value += message.data.text;
      else if (message.event === 'progress' && (task ?? message.data.task_id) === message.data.task_id)
        taken.set(`${message.id} ${message.data.text}`, { ...message.data, seq: message.id });
    count.value = taken.size;
  };
  return { lines, written, take };
};

/** Reads what a turn's stream has from its beginning: all of a finished one, of a running one until `signal` aborts. */
export const readPast = (turn: string, progress: ProgressLines, signal: AbortSignal): Promise<void> =>
  readStream<TurnMessage>(path`/v1/turns/${turn}/events`, {
    signal,
    onMessage: (message) => {
      // The text of its answer comes only by the feed.
      if (message.event === 'progress') progress.take([message]);
    },
  });
