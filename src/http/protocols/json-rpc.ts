import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../../../contracts/http.ts';

/** JSON-RPC's codes of a refused request, of parameters that do not fit, and of a service that can't serve it. */
const INVALID_REQUEST = -32_600;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;

/** The id of a call, as its reply has to repeat it; null where it has none. */
const rpcId = ({ body }: FastifyRequest): string | number | null => {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

/** A failed call's reply. */
export const rpcFailure = (request: FastifyRequest, error: object) => ({ jsonrpc: '2.0', id: rpcId(request), error });

/** Sends a problem that came before the call was read, as JSON-RPC's error; `type` says which, as data. */
export const refuseRpc = ({ type, status, detail }: Problem, request: FastifyRequest, reply: FastifyReply) => {
  const code = status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST;
  return reply.code(status).send(rpcFailure(request, { code, message: detail, data: [{ '@type': type }] }));
};
