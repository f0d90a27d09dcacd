import { ServiceError } from '../errors.ts';
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

/** What a person is told of an error, and how the process ends. Only an error that nobody expected shows its stack. */
export const toldOf = (error: unknown): { text: string; code: number } => {
  if (error instanceof CommandFailure) return { text: error.message, code: error.exitCode };
  if (error instanceof ServiceError)
    return { text: error.message, code: error.code === 'CONFIG_INVALID' ? exitCode.usage : exitCode.failed };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: exitCode.failed };
};
