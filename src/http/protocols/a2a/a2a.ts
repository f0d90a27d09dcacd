import { AgentCard, Extensions } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler, LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { JsonRpcTransportHandler, ServerCallContext, validateVersion } from '@a2a-js/sdk/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendEventStream } from '../../event-stream.ts';
import { rpcError, rpcFailure } from '../json-rpc.ts';
import type { LoadedProtocol, ProtocolHandler, ProtocolParts } from '../port.ts';
import { agentCard } from './agent-card.ts';
import { a2aError, isOwnFault } from './errors.ts';
import { createRequestHandler } from './request-handler.ts';

/** The version of clients that name none. */
const UNNAMED_VERSION = '0.3';

const versionOf = ({ headers }: FastifyRequest): string => {
  const named = headers['a2a-version'];
  return typeof named === 'string' && named !== '' ? named : UNNAMED_VERSION;
};

const contextOf = (request: FastifyRequest): ServerCallContext => {
  const extensions = request.headers['a2a-extensions'];
  return new ServerCallContext({
    user: { isAuthenticated: true, userName: request.owner },
    requestedVersion: versionOf(request),
    requestedExtensions: Extensions.parseServiceParameter(typeof extensions === 'string' ? extensions : undefined),
  });
};

type Responses = AsyncGenerator<unknown, void, undefined>;

const isStream = (result: unknown): result is Responses =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/** The code of JSON-RPC for a fault of the server's own. */
const INTERNAL_ERROR = -32_603;

/** True for a failure of the SDK itself, which throws on params that it did not expect, and takes that for a fault of the server. */
const isUnread = (result: unknown, request: FastifyRequest): boolean =>
  (result as { error?: { code?: unknown } }).error?.code === INTERNAL_ERROR && !isOwnFault(request);

/** A call that failed, as A2A says it. */
const failure = (error: unknown, request: FastifyRequest) =>
  rpcFailure(request, JsonRpcTransportHandler.mapToJSONRPCError(a2aError(error, request)));

/** Makes the handlers of A2A. */
export const createProtocol = (parts: ProtocolParts): LoadedProtocol => {
  /** A stream that fails before its first response is one error, as a call is. */
  const sendResponses = async (
    request: FastifyRequest,
    reply: FastifyReply,
    responses: Responses,
  ): Promise<unknown> => {
    let first: IteratorResult<unknown, void>;
    try {
      first = await responses.next();
    } catch (error) {
      return failure(error, request);
    }
    return sendEventStream(request, reply, parts.limits, async function* (signal) {
      try {
        for (let next = first; next.done !== true; next = await responses.next())
          yield `data: ${JSON.stringify(next.value)}\n\n`;
      } catch (error) {
        if (!signal.aborted) yield `event: error\ndata: ${JSON.stringify(failure(error, request))}\n\n`;
      } finally {
        await responses.return();
      }
    });
  };

  const rpc: ProtocolHandler = async (request, reply) => {
    const context = contextOf(request);
    const handler = createRequestHandler(parts, request, reply);
    try {
      validateVersion(context.requestedVersion, agentCard(request, parts.version), 'JSONRPC');
    } catch (error) {
      return failure(error, request);
    }
    const isOld = context.requestedVersion === UNNAMED_VERSION;
    const transport = isOld ? new LegacyJsonRpcTransportHandler(handler) : new JsonRpcTransportHandler(handler);
    const result = await transport.handle(request.body as Record<string, unknown>, context);
    if (isStream(result)) return sendResponses(request, reply, result);
    const malformed = new RequestMalformedError({ message: 'The params do not fit the method' });
    return isUnread(result, request) ? failure(malformed, request) : result;
  };

  const card: ProtocolHandler = async (request, reply) => {
    reply.header('vary', 'A2A-Version').header('cache-control', 'no-cache');
    const core = AgentCard.toJSON(agentCard(request, parts.version)) as object;
    if (versionOf(request) !== UNNAMED_VERSION) return core;
    const old = new LegacyRestTransportHandler(createRequestHandler(parts, request, reply));
    // The newer form's interfaces stand beside the older fields, for clients that know both.
    const { supportedInterfaces } = core as { supportedInterfaces?: unknown };
    return { ...(await old.getAuthenticatedExtendedAgentCard(contextOf(request))), supportedInterfaces };
  };

  return {
    handlers: { rpc, card },
    refuse: (problem, request, reply) =>
      reply.code(problem.status).send(rpcFailure(request, { ...rpcError(problem), data: [{ '@type': problem.type }] })),
  };
};
