import { CommandFailure } from './command-failure.ts';
import { commandName } from './command-name.ts';

/** The service can't be reached, or stopped before what was asked for had come; asking again may help. */
export class ConnectionLost extends CommandFailure {
  override name = 'ConnectionLost';
}

/** The system's word for why a request got no answer. */
const codeOf = (error: unknown): string => {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return '';
};

/** Why nothing came of a request to the service at `base`, with what to do about it. */
export const lostBy = (error: unknown, base: string): ConnectionLost => {
  const code = codeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new ConnectionLost(`${base} can not be found: is the name right, and is there a network?`);
  if (/CERT|SELF_SIGNED|TLS|SSL/.test(code))
    return new ConnectionLost(`${base} can not be reached safely: its certificate is not trusted (${code})`);
  return new ConnectionLost(`Nothing answers at ${base}; start it with: ${commandName()} serve`);
};
