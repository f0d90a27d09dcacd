import { ServiceError } from '../lib/errors.ts';
import { exitCode } from './exit-code.ts';

/** A command can't be carried out, for a reason that its user can mend: shown as one message, without a stack. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, code: number = exitCode.failed, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandFailure';
    this.exitCode = code;
  }
}

/** Formats an error for the terminal, with the exit code of the process. Only unexpected errors show a stack. */
export const formatError = (error: unknown): { text: string; code: number } => {
  if (error instanceof CommandFailure) return { text: error.message, code: error.exitCode };
  if (error instanceof ServiceError)
    return { text: error.message, code: error.code === 'CONFIG_INVALID' ? exitCode.usage : exitCode.failed };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: exitCode.failed };
};
