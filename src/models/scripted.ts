import { once } from 'node:events';
import type { Call } from '../../contracts/calls.ts';
import type { CallUsage } from '../../contracts/usage.ts';
import type { AnswerFault, Model, ModelReply, ModelRequest } from './port.ts';

/** One call of a message: of a tool, or of `plan`, `item_done`, `finish` or `ask_user`, with its input as an object. */
export type ScriptedCall = Pick<Call, 'name' | 'input'>;

/**
 * A whole reply, if a text or calls are not enough: calls with text beside them, a fault, or tokens used. An object as
 * `text` becomes JSON.
 */
export interface ScriptedReply {
  text?: string | object;
  /** The message's calls in order; absent: an answer by text. */
  calls?: readonly ScriptedCall[];
  fault?: AnswerFault;
  usage?: CallUsage;
  /** The name of the model that answered, for prices; absent: `scripted`. */
  model?: string;
}

/**
 * One answer: a text, the calls of a message, a `ScriptedReply`, a contract's answer as an object, an `Error` to throw,
 * a function of the request, or a promise of any of these.
 */
export type ScriptedAnswer =
  | string
  | readonly ScriptedCall[]
  | ScriptedReply
  | Record<string, unknown>
  | Error
  | Promise<ScriptedAnswer>
  | ((request: ModelRequest) => ScriptedAnswer);

/**
 * Answers in the order of requests, or by contract. A list is consumed in order; a single answer by contract is
 * repeated. Calls of a message have to be in a list or a reply.
 */
export type Script = ScriptedAnswer[] | { [Name in ModelRequest['contract']]?: ScriptedAnswer[] | ScriptedAnswer };

export interface ScriptedModel extends Model {
  /** Every request so far, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** The number of listed answers not given yet. Single answers by contract do not count. */
  remaining(): number;
  /** Resolves to the `nth` request, counted from 1, as soon as it has arrived, for example to wait before a cancel. */
  asked(nth: number): Promise<ModelRequest>;
}

/** A request beyond the script. */
export class ScriptExhausted extends Error {
  override name = 'ScriptExhausted';
}

/**
 * A model for tests that answers from a script, in order or by contract, and records every request. A request beyond
 * the script throws.
 */
export const createScriptedModel = (script: Script): ScriptedModel => {
  const shared = Array.isArray(script) ? [...script] : null;
  const left: Exclude<Script, ScriptedAnswer[]> =
    shared !== null
      ? { plan: shared, thought: shared, replan: shared }
      : Object.fromEntries(Object.entries(script).map(([name, of]) => [name, Array.isArray(of) ? [...of] : of]));
  const requests: ModelRequest[] = [];
  const arrivals: PromiseWithResolvers<ModelRequest>[] = [];
  const arrival = (nth: number): PromiseWithResolvers<ModelRequest> => {
    arrivals[nth - 1] ??= Promise.withResolvers();
    return arrivals[nth - 1]!;
  };

  const next = ({ contract, effect_id }: ModelRequest): ScriptedAnswer => {
    const answers = left[contract];
    const answer = Array.isArray(answers) ? answers.shift() : answers;
    if (answer === undefined)
      throw new ScriptExhausted(
        `scripted model: no answer left for ${contract}, request ${requests.length} (${effect_id})`,
      );
    return answer;
  };

  return {
    name: 'scripted',
    requests,
    remaining: () =>
      [...new Set(Object.values(left))].reduce((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0),
    asked: (nth) => arrival(nth).promise,
    answer: async (request, signal) => {
      signal.throwIfAborted();
      arrival(requests.push(request)).resolve(request);
      return toReply(await settle(next(request), request, signal));
    },
  };
};

type SettledAnswer = string | readonly ScriptedCall[] | ScriptedReply | Record<string, unknown>;

const settle = async (answer: ScriptedAnswer, request: ModelRequest, signal: AbortSignal): Promise<SettledAnswer> => {
  if (answer instanceof Error) throw answer;
  if (typeof answer === 'function') return settle(answer(request), request, signal);
  if (!(answer instanceof Promise)) return answer;
  signal.throwIfAborted();
  const aborted = once(signal, 'abort').then(() => signal.throwIfAborted());
  return settle((await Promise.race<unknown>([answer, aborted])) as ScriptedAnswer, request, signal);
};

const NO_TOKENS: CallUsage = { input_tokens: 0, output_tokens: 0 };

const REPLY_KEYS = ['text', 'calls', 'fault', 'usage'];

const isCalls = (answer: SettledAnswer): answer is readonly ScriptedCall[] => Array.isArray(answer);

const isReply = (answer: object): answer is ScriptedReply => REPLY_KEYS.some((key) => key in answer);

const wholeReply = (answer: SettledAnswer): ScriptedReply => {
  if (isCalls(answer)) return { calls: answer };
  return typeof answer === 'object' && isReply(answer) ? answer : { text: answer };
};

const toReply = (answer: SettledAnswer): ModelReply => {
  const { text = '', calls, fault = 'none', usage = NO_TOKENS, model } = wholeReply(answer);
  return {
    text: typeof text === 'string' ? text : JSON.stringify(text),
    fault,
    usage,
    ...(calls !== undefined && { calls }),
    ...(model !== undefined && { model }),
  };
};
