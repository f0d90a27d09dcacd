import { basename } from 'node:path';
import { Problem, TurnRequest } from '../../contracts/http.ts';
import { SessionId } from '../../contracts/ids.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { ServiceError } from '../lib/errors.ts';
import { printable } from '../lib/printable.ts';

/** Exit codes of commands, for scripts. */
export const exitCode = {
  answered: 0,
  /**
   * The task or slash command failed, the task was cancelled, a trace differs, or the command itself could not be
   * carried out.
   */
  failed: 1,
  /** A wrong command line or configuration; nothing was done. */
  usage: 2,
  asking: 3,
  paused: 4,
  /** Left by Ctrl-C. */
  interrupted: 130,
} as const;

export const exitCodeOf = ({ status, ok }: Pick<TurnView, 'status' | 'ok'>): number => {
  if (ok === false) return exitCode.failed;
  if (status === 'asking' || status === 'paused') return exitCode[status];
  return status === 'answered' || status === 'ran' ? exitCode.answered : exitCode.failed;
};

/** A command cannot be carried out for a reason that its user can fix. Shown as one message without a stack. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
  readonly exitCode: number;

  constructor(message: string, code: number = exitCode.failed, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = code;
  }
}

export const wrongUsage = (message: string): CommandFailure => new CommandFailure(message, exitCode.usage);

/** The service cannot be reached, or stopped before the whole reply arrived. A retry may help. */
export class ConnectionLost extends CommandFailure {
  override name = 'ConnectionLost';
}

export class NothingThere extends CommandFailure {
  override name = 'NothingThere';
}

/** Formats an error for the terminal, with the process's exit code. Only unexpected errors show a stack. */
export const formatError = (error: unknown): { text: string; code: number } => {
  if (error instanceof CommandFailure) return { text: error.message, code: error.exitCode };
  if (error instanceof ServiceError)
    return { text: error.message, code: error.code === 'CONFIG_INVALID' ? exitCode.usage : exitCode.failed };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: exitCode.failed };
};

/** How to call this command line, for lines that say what to type next: `npx tripact` where npx runs it. */
export const commandName = (): string => {
  const isOurs = /^(tripact|main)(\.mjs)?$/.test(basename(process.argv[1] ?? ''));
  return isOurs && process.env['npm_command'] === 'exec' ? 'npx tripact' : 'tripact';
};

/** The user's words for the parts of a request that a service rejects. */
const words: Record<string, string> = {
  'body.input': 'The input',
  'body.decision.input': 'The new input',
  'body.timezone': '--timezone',
  'body.agent': '--agent',
  agent: '--agent:',
  'body.expires_in': '--expires-in',
  'path.task_id': 'The task id',
  'body.at': '--at',
  'query.state': '--state',
  'query.limit': '--limit',
  'query.cursor': '--cursor',
};

const faultText = ({ path, message }: { path: string; message: string }): string =>
  path === 'path.session_id' || path === 'body.session_id'
    ? '--session must be 1 to 64 letters, digits, _ or -'
    : `${words[path] ?? path} ${message}`;

/**
 * Checks a request before a service is called or started. Throws a `CommandFailure` with one line for each fault that
 * every service would report.
 */
export const checkRequest = (sessionId: string | undefined, request: TurnRequest | null): void => {
  const faults = (TurnRequest.nullable().safeParse(request).error?.issues ?? []).map(({ path, message }) => ({
    path: ['body', ...path].join('.'),
    message,
  }));
  if (sessionId !== undefined && !SessionId.safeParse(sessionId).success)
    faults.unshift({ path: 'path.session_id', message: '' });
  if (faults.length > 0) throw wrongUsage(faults.map(faultText).join('\n'));
};

/** Why a request to the service at `base` got no answer, and what to do about it. */
export const lostBy = (error: unknown, base: string): ConnectionLost => {
  const code = String((error as { cause?: { code?: unknown } }).cause?.code);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new ConnectionLost(`${base} cannot be found: is the name right, and is there a network?`);
  if (/CERT|SELF_SIGNED|TLS|SSL/.test(code))
    return new ConnectionLost(`${base} cannot be reached securely: its certificate is not trusted (${code})`);
  return new ConnectionLost(`Nothing answers at ${base}; start it with: ${commandName()} serve`);
};

/** A reply without success as a command's failure: one plain line for each fault. */
export const refusal = async (response: Response, base: string, hasKey: boolean): Promise<CommandFailure> => {
  const { status, headers } = response;
  const problem = Problem.safeParse(await response.json().catch(() => null));
  if (!problem.success) return new CommandFailure(`${base} answered ${status}: is that a Tripact service?`);
  const { type, detail, errors = [], request_id } = problem.data;
  const said = printable(detail);
  const seconds = headers.get('retry-after');
  if (type === '/problems/shutting-down') return new ConnectionLost(said);
  switch (status) {
    case 400:
      return wrongUsage(printable(errors.map(faultText).join('\n')) || said);
    case 401:
      return new CommandFailure(
        hasKey
          ? `${base} refuses the key: set TRIPACT_API_KEY to a valid one (default: the first of TRIPACT_API_KEYS)`
          : `${base} requires a key: set TRIPACT_API_KEY to a valid one`,
      );
    case 404:
      return new NothingThere(said);
    case 413:
      return wrongUsage('The input is too long');
    case 500:
      return new CommandFailure(`${said}${request_id === undefined ? '' : ` (${printable(request_id)})`}`);
    default:
      return new CommandFailure(`${said}${seconds === null ? '' : printable(` (try again in ${seconds} s)`)}`);
  }
};
