import { AgentCard, Extensions } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler, LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { JsonRpcTransportHandler, ServerCallContext, validateVersion } from '@a2a-js/sdk/server';
import type { FastifyRequest } from 'fastify';
import { dataMessage } from '../../streams/event-stream.ts';
import type { ProtocolHandlers, ProtocolParts } from '../port.ts';
import { rpcFailure } from '../request.ts';
import { agentCard } from './agent-card.ts';
import { a2aError, createRequestHandler } from './request-handler.ts';

const UNNAMED_VERSION = '0.3';

const headerIn = ({ headers }: FastifyRequest, name: string): string => String(headers[name] ?? '');

const contextOf = (request: FastifyRequest): ServerCallContext =>
  new ServerCallContext({
    user: { isAuthenticated: true, userName: request.owner },
    requestedVersion: headerIn(request, 'a2a-version') || UNNAMED_VERSION,
    requestedExtensions: Extensions.parseServiceParameter(headerIn(request, 'a2a-extensions')),
  });

const failure = (error: unknown, request: FastifyRequest) =>
  rpcFailure(request, JsonRpcTransportHandler.mapToJSONRPCError(a2aError(error, request)));

export const createHandlers = (parts: ProtocolParts): ProtocolHandlers => ({
  rpc: async (request, reply) => {
    const context = contextOf(request);
    const handler = createRequestHandler(parts, request, reply);
    const isOld = context.requestedVersion === UNNAMED_VERSION;
    const transport = isOld ? new LegacyJsonRpcTransportHandler(handler) : new JsonRpcTransportHandler(handler);
    try {
      validateVersion(context.requestedVersion, agentCard(request, parts), 'JSONRPC');
      const result = await transport.handle(request.body as Record<string, unknown>, context);
      if (!(Symbol.asyncIterator in result)) return result;
      // Where it fails before its first response it is one error, as a call is.
      const first = await result.next();
      return parts.streams.send(request, reply, async function* (signal) {
        try {
          if (first.done !== true) yield dataMessage(first.value);
          for await (const response of result) yield dataMessage(response);
        } catch (error) {
          if (!signal.aborted) yield `event: error\n${dataMessage(failure(error, request))}`;
        }
      });
    } catch (error) {
      return failure(error, request);
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
});
