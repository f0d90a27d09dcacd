import type { FastifyRequest } from 'fastify';
import type { Problem } from '../../../contracts/http.ts';

/** JSON-RPC's codes of a refused request and of a service that can't serve it. */
const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;

/** The id of a call, as its reply has to repeat it; null where it has none. */
export const rpcId = ({ body }: FastifyRequest): string | number | null => {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

/** A failed call's reply. */
export const rpcFailure = (request: FastifyRequest, error: object) => ({ jsonrpc: '2.0', id: rpcId(request), error });

/** A problem that came before the call was read, as JSON-RPC's error. */
export const rpcError = ({ status, detail }: Problem) => ({
  code: status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST,
  message: detail,
});
