import type { JsonSchema } from '../../contracts/answer.ts';
import type { AttachedFile } from '../../contracts/file.ts';
import type { Metadata, ToolResult } from '../../contracts/task.ts';
import type { Language } from '../../contracts/text.ts';
import type { Resumed, ToolRequest } from '../../contracts/tool-question.ts';
import type { Queries } from '../lib/queries.ts';

/** The caller of a tool and the call's context. */
export interface ToolCall {
  owner: string;
  session_id: string;
  /** The current time in epoch milliseconds. */
  now: number;
  timezone: string;
  language: Language;
  /** From the newest turn of the task that had any, or from the command's own turn; empty if the sender gave none. */
  metadata: Metadata;
  /** Present if a user gave the command; `callback_url` is that of its turn. */
  command?: { callback_url: string | undefined };
}

/** A call that a policy decides about, before anything of it has run. */
export interface PolicyCall extends Omit<ToolCall, 'command'> {
  /** The goal of the task that wants to make the call. */
  goal: string;
  /** The first tool whose results from outside are in the task; null: none are. */
  exposed: string | null;
}

/**
 * A policy's verdict on a call: `run` it without asking, `ask` a person, ask with a summary of the action in words,
 * or `deny` it, so that the model gets the reason as a failed result.
 */
export type PolicyVerdict = 'run' | 'ask' | { ask: string; reason?: string } | { deny: string };

/** Decides about a call by its parsed input. Is asked once for a call, and never by a replay, a fork or a restart. */
export type ApprovalPolicy<Input = unknown> = (
  input: Input,
  call: PolicyCall,
) => PolicyVerdict | Promise<PolicyVerdict>;

/**
 * Who approves each call of a tool by a task: true, a person; a policy, itself or a person; `after_untrusted`, a person
 * once results from outside are in the task; false, nobody (SPEC 3).
 */
export type Approval<Input = unknown> = boolean | 'after_untrusted' | ApprovalPolicy<Input>;

/** A call from a task: it has an effect and a folder, and can be aborted. */
export interface TaskToolCall extends ToolCall {
  task_id: string;
  /** The same at every repetition of a call: a key for exactly-once work outside the store. */
  effect_id: string;
  item_id: string | null;
  executor: string;
  /** The item's expected output and the user's clarifications, for tools that brief somebody else. */
  expected: string | null;
  clarifications: string[];
  /** The files that the task's prompts name: users sent them, or tools gave them. Their paths are in the session's folder. */
  files: readonly AttachedFile[];
  /** The session's folder, the only one that a tool gets. */
  workspace: string;
  signal: AbortSignal;
  /** An earlier process may have made this call already, under the same id. */
  isRepeated?: true;
  /** The call goes on, under its `effect_id`, with what its user answered; absent: it begins. */
  resumed?: Resumed;
}

/** A tool's questions to its task's user. `state` comes back with the answers. */
export interface ToolQuestion {
  readonly server: string;
  readonly requests: ToolRequest[];
  readonly state?: string;
}

/** Thrown by a tool's `run`: the call goes on, under its id, once the task's user has answered. */
export class ToolAsks extends Error {
  override name = 'ToolAsks';
  readonly question: ToolQuestion;

  constructor(question: ToolQuestion) {
    super('the tool asks the user of its task');
    this.question = question;
  }
}

/** The origin of a tool: the service itself, the configuration file, an MCP server, or another agent. */
export type ToolOrigin =
  | { readonly kind: 'built_in' | 'config' }
  | { readonly kind: 'mcp' | 'a2a'; readonly server: string };

/** A tool or command for people: one line of description, and its command lines. */
export interface ToolHelp {
  summary: string;
  usage: string;
}

interface ToolCard {
  readonly name: string;
  /** One line for people and models. */
  readonly description: string;
  /** Its command lines, one a line; for a tool with a schema, that schema, shortened for people. */
  readonly usage: string;
  /** The JSON Schema of its input, as models get it; absent: it takes a command line. */
  readonly schema?: JsonSchema;
  /** Both in the user's language; absent: the same in every language. */
  readonly help?: (language: Language) => ToolHelp;
  /** It is also a slash command with its name. */
  readonly isCommand?: boolean;
  /** The name of that command, if it differs; its input is the command line with `/name`. */
  readonly command?: string;
  /** Only users call it, by its command or `/tool`; models do not get it. */
  readonly isForUsers?: boolean;
  /** Every task has it, whatever its tools are; lists for people omit it. */
  readonly isAlways?: boolean;
  /** It changes things that verifiers should check after it has run. */
  readonly writes: boolean;
  /** Who approves each call by a task before it runs; absent: nobody. A slash command needs no approval. */
  readonly approval?: Approval | undefined;
  /** Who may decide about its calls, as `role:finance` or `owner:ada`; absent: the task's owner. */
  readonly approvers?: readonly string[] | undefined;
  /** False: never the task's owner, also where they are among the approvers. */
  readonly self?: false | undefined;
  /** Its results come from outside, where anybody may have written them. */
  readonly source?: 'untrusted';
  /** An input as the tool's policy sees it. Rejects for one that the tool refuses. Absent: the text itself. */
  parseInput?(input: string, language: Language): Promise<unknown>;
  /** Absent: built in. */
  readonly origin?: ToolOrigin;
}

/**
 * A tool that changes the owner's data in the transaction of its observation: exactly once (SPEC 7). Never throws for
 * bad input.
 */
export interface TransactionalTool extends ToolCard {
  readonly effect: 'transactional';
  run(input: string, call: ToolCall): Queries<ToolResult>;
}

/** An image or file that a tool gives beside its text; `data` in base64. What may not be stored is left out. */
export interface ToolFile {
  readonly name?: string | undefined;
  /** The tool's claim, which counts for a text alone. */
  readonly media_type?: string | undefined;
  readonly data: string;
}

export type OutsideResult = ToolResult & { readonly files?: readonly ToolFile[] };

/**
 * A tool that works outside the store. `idempotent`: may run again under its effect_id. `at_most_once`: never runs
 * again.
 */
export interface OutsideTool extends ToolCard {
  readonly effect: 'idempotent' | 'at_most_once';
  /** Its own time limit in milliseconds, if the service's (`TRIPACT_TOOL_TIMEOUT_MS`) does not fit. */
  readonly timeoutMs?: number;
  /** Why its schema refuses this input; null: it is accepted. Absent: only a run can tell. */
  checkInput?(input: string, language: Language): Promise<string | null>;
  run(input: string, call: TaskToolCall): Promise<OutsideResult>;
}

export type Tool = TransactionalTool | OutsideTool;

/** Notifications about tasks that a tool gets beside its runs. None of them rejects. */
export interface ToolHooks {
  taskEnded(taskId: string): Promise<void>;
  /** The service starts. `hasEnded` returns null for a task that the service does not know. */
  recover(hasEnded: (taskId: string) => Promise<boolean | null>): Promise<void>;
  stop(): void;
}
