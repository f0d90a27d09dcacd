import type { TurnStatus } from '../../contracts/turn-view.ts';

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

/** The exit code for the status of a turn. */
export const exitCodeOf = (status: TurnStatus): number => {
  switch (status) {
    case 'answered':
    case 'ran':
      return exitCode.answered;
    case 'asking':
      return exitCode.asking;
    case 'paused':
      return exitCode.paused;
    case 'failed':
    case 'cancelled':
    case 'queued':
    case 'running':
      return exitCode.failed;
    default:
      return status satisfies never;
  }
};
