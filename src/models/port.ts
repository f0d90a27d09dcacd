import type { JsonSchema, ThoughtStatus } from '../../contracts/answer.ts';
import type { AnswerContract, Call } from '../../contracts/calls.ts';
import type { AttachedFile, FileKinds } from '../../contracts/file.ts';
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

/** An executor as a prompt describes it; `prompt` is appended to the thought's system prompt. */
export interface ExecutorUsage {
  name: string;
  description: string;
  prompt: string | null;
}

/** A skill as a prompt lists it. */
export interface SkillUsage {
  name: string;
  description: string;
}

/** The bytes of a file, which stay on disk: no copy of them is in memory while a model thinks. */
export interface FileBytes {
  readonly size: number;
  /** Reads them from the beginning, piece by piece; each is valid until the next one is asked for. */
  stream(): AsyncIterable<Buffer>;
}

/**
 * A file as a model gets it: its bytes; its text, whole or the beginning; or why it gets neither. `unseen`: the model
 * does not look at such files.
 */
export type ShownFile =
  | { as: 'bytes'; bytes: FileBytes }
  | { as: 'text'; text: string; isWhole: boolean }
  | { as: 'gone' }
  | { as: 'unseen' };

/** The bytes behind the files that a prompt names. */
export interface FilesToShow {
  /** Reads a file for a model that takes these kinds; may be called several times. */
  show(file: AttachedFile, takes: FileKinds): Promise<ShownFile>;
}

/**
 * A piece of a prompt. `isStable`: this piece and all before it are the same in later calls, so that a provider can
 * cache them (SPEC 7).
 */
export interface PromptPart {
  text: string;
  /** The files that the text names; its adapter puts the content behind the text, or why there is none. */
  file?: AttachedFile;
  isStable?: true;
}

/** A tool in the form that providers' APIs take. */
export interface WireTool {
  name: string;
  description: string;
  schema: JsonSchema;
}

/**
 * A prompt: the callable tools, a system prompt, and one user message. Each later prompt of a task begins with the same
 * pieces, except the last.
 */
export interface Prompt {
  /** Null: the model answers by text. */
  tools: WireTool[] | null;
  system: PromptPart[];
  user: PromptPart[];
}

/** A prompt that is sent as it stands, in place of the one that a request makes. It is never shortened. */
export interface GivenPrompt {
  readonly voice: 'native' | 'text';
  /** The prompt in a voice: in another than its own if the server turns out to take no calls. */
  in(voice: GivenPrompt['voice']): Prompt;
}

/** A request to a model: the contract to answer, and everything that the model may know. */
export interface ModelRequest {
  contract: AnswerContract;
  effect_id: string;
  task: TaskContext;
  /** The item of a thought; null for plan, replan and an empty plan. */
  item_id: string | null;
  /** The statuses that a thought may have now; empty for plan and replan. */
  may: ThoughtStatus[];
  /** All tools of the task, whatever contract is due: the same in every call. */
  tools: ToolUsage[];
  executors: ExecutorUsage[];
  /** The skills that the task can read by the tool `skill`; absent: none. */
  skills?: readonly SkillUsage[];
  /** The operator's description of the agent (SPEC 7); null: none. */
  instructions: string | null;
  /** The files that the task names; absent: none of them can be read. */
  files?: FilesToShow;
  /** Absent: the prompt is made from the request. A model without prompts ignores it. */
  given?: GivenPrompt;
  /** The current time in epoch milliseconds, and the zone to show it in. */
  now: number;
  timezone: string;
  /**
   * Gets the answer as it arrives: its text, or the arguments of `finish` as JSON text if that is its first call. Null
   * retracts everything so far. If present, the model is asked to stream. Never throws.
   */
  onText?(piece: string | null, of?: 'text' | 'finish'): void;
  /** Gets each call made for this request when it has ended. Never throws. A model without prompts need not call it. */
  onCall?(call: CallMade): void;
}

/** The part of a request that decides which model it goes to. */
export interface ModelChoice extends Pick<ModelRequest, 'contract' | 'item_id'> {
  task: Pick<TaskContext, 'agent' | 'plan_items'>;
}

/** Why an answer is not a candidate for a contract; `none` if it can be read. */
export type AnswerFault = 'none' | 'truncated' | 'refused' | 'empty' | 'only_reasoning' | 'tool_use';

/** A model's answer: its text, unparsed, and its calls in order. */
export interface ModelReply {
  text: string;
  /** The complete calls of the message; absent in the text voice if there were none. */
  calls?: readonly Call[];
  fault: AnswerFault;
  usage: CallUsage;
  /** The name of the model that answered, if another one was asked. */
  model?: string;
}

/**
 * One call to a model's provider, as it was made: with an answer, with the reason for a failure, or with neither if it
 * was aborted.
 */
export interface CallMade {
  model: string;
  /**
   * The prompt, and whether the contract's schema was sent with it; null if the call failed before anything was sent.
   */
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

/** The model gave no answer at all (connection, 429, 5xx, timeout, refused key). Nothing is counted (SPEC 4). */
export class ModelUnavailable extends Error {
  override name = 'ModelUnavailable';
}

/** How much a reasoning model thinks before it answers. */
export type Effort = 'low' | 'medium' | 'high';

/** Services for a model that is made in code. */
export interface ModelService {
  /** The same for all calls, as a change would lose the provider's cache; null or absent: the model's default. */
  effort?: Effort | null;
  /** Total time of all attempts of one answer, without the pauses between them, in milliseconds. */
  timeoutMs: number;
  /** Where failed calls are logged; pino's logger fits. */
  log: { warn(fields: Record<string, unknown>, message: string): void };
}

/** A source of answers. Never parses or validates them: that happens on the machine's side (SPEC 5). */
export interface Model {
  /** As configured, such as `anthropic:claude-…` or `offline`. */
  readonly name: string;
  /** Why it cannot answer, if it is not set up. Every turn that needs a model is refused with it (SPEC 2.3). */
  readonly problem?: string;
  /** Its voice: answers by calls or by text; absent for a model without prompts. */
  voice?(): 'native' | 'text';
  /** The name of the model that this request goes to, if it is another one. */
  nameFor?(request: ModelChoice): string;
  /**
   * One call is one attempt. Throws `ModelUnavailable`, whose message says what to do; rejects when `signal` aborts.
   */
  answer(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
  /** The same model with a service's deadline and log. */
  forService?(service: ModelService): Model;
}
