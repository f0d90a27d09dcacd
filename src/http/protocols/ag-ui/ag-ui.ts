import type { LoadedProtocol, ProtocolParts } from '../port.ts';
import { runError } from './event.ts';
import { createRun } from './run.ts';

/** Makes the handler of AG-UI. An input that is refused before its run starts gets an HTTP status, with the error that would have ended the run. */
export const createProtocol = (parts: ProtocolParts): LoadedProtocol => ({
  handlers: { run: createRun(parts) },
  refuse: (problem, _request, reply) => reply.code(problem.status).send(runError(problem)),
});
