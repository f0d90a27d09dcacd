import { Problem, TurnRequest } from '../../contracts/http.ts';
import { SessionId } from '../../contracts/ids.ts';
import { printable } from '../lib/printable.ts';
import { CommandFailure, ConnectionLost, commandName, NothingThere, wrongUsage } from './failure.ts';

/** The user's own words for the parts of a request that a service finds wrong. */
const words: Record<string, string> = {
  'body.input': 'The input',
  'body.decision.input': 'The new input',
  'body.timezone': '--timezone',
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

/** Refuses what every service would refuse, before one is asked or started. Throws a `CommandFailure` with one line for each fault. */
export const checkRequest = (sessionId: string | undefined, request: TurnRequest | null): void => {
  const read = request === null ? null : TurnRequest.safeParse(request);
  const faults = (read?.error?.issues ?? []).map(({ path, message }) => ({
    path: ['body', ...path].join('.'),
    message,
  }));
  if (sessionId !== undefined && !SessionId.safeParse(sessionId).success)
    faults.unshift({ path: 'path.session_id', message: '' });
  if (faults.length > 0) throw wrongUsage(faults.map(faultText).join('\n'));
};

/** The system's word for why a request got no answer. */
const codeOf = (error: unknown): string => {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return '';
};

/** A request to the service at `base` got no answer: why, and what to do about it. */
export const lostBy = (error: unknown, base: string): ConnectionLost => {
  const code = codeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new ConnectionLost(`${base} can not be found: is the name right, and is there a network?`);
  if (/CERT|SELF_SIGNED|TLS|SSL/.test(code))
    return new ConnectionLost(`${base} can not be reached safely: its certificate is not trusted (${code})`);
  return new ConnectionLost(`Nothing answers at ${base}; start it with: ${commandName()} serve`);
};

/** A reply that is no success, as the failure of a command: one plain line for each fault. */
export const refusal = async (
  response: Response,
  { base, hasKey }: { base: string; hasKey: boolean },
): Promise<CommandFailure> => {
  const { status, headers } = response;
  const problem = Problem.safeParse(await response.json().catch(() => null));
  if (!problem.success) return new CommandFailure(`${base} answered ${status}: is that a Tripact service?`);
  const { type, detail, errors = [], request_id } = problem.data;
  const said = printable(detail);
  if (type === '/problems/shutting-down') return new ConnectionLost(said);
  const seconds = headers.get('retry-after');
  switch (status) {
    case 400:
      return wrongUsage(printable(errors.map(faultText).join('\n')) || said);
    case 401:
      return new CommandFailure(
        hasKey
          ? `${base} does not take the key: set TRIPACT_API_KEY to one that it knows (else the first of TRIPACT_API_KEYS is shown)`
          : `${base} wants a key: set TRIPACT_API_KEY to one that it knows`,
      );
    case 404:
      return new NothingThere(said);
    case 413:
      return wrongUsage('The input is too long');
    case 429:
    case 503:
      return new CommandFailure(`${said}${seconds === null ? '' : printable(` (try again in ${seconds} s)`)}`);
    case 500:
      return new CommandFailure(`${said}${request_id === undefined ? '' : ` (${printable(request_id)})`}`);
    default:
      return new CommandFailure(said);
  }
};
