import { createHash } from 'node:crypto';
import { AgentCard, Extensions } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler, LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { JsonRpcTransportHandler, ServerCallContext, validateVersion } from '@a2a-js/sdk/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { dataMessage } from '../../streams/event-stream.ts';
import type { ProtocolHandler, ProtocolHandlers, ProtocolParts } from '../port.ts';
import { rpcFailure } from '../request.ts';
import { agentCard, agentIn, UNNAMED_VERSION } from './agent-card.ts';
import { a2aError, RequestHandler } from './request-handler.ts';

const headerIn = ({ headers }: FastifyRequest, name: string): string => String(headers[name] ?? '');

/** The version that a request asks for, in its header or query. Ignores a patch number. */
const versionOf = (request: FastifyRequest): string => {
  const query = request.query as Record<string, unknown>;
  const named = headerIn(request, 'a2a-version') || String(query['A2A-Version'] ?? '');
  return named.trim().replace(/^(\d+\.\d+)\.\d+$/, '$1') || UNNAMED_VERSION;
};

/** How long a card may be cached, in seconds. */
const CARD_SECONDS = 60;

const contextOf = (request: FastifyRequest): ServerCallContext =>
  new ServerCallContext({
    user: { isAuthenticated: true, userName: request.owner },
    requestedVersion: versionOf(request),
    requestedExtensions: Extensions.parseServiceParameter(headerIn(request, 'a2a-extensions')),
  });

const failure = (error: unknown, request: FastifyRequest) =>
  rpcFailure(request, JsonRpcTransportHandler.mapToJSONRPCError(a2aError(error, request)));

export const createHandlers = (parts: ProtocolParts): ProtocolHandlers => {
  /** The card in the format of the requested version. */
  const cardFor = async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    const core = AgentCard.toJSON(agentCard(request, parts)) as { supportedInterfaces?: unknown };
    const context = contextOf(request);
    if (context.requestedVersion !== UNNAMED_VERSION) return core;
    const transport = new LegacyRestTransportHandler(new RequestHandler(parts, request, reply));
    const old = await transport.getAuthenticatedExtendedAgentCard(context);
    // The newer version's interfaces stand beside the older fields, for clients that support both.
    return { ...old, supportedInterfaces: core.supportedInterfaces };
  };

  const handlers: Record<'rpc' | 'card', ProtocolHandler> = {
    rpc: async (request, reply) => {
      agentIn(request, parts);
      const context = contextOf(request);
      const handler = new RequestHandler(parts, request, reply);
      const isOld = context.requestedVersion === UNNAMED_VERSION;
      const transport = isOld ? new LegacyJsonRpcTransportHandler(handler) : new JsonRpcTransportHandler(handler);
      try {
        validateVersion(context.requestedVersion, agentCard(request, parts), 'JSONRPC');
        const result = await transport.handle(request.body as Record<string, unknown>, context);
        if (!(Symbol.asyncIterator in result)) return result;
        // A failure before the first response is sent as a single error, as for a call.
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
      const card = await cardFor(request, reply);
      const etag = `"${createHash('sha256').update(JSON.stringify(card)).digest('base64url')}"`;
      reply.header('vary', 'A2A-Version').header('cache-control', `max-age=${CARD_SECONDS}`).header('etag', etag);
      if (headerIn(request, 'if-none-match').includes(etag)) return reply.code(304).send();
      return card;
    },
  };
  return { ...handlers, agentRpc: handlers.rpc, agentCard: handlers.card };
};
