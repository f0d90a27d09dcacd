import type { TaskSnapshot, ToolResult } from '../../contracts/task.ts';
import type { Language } from '../../contracts/text.ts';
import type { Asking } from '../store/questions.ts';
import type { ToolCall, ToolHelp } from '../tools/port.ts';

/** Context of a slash command: the session it was given in, as it is now. */
export interface CommandCall extends ToolCall {
  /** The session's active task, else its most recent one. */
  task: TaskSnapshot | null;
  /** Inputs that wait for the running task. */
  queued: number;
}

/** A tool that a user tries at once; it works outside the store, so it is called once the turn is stored (SPEC 8). */
export interface ToolRun extends Pick<ToolCall, 'language' | 'timezone' | 'metadata'> {
  readonly tool: string;
  readonly input: string;
}

/** A slash command (SPEC 8): deterministic code that reaches no model and no task. */
export interface Command {
  readonly name: string;
  help(language: Language): ToolHelp;
  /**
   * Its questions are answered inside the transaction that stores its turn. Gives its result, or the tool whose result that will be. Never
   * throws for bad input: that is a failed result with the usage.
   */
  run(rest: string, call: CommandCall): Asking<ToolResult | ToolRun>;
}
