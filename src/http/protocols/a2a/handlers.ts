import { AgentCard, Extensions } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler, LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { A2AError } from '@a2a-js/sdk/errors';
import { JsonRpcTransportHandler, ServerCallContext, validateVersion } from '@a2a-js/sdk/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../../../../contracts/http.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { problemOf } from '../../problem.ts';
import { dataMessage } from '../../streams/event-stream.ts';
import type { ProtocolHandlers, ProtocolParts } from '../port.ts';
import { rpcFailure, rpcProblem } from '../request.ts';
import { agentCard } from './a2a.ts';
import { a2aError, createRequestHandler } from './request-handler.ts';

const UNNAMED_VERSION = '0.3';

const headerIn = ({ headers }: FastifyRequest, name: string): string => String(headers[name] ?? '');

const contextOf = (request: FastifyRequest): ServerCallContext =>
  new ServerCallContext({
    user: { isAuthenticated: true, userName: request.owner },
    requestedVersion: headerIn(request, 'a2a-version') || UNNAMED_VERSION,
    requestedExtensions: Extensions.parseServiceParameter(headerIn(request, 'a2a-extensions')),
  });

/** The refusal that an error came of, where this service has a code of its own for it. */
const tooMuch = (error: unknown): Problem | null => {
  const cause = error instanceof A2AError ? error.cause : error;
  const problem = cause instanceof ServiceError ? problemOf(cause.code, cause.message) : null;
  return problem?.status === 429 ? problem : null;
};

const failure = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  const problem = tooMuch(error);
  return problem === null
    ? rpcFailure(request, JsonRpcTransportHandler.mapToJSONRPCError(a2aError(error, request)))
    : rpcProblem(problem, request, reply);
};

type Responses = AsyncGenerator<unknown, void, undefined>;

const isStream = (result: unknown): result is Responses =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/** Makes the handlers of A2A. */
export const createHandlers = (parts: ProtocolParts): ProtocolHandlers => {
  const sendResponses = async (
    request: FastifyRequest,
    reply: FastifyReply,
    responses: Responses,
  ): Promise<FastifyReply> => {
    // Where it fails before its first response it is one error, as a call is.
    const first = await responses.next();
    return parts.streams.send(request, reply, async function* (signal) {
      try {
        for (let next = first; next.done !== true; next = await responses.next()) yield dataMessage(next.value);
      } catch (error) {
        if (!signal.aborted) yield `event: error\n${dataMessage(failure(error, request, reply))}`;
      } finally {
        await responses.return();
      }
    });
  };

  return {
    rpc: async (request, reply) => {
      const context = contextOf(request);
      let thrown: unknown = null;
      const handler = createRequestHandler(parts, request, reply, (error) => {
        thrown = error;
      });
      const isOld = context.requestedVersion === UNNAMED_VERSION;
      const transport = isOld ? new LegacyJsonRpcTransportHandler(handler) : new JsonRpcTransportHandler(handler);
      try {
        validateVersion(context.requestedVersion, agentCard(request, parts), 'JSONRPC');
        const result = await transport.handle(request.body as Record<string, unknown>, context);
        if (isStream(result)) return await sendResponses(request, reply, result);
        // The library has no code for it.
        return tooMuch(thrown) === null ? result : failure(thrown, request, reply);
      } catch (error) {
        return failure(error, request, reply);
      }
    },
    card: async (request, reply) => {
      reply.header('vary', 'A2A-Version').header('cache-control', 'no-cache');
      const core = AgentCard.toJSON(agentCard(request, parts)) as { supportedInterfaces?: unknown };
      const context = contextOf(request);
      if (context.requestedVersion !== UNNAMED_VERSION) return core;
      const old = new LegacyRestTransportHandler(createRequestHandler(parts, request, reply));
      // The newer form's interfaces stand beside the older fields, for clients that know both.
      const { supportedInterfaces } = core;
      return { ...(await old.getAuthenticatedExtendedAgentCard(context)), supportedInterfaces };
    },
  };
};
