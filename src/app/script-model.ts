import type { TaskContext } from '../../contracts/task.ts';
import { plainLine } from '../../contracts/text.ts';
import { currentItem } from '../../machines/plan-items.ts';
import { messageOf } from '../lib/errors.ts';
import { type Model, type ModelReply, type ModelRequest, ModelUnavailable } from '../models/port.ts';
import { readMessage } from '../models/reply/read-message.ts';
import { createScriptedModel, type Script, ScriptExhausted } from '../models/scripted.ts';

/** A model that answers from a script, and remembers the script's first fault. */
export interface ScriptModel extends Model {
  /** Why the script could not go on, in one sentence; null: it could so far. */
  fault(): string | null;
  /** The number of listed answers that nobody asked for. */
  remaining(): number;
}

/** Longest step and goal in a fault's text, in characters. */
const ABOUT_CHARS_MAX = 80;

const about = ({ contract, task }: ModelRequest): string => {
  const shown = (text: string): string => `"${plainLine(text, ABOUT_CHARS_MAX)}"`;
  const item = currentItem(task);
  return contract === 'thought' && item !== null
    ? `a thought about ${shown(item.step)}`
    : `a ${contract} for ${shown(task.goal)}`;
};

/** Why a reply doesn't meet the contract that is due; null: it does. */
const misfit = ({ contract, task }: { contract: ModelRequest['contract']; task: TaskContext }, reply: ModelReply) => {
  const event = readMessage(contract, task, 0, reply);
  return 'reason' in event ? event.reason : null;
};

/**
 * A model that answers from a script and takes every answer that does not fit for a fault of the script, where a real
 * model would be asked again: once the script has run out, or an answer does not meet its contract, it gives no answer
 * any more, and the task pauses.
 */
export const createScriptModel = (script: Script, name: string): ScriptModel => {
  const scripted = createScriptedModel(script);
  let fault: string | null = null;
  const failed = (text: string): never => {
    fault ??= text;
    throw new ModelUnavailable(fault);
  };
  return {
    name: scripted.name,
    fault: () => fault,
    remaining: scripted.remaining,
    answer: async (request, signal) => {
      if (fault !== null) return failed(fault);
      const nth = scripted.requests.length + 1;
      let reply: ModelReply;
      try {
        reply = await scripted.answer(request, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        return failed(
          error instanceof ScriptExhausted
            ? `${name} has run out: request ${nth} is for ${about(request)}, and no answer is left for it`
            : messageOf(error),
        );
      }
      const reason = misfit(request, reply);
      if (reason === null) return reply;
      return failed(
        `${name} does not fit: request ${nth} is for ${about(request)}, and its answer is refused: ${reason}`,
      );
    },
  };
};
