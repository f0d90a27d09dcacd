import { SCRIPT_FAULT } from '../../contracts/model-fault.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { plainLine } from '../../contracts/text.ts';
import { contractOf, isModelEvent } from '../../machines/pending-calls.ts';
import { currentItem } from '../../machines/plan-items.ts';
import { messageOf } from '../lib/errors.ts';
import { type Model, type ModelReply, type ModelRequest, ModelUnavailable } from '../models/port.ts';
import { readMessage } from '../models/reply/read-message.ts';
import { createScriptedModel, type Script, ScriptExhausted } from '../models/scripted.ts';
import type { Engine } from '../runtime/port.ts';

/** A model that answers from a script: each task gets the answers from the first one on. */
export interface ScriptModel extends Model {
  /** Tells it where tasks' histories are. It answers nothing before. */
  readFrom(engine: Pick<Engine, 'taskEvents'>): void;
  /** Why the script could not go on, in one sentence; null: it could so far. */
  fault(): string | null;
  /** The number of listed answers that a task has not had yet. */
  remaining(taskId: string): Promise<number>;
}

type Counts = Record<ModelRequest['contract'], number>;

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

/** The answers that a task has had, by contract: the messages in its history. Only a message's first event has usage. */
const answersHad = async (engine: Pick<Engine, 'taskEvents'>, taskId: string): Promise<Counts> => {
  const had: Counts = { plan: 0, thought: 0, replan: 0 };
  for await (const { event } of engine.taskEvents(taskId))
    if (isModelEvent(event) && event.usage !== undefined) had[contractOf(event)] += 1;
  return had;
};

const sumOf = ({ plan, thought, replan }: Counts): number => plan + thought + replan;

/** The part of a script that a task has not had yet. */
const restOf = (script: Script, had: Counts): Script => {
  if (Array.isArray(script)) return script.slice(sumOf(had));
  const rest = Object.entries(script).map(([contract, of]) => [
    contract,
    Array.isArray(of) ? of.slice(had[contract as ModelRequest['contract']]) : of,
  ]);
  return Object.fromEntries(rest);
};

/**
 * A model that answers from a script. A task's place in it is in the task's history, so that it goes on there after a
 * restart, too. An answer that does not fit is taken for a fault of the script, where a real model would be asked again:
 * then, and where no answer is left, it gives none, and the task pauses. `read` gives the script, at each request.
 */
export const createScriptModel = (read: () => Promise<Script>, name: string): ScriptModel => {
  const engine = Promise.withResolvers<Pick<Engine, 'taskEvents'>>();
  let fault: string | null = null;
  const failed = (text: string): never => {
    fault ??= text;
    throw new ModelUnavailable(`${SCRIPT_FAULT}: ${text}`);
  };
  return {
    name: 'scripted',
    readFrom: engine.resolve,
    fault: () => fault,
    remaining: async (taskId) => {
      const had = await answersHad(await engine.promise, taskId);
      return createScriptedModel(restOf(await read(), had)).remaining();
    },
    answer: async (request, signal) => {
      const had = await answersHad(await engine.promise, request.task.task_id);
      const asked = `request ${sumOf(had) + 1} is for ${about(request)}`;
      let reply: ModelReply;
      try {
        reply = await createScriptedModel(restOf(await read(), had)).answer(request, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        if (!(error instanceof ScriptExhausted)) return failed(messageOf(error));
        return failed(`${name} has run out: ${asked}, and no answer is left for it`);
      }
      const reason = misfit(request, reply);
      return reason === null ? reply : failed(`${name} does not fit: ${asked}, and its answer is refused: ${reason}`);
    },
  };
};
