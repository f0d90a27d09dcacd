import type { JsonSchema, ThoughtStatus } from '../../contracts/answer.ts';
import type { Call, Contract } from '../../contracts/calls.ts';
import type { SentPrompt } from '../../contracts/model-call.ts';
import type { TaskContext } from '../../contracts/task.ts';
import type { CallUsage } from '../../contracts/usage.ts';

export interface ToolUsage {
  name: string;
  description: string;
  /** Its command lines, one a line, or its input in words. */
  usage: string;
  /** The JSON Schema of its input; absent: it takes a command line. */
  schema?: JsonSchema;
}

/** An executor as a prompt describes it; `prompt` is added to the thought's system prompt. */
export interface ExecutorUsage {
  name: string;
  description: string;
  prompt: string | null;
}

/** A question to a model: which contract it must answer, and all that it may know. */
export interface ModelRequest {
  contract: Contract;
  effect_id: string;
  task: TaskContext;
  /** The item that a thought is about; null for plan, replan and an empty plan. */
  item_id: string | null;
  /** The statuses that a thought may have now; empty for plan and replan. */
  may: ThoughtStatus[];
  /** All tools of the task, whatever is due: the same in every call. */
  tools: ToolUsage[];
  executors: ExecutorUsage[];
  /** Who the agent is, as configured by the operator (SPEC 7); null: nothing is said. */
  instructions: string | null;
  /** The current time in epoch milliseconds, and the zone to show it in. */
  now: number;
  timezone: string;
  /**
   * Gets the answer as it comes: its text, or the arguments of `finish` as JSON text where that is its first call. Null: what came so far
   * is void. Where it is there, the model is asked to stream. Never throws.
   */
  onText?(piece: string | null, of?: 'text' | 'finish'): void;
  /** Gets each call that is made for this request, once it has ended. Never throws; a model that has no prompt to show need not call it. */
  onCall?(call: CallMade): void;
}

/** Why an answer that came is no candidate for a contract; `none` for one that may be read. */
export type AnswerFault = 'none' | 'truncated' | 'refused' | 'empty' | 'only_reasoning' | 'tool_use';

/** A model's answer: its text, unread, and its calls in their order. */
export interface ModelReply {
  text: string;
  /** The whole calls of the message; absent in the text voice, where none came. */
  calls?: readonly Call[];
  fault: AnswerFault;
  usage: CallUsage;
  /** The name of the model that answered, where it is not the one that was asked. */
  model?: string;
}

/** One call to a model's provider, as it was made: with an answer, with why there is none, or with neither where it was aborted. */
export interface CallMade {
  model: string;
  /** The prompt, and whether the contract's schema went with it; null where it failed before anything was sent. */
  sent: { prompt: SentPrompt; structured_output: boolean } | null;
  duration_ms: number;
  reply: ModelReply | null;
  failure: string | null;
}

export interface RecordedCall extends CallMade {
  task_id: string;
  effect_id: string;
  contract: ModelRequest['contract'];
}

/** The model brought no answer at all (connection, 429, 5xx, timeout, refused key): nothing is counted (SPEC 4). */
export class ModelUnavailable extends Error {
  override name = 'ModelUnavailable';
}

/** How much a model that can reason does so before it answers. */
export type Effort = 'low' | 'medium' | 'high';

/** Services for a model that was made in code. */
export interface ModelService {
  /** The same for all calls, for another one loses the provider's cache; null or absent: the model's own. */
  effort?: Effort | null;
  /** How long all tries of one answer may take together, the pauses between them apart, in milliseconds. */
  timeoutMs: number;
  /** Where failed calls are logged; pino's logger is one. */
  log: { warn(fields: Record<string, unknown>, message: string): void };
}

/** A source of answers. It never parses or validates them: the machine's side does (SPEC 5). */
export interface Model {
  /** As configured, such as `anthropic:claude-…` or `offline`. */
  readonly name: string;
  /** Why it can't answer, where it is not set up: every turn that needs a model is refused with it (SPEC 2.3). */
  readonly problem?: string;
  /** How it is asked to answer, by calls or by text; absent for a model that is sent no prompt. */
  voice?(): 'native' | 'text';
  /** The name of the model that this request is for, where that is not this one. */
  nameFor?(request: Pick<ModelRequest, 'contract' | 'task' | 'item_id'>): string;
  /** One call is one attempt. Throws `ModelUnavailable`, whose message says what to do; rejects when `signal` aborts. */
  answer(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
  /** The same model with a service's deadline and log. */
  forService?(service: ModelService): Model;
}
