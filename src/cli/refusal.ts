import { Problem } from '../../contracts/http.ts';
import { printable } from '../lib/printable.ts';
import { CommandFailure } from './command-failure.ts';
import { ConnectionLost } from './connection-lost.ts';
import { exitCode } from './exit-code.ts';
import { readJson } from './read-reply.ts';

/** There is nothing of the id that a command names. */
export class NothingThere extends CommandFailure {
  override name = 'NothingThere';
}

/** What the person at the terminal wrote, by the place in the request where the service found it wrong. */
const words: Record<string, string> = {
  'body.input': 'The input',
  'body.decision.input': 'The new input',
  'body.timezone': '--timezone',
  'body.session_id': '--session',
  'path.session_id': '--session',
  'path.task_id': 'The task id',
  'body.at': '--at',
  'query.state': '--state',
  'query.limit': '--limit',
  'query.cursor': '--cursor',
};

/** What is wrong with a part of a request, in the words of the command line. */
export const faultText = ({ path, message }: { path: string; message: string }): string =>
  path === 'path.session_id' || path === 'body.session_id'
    ? '--session must be 1 to 64 letters, digits, _ or -'
    : `${words[path] ?? path} ${message}`;

/** Where a refused request went, and whether a key went with it. */
export interface Refused {
  base: string;
  hasKey: boolean;
}

const keyHint = ({ base, hasKey }: Refused): string =>
  hasKey
    ? `${base} does not take the key: set TRIPACT_API_KEY to one that it knows (else the first of TRIPACT_API_KEYS is shown)`
    : `${base} wants a key: set TRIPACT_API_KEY to one that it knows`;

const retryHint = (response: Response): string => {
  const seconds = response.headers.get('retry-after');
  return seconds !== null && /^\d{1,9}$/.test(seconds) ? ` (try again in ${seconds} s)` : '';
};

/** A reply that is no success, as the failure of a command: one plain line for each fault. */
export const refusal = async (response: Response, to: Refused): Promise<Error> => {
  const { status } = response;
  const problem = Problem.safeParse(await readJson(response).catch(() => null));
  if (!problem.success) return new CommandFailure(`${to.base} answered ${status}: is that a Tripact service?`);
  const { type, detail, errors = [], request_id } = problem.data;
  if (type === '/problems/shutting-down') return new ConnectionLost(printable(detail));
  const said = printable(detail);
  switch (status) {
    case 400:
      return new CommandFailure(printable(errors.map(faultText).join('\n')) || said, exitCode.usage);
    case 401:
      return new CommandFailure(keyHint(to));
    case 404:
      return new NothingThere(said);
    case 413:
      return new CommandFailure('The input is too long', exitCode.usage);
    case 429:
    case 503:
      return new CommandFailure(`${said}${retryHint(response)}`);
    case 500:
      return new CommandFailure(`${said}${request_id === undefined ? '' : ` (${printable(request_id)})`}`);
    default:
      return new CommandFailure(said);
  }
};
