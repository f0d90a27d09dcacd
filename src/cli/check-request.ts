import { TurnRequest } from '../../contracts/http.ts';
import { SessionId } from '../../contracts/ids.ts';
import { CommandFailure } from './command-failure.ts';
import { exitCode } from './exit-code.ts';
import { faultText } from './refusal.ts';

/**
 * Refuses, in the words of the command line, what every service would refuse: before one is asked or started. Throws a `CommandFailure` with
 * one line for each fault.
 */
export const checkRequest = (sessionId: string | undefined, request: TurnRequest | null): void => {
  const faults: { path: string; message: string }[] = [];
  if (sessionId !== undefined && !SessionId.safeParse(sessionId).success)
    faults.push({ path: 'path.session_id', message: '' });
  const read = request === null ? null : TurnRequest.safeParse(request);
  for (const { path, message } of read?.error?.issues ?? [])
    faults.push({ path: ['body', ...path].join('.'), message });
  if (faults.length > 0) throw new CommandFailure(faults.map(faultText).join('\n'), exitCode.usage);
};
