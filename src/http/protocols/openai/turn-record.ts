import type { TurnView } from '../../../../contracts/turn-view.ts';
import { NO_USAGE, type Usage } from '../../../../contracts/usage.ts';
import type { ConversationUpdate } from '../port.ts';

/** All that is shown of a finished turn. */
export interface TurnRecord {
  turn: TurnView;
  /** The lines of its progress, each with its line end. */
  progress: string;
  usage: Usage;
}

/** Makes what counts the tokens of one turn of a task: what the task has used since the turn began, not in all. */
export const createTurnUsage = () => {
  let before: Usage | null = null;
  return {
    see: (update: ConversationUpdate): void => {
      if (update.type === 'task') before ??= update.task.usage;
    },
    of: ({ task }: TurnView): Usage => {
      if (before === null || task === null) return NO_USAGE;
      const { input_tokens, output_tokens, cache_written_tokens, cache_read_tokens } = task.usage;
      return {
        input_tokens: input_tokens - before.input_tokens,
        output_tokens: output_tokens - before.output_tokens,
        cache_written_tokens: cache_written_tokens - before.cache_written_tokens,
        cache_read_tokens: cache_read_tokens - before.cache_read_tokens,
      };
    },
  };
};

/** Reads a turn to its end. */
export const readTurn = async (updates: AsyncIterable<ConversationUpdate>): Promise<TurnRecord> => {
  const usage = createTurnUsage();
  let progress = '';
  for await (const update of updates) {
    usage.see(update);
    if (update.type === 'progress') progress += `${update.text}\n`;
    if (update.type === 'finished') return { turn: update.turn, progress, usage: usage.of(update.turn) };
  }
  throw new Error('a turn ended without being finished');
};
