import type { TaskSnapshot } from '../../contracts/task.ts';
import type { Asking } from '../owner-data/port.ts';
import type { ToolCall } from '../tools/port.ts';

/** A slash command's surroundings: the session it was given in, as it stands. */
export interface CommandCall extends ToolCall {
  /** The session's active task, else its most recent one. */
  task: TaskSnapshot | null;
  /** Inputs that wait for the running task. */
  queued: number;
}

/** A slash command (SPEC 8): deterministic code that reaches no model and no task. */
export interface Command {
  readonly name: string;
  /** One line for `/help`. */
  readonly summary: string;
  readonly usage: string;
  /** Its questions are answered inside the transaction that stores its turn. Never throws for bad input: that is a text with the usage. */
  run(rest: string, call: CommandCall): Asking<string>;
}

/** All slash commands by name. */
export interface Commands {
  /** What the command says; an unknown one is answered with the list (SPEC 2). */
  run(name: string, rest: string, call: CommandCall): Asking<string>;
}
