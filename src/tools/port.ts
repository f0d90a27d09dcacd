import type { JsonSchema } from '../../contracts/answer.ts';
import type { Metadata, ToolResult } from '../../contracts/task.ts';
import type { Language } from '../../contracts/text.ts';
import type { Asking } from '../lib/questions.ts';

/** Who calls a tool, and with what around it. */
export interface ToolCall {
  owner: string;
  session_id: string;
  /** The current time in epoch milliseconds. */
  now: number;
  timezone: string;
  language: Language;
  /** That of the newest turn of the task, or of the command's own turn; empty where the sender gave none. */
  metadata: Metadata;
  /** Set where a user gave the command; `callback_url` is that of its turn. */
  command?: { callback_url: string | undefined };
}

/** A call from a task: it has an effect, a folder of its own, and can be aborted. */
export interface TaskToolCall extends ToolCall {
  task_id: string;
  /** The same at every repetition of one call: a key for exactly-once work outside. */
  effect_id: string;
  item_id: string | null;
  executor: string;
  /** The item's expected output and the user's clarifications: for tools that brief somebody else. */
  expected: string | null;
  clarifications: string[];
  /** The session's folder, the only one that a tool is handed. */
  workspace: string;
  signal: AbortSignal;
}

/** Where a tool comes from: the service itself, the configuration file, or an MCP server of that name. */
export type ToolOrigin = { readonly kind: 'built_in' | 'config' } | { readonly kind: 'mcp'; readonly server: string };

/** A tool or command for people: one line, and its command lines. */
export interface ToolHelp {
  summary: string;
  usage: string;
}

interface ToolCard {
  readonly name: string;
  /** One line for people and models. */
  readonly description: string;
  /** The command lines it takes, one a line; of one with a schema that schema, as short as people need it. */
  readonly usage: string;
  /** The JSON Schema of its input, as models are told it; absent: it takes a command line. */
  readonly schema?: JsonSchema;
  /** Both in the user's language; absent: they are the same in all. */
  readonly help?: (language: Language) => ToolHelp;
  /** It is a slash command of its name too. */
  readonly isCommand?: boolean;
  /** The name of that command, where it is another one; its input is the command line with `/name`. */
  readonly command?: string;
  /** Users alone call it, by its command or `/tool`: no model is told of it. */
  readonly isForUsers?: boolean;
  /** Each task has it, whatever its tools are; it is in no list for people. */
  readonly isAlways?: boolean;
  /** It changes things that verifiers ought to check, once it has run. */
  readonly writes: boolean;
  /** A person approves each call of a task before it runs; absent: no (SPEC 3). A slash command is a person's own. */
  readonly approval?: boolean;
  /** Absent: built in. */
  readonly origin?: ToolOrigin;
}

/** A tool whose change is the owner's data, made in the transaction of its observation: exactly once (SPEC 7). Never throws for bad input. */
export interface TransactionalTool extends ToolCard {
  readonly effect: 'transactional';
  run(input: string, call: ToolCall): Asking<ToolResult>;
}

/** A tool that works outside the store. `idempotent`: may run again under its effect_id. `at_most_once`: never again. */
export interface OutsideTool extends ToolCard {
  readonly effect: 'idempotent' | 'at_most_once';
  /** Its own time limit in milliseconds, where the service's (`TRIPACT_TOOL_TIMEOUT_MS`) does not fit. */
  readonly timeoutMs?: number;
  /** Why it refuses this input, by its schema alone; null: it takes it. Absent: only a run can say. */
  checkInput?(input: string, language: Language): Promise<string | null>;
  run(input: string, call: TaskToolCall): Promise<ToolResult>;
}

export type Tool = TransactionalTool | OutsideTool;

/** Calls that a tool gets about tasks, beside its runs. None of them rejects. */
export interface ToolHooks {
  taskEnded(taskId: string): Promise<void>;
  /** The service starts. `hasEnded` gives null for a task that the service doesn't know. */
  recover(hasEnded: (taskId: string) => Promise<boolean | null>): Promise<void>;
  stop(): void;
}
