import { basename } from 'node:path';
import type { TurnStatus } from '../../contracts/turn-view.ts';
import { ServiceError } from '../lib/errors.ts';

/** How a command ends, for scripts. */
export const exitCode = {
  answered: 0,
  /** The task failed or was cancelled, a trace differs, or the command itself could not be carried out. */
  failed: 1,
  /** A wrong command line or configuration; nothing was done. */
  usage: 2,
  /** The task asks a question that no one can answer. */
  asking: 3,
  paused: 4,
  /** Left by Ctrl-C. */
  interrupted: 130,
} as const;

/** The exit codes as `--help` lists them. */
export const EXIT_CODES_HELP =
  'Exit codes: 0 answered, 1 failed or cancelled, 2 wrong usage or configuration, 3 asking, 4 paused, 130 left by Ctrl-C.';

const exitCodes: Record<TurnStatus, number> = {
  ...{ answered: exitCode.answered, ran: exitCode.answered, asking: exitCode.asking, paused: exitCode.paused },
  ...{ failed: exitCode.failed, cancelled: exitCode.failed, queued: exitCode.failed, running: exitCode.failed },
};

/** The exit code for the status of a turn. */
export const exitCodeOf = (status: TurnStatus): number => exitCodes[status];

/** A command can't be carried out, for a reason that its user can mend: shown as one message, without a stack. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
  readonly exitCode: number;

  constructor(message: string, code: number = exitCode.failed, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = code;
  }
}

/** The command line is wrong; nothing was done. */
export const wrongUsage = (message: string): CommandFailure => new CommandFailure(message, exitCode.usage);

/** The service can't be reached, or stopped before the whole reply had come; asking again may help. */
export class ConnectionLost extends CommandFailure {
  override name = 'ConnectionLost';
}

/** Nothing has the id that a command names. */
export class NothingThere extends CommandFailure {
  override name = 'NothingThere';
}

/** Formats an error for the terminal, with the exit code of the process. Only unexpected errors show a stack. */
export const formatError = (error: unknown): { text: string; code: number } => {
  if (error instanceof CommandFailure) return { text: error.message, code: error.exitCode };
  if (error instanceof ServiceError)
    return { text: error.message, code: error.code === 'CONFIG_INVALID' ? exitCode.usage : exitCode.failed };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: exitCode.failed };
};

/** The files that this command line is run by. */
const OUR_FILES = /^(tripact|main)(\.mjs)?$/;

/** The name of this command line, for lines that say what to type next: what npx runs is found by npx alone. */
export const commandName = (): string => {
  const isOurs = OUR_FILES.test(basename(process.argv[1] ?? ''));
  return isOurs && process.env['npm_command'] === 'exec' ? 'npx tripact' : 'tripact';
};
