import type { FastifyError, FastifyInstance } from 'fastify';
import { FRONT_END_BYTES_MAX } from '../../../contracts/limits.ts';
import type { ProtocolName } from '../../app/config/settings.ts';
import { ServiceError } from '../../lib/errors.ts';
import { madeOnce } from '../../lib/once.ts';
import { missingPackages } from '../../lib/optional-packages.ts';
import { reportedProblem, setRetryAfter } from '../problem.ts';
import { a2a } from './a2a/a2a.ts';
import { agUi } from './ag-ui/ag-ui.ts';
import { aiSdk } from './ai-sdk/ai-sdk.ts';
import { mcp } from './mcp/mcp.ts';
import { openai } from './openai/openai.ts';
import type { Protocol, ProtocolParts } from './port.ts';

/** Every protocol by its name. */
export const protocols: Record<ProtocolName, Protocol> = { openai, 'ai-sdk': aiSdk, mcp, a2a, 'ag-ui': agUi };

const addProtocol = (app: FastifyInstance, protocol: Protocol, parts: ProtocolParts, arePublic: boolean): void => {
  const { routes, isPublic = [], bodyBytesMax = FRONT_END_BYTES_MAX, packages = [], refuse, load } = protocol;
  const loaded = madeOnce(async () => {
    const missing = missingPackages(packages);
    if (missing !== null) throw new ServiceError('PACKAGE_MISSING', `This address is not served yet: ${missing}`);
    return (await load()).createHandlers(parts);
  });
  app.setErrorHandler(async (error: FastifyError | Error, request, reply) => {
    const problem = reportedProblem(error, request);
    setRetryAfter(reply, problem.type, error);
    return refuse(problem, request, reply);
  });
  for (const [name, route] of Object.entries(routes)) {
    const [method = '', url = ''] = route.split(' ');
    if (isPublic.includes(name) === arePublic)
      app.route({
        ...{ method, url, bodyLimit: bodyBytesMax, schema: { hide: true } },
        handler: async (request, reply) => (await loaded())[name]!(request, reply),
      });
  }
};

/** Adds the routes of the named protocols, those that need a key or those that are public. Each answers errors in its own form. Loads no handlers. */
export const addProtocols = (
  app: FastifyInstance,
  names: readonly ProtocolName[],
  parts: ProtocolParts,
  arePublic: boolean,
): void => {
  for (const name of names) void app.register(async (scope) => addProtocol(scope, protocols[name], parts, arePublic));
};
