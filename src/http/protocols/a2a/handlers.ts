import { AgentCard, Extensions } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler, LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { A2AError, RequestMalformedError, TaskNotCancelableError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import { JsonRpcTransportHandler, ServerCallContext, validateVersion } from '@a2a-js/sdk/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../../lib/errors.ts';
import { reportedProblem } from '../../problem.ts';
import { sendEventStream } from '../../streams/event-stream.ts';
import { INTERNAL_ERROR, rpcFailure } from '../json-rpc.ts';
import type { ProtocolHandler, ProtocolHandlers, ProtocolParts } from '../port.ts';
import { agentCard } from './a2a.ts';
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

/** Any error as A2A has it. What is the service's own fault is logged, and none of its text is shown. */
const a2aError = (error: unknown, request: FastifyRequest): Error => {
  if (error instanceof A2AError) return error;
  const problem = reportedProblem(error instanceof Error ? error : new Error(String(error)), request);
  const options = { message: problem.detail, cause: error };
  const code = error instanceof ServiceError ? error.code : null;
  if (code === 'TASK_NOT_FOUND' || code === 'SESSION_NOT_FOUND') return new TaskNotFoundError(options);
  if (code === 'TASK_FINISHED') return new TaskNotCancelableError(options);
  return problem.status < 500 ? new RequestMalformedError(options) : new Error(problem.detail);
};

/** A call that failed, as A2A says it. */
const failure = (error: unknown, request: FastifyRequest) =>
  rpcFailure(request, JsonRpcTransportHandler.mapToJSONRPCError(a2aError(error, request)));

type Responses = AsyncGenerator<unknown, void, undefined>;

const isStream = (result: unknown): result is Responses =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/** True for the SDK's own failure: it throws on params that it did not expect, and takes that for a fault of the server. */
const isInternalError = (result: unknown): boolean =>
  (result as { error?: { code?: unknown } }).error?.code === INTERNAL_ERROR;

/** Makes the handlers of A2A. */
export const createHandlers = (parts: ProtocolParts): ProtocolHandlers => {
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
    try {
      validateVersion(context.requestedVersion, agentCard(request, parts.version), 'JSONRPC');
    } catch (error) {
      return failure(error, request);
    }
    let isOwnFault = false;
    const handler = createRequestHandler(parts, request, reply, (error) => {
      const shown = a2aError(error, request);
      isOwnFault = !(shown instanceof A2AError);
      return shown;
    });
    const isOld = context.requestedVersion === UNNAMED_VERSION;
    const transport = isOld ? new LegacyJsonRpcTransportHandler(handler) : new JsonRpcTransportHandler(handler);
    const result = await transport.handle(request.body as Record<string, unknown>, context);
    if (isStream(result)) return sendResponses(request, reply, result);
    if (isOwnFault || !isInternalError(result)) return result;
    return failure(new RequestMalformedError({ message: 'The params do not fit the method' }), request);
  };

  const card: ProtocolHandler = async (request, reply) => {
    reply.header('vary', 'A2A-Version').header('cache-control', 'no-cache');
    const core = AgentCard.toJSON(agentCard(request, parts.version)) as object;
    if (versionOf(request) !== UNNAMED_VERSION) return core;
    const handler = createRequestHandler(parts, request, reply, (error) => a2aError(error, request));
    const old = await new LegacyRestTransportHandler(handler).getAuthenticatedExtendedAgentCard(contextOf(request));
    // The newer form's interfaces stand beside the older fields, for clients that know both.
    const { supportedInterfaces } = core as { supportedInterfaces?: unknown };
    return { ...old, supportedInterfaces };
  };

  return { rpc, card };
};
