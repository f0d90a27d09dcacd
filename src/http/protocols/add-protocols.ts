import type { FastifyError, FastifyInstance } from 'fastify';
import type { ProtocolName } from '../../app/config/protocol-names.ts';
import { createLoopSlices } from '../../event-loop/loop-slices.ts';
import { inOwnTurn } from '../../event-loop/own-turn.ts';
import { ServiceError } from '../../lib/errors.ts';
import { madeOnce } from '../../lib/once.ts';
import { missingPackages } from '../../lib/optional-packages.ts';
import { addScope } from '../add-scope.ts';
import { parseJsonOnly } from '../body-parsers.ts';
import { reportedProblem } from '../error-handler.ts';
import { sendProblem, setRetryAfter } from '../problem.ts';
import type { LoadedProtocol, Protocol, ProtocolParts } from './port.ts';
import { protocols } from './protocols.ts';

/**
 * Longest body of a protocol's request, in bytes: front ends send the whole conversation each time. It is parsed as a whole, which
 * its count of values bounds too.
 */
export const PROTOCOL_BODY_BYTES_MAX = 2 * 1024 * 1024;

/** Requests that came while a protocol was loaded are answered a few in each turn of the event loop. */
const afterLoading = createLoopSlices();

/** The protocol's handlers, loaded by the first request that needs them; a load that fails is tried again. */
const loadLate = (
  { load, loadFirst = [], packages = [] }: Protocol,
  parts: ProtocolParts,
): ((owner: string) => Promise<LoadedProtocol>) => {
  let isLoaded = false;
  const opened = madeOnce(async (): Promise<LoadedProtocol> => {
    const missing = missingPackages(packages);
    if (missing !== null) throw new ServiceError('PACKAGE_MISSING', `This address is not served yet: ${missing}`);
    for (const loadPart of loadFirst) await inOwnTurn(loadPart);
    const { createProtocol } = await inOwnTurn(load);
    return inOwnTurn(() => createProtocol(parts));
  });
  return async (owner) => {
    const loaded = await opened();
    if (!isLoaded) await afterLoading.next(owner);
    isLoaded = true;
    return loaded;
  };
};

const addProtocol = (app: FastifyInstance, protocol: Protocol, parts: ProtocolParts, arePublic: boolean): void => {
  const loaded = loadLate(protocol, parts);
  parseJsonOnly(app, { hasManyValues: true });
  app.setErrorHandler(async (error: FastifyError | Error, request, reply) => {
    const problem = reportedProblem(error, request);
    setRetryAfter(reply, problem.type, error);
    try {
      const { refuse } = await loaded(request.owner);
      return await refuse(problem, request, reply);
    } catch {
      return sendProblem(reply, problem);
    }
  });
  for (const { method, url, handler, isPublic = false, bodyBytesMax = PROTOCOL_BODY_BYTES_MAX } of protocol.routes) {
    if (isPublic !== arePublic) continue;
    app.route({
      method,
      url,
      bodyLimit: bodyBytesMax,
      schema: { hide: true },
      handler: async (request, reply) => {
        const { handlers } = await loaded(request.owner);
        return handlers[handler]!(request, reply);
      },
    });
  }
};

/** Adds the routes of the named protocols, those that need a key or those that are public. Each answers errors in its own form. Loads none of them. */
export const addProtocols = (
  app: FastifyInstance,
  names: readonly ProtocolName[],
  parts: ProtocolParts,
  arePublic: boolean,
): void => {
  for (const name of names) {
    const protocol = protocols[name];
    if (protocol.routes.some(({ isPublic = false }) => isPublic === arePublic))
      void addScope(app, name, async (scope) => addProtocol(scope, protocol, parts, arePublic));
  }
};
