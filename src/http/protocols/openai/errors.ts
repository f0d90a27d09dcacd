import type { FastifyReply } from 'fastify';
import type { Problem } from '../../../../contracts/http.ts';

/** OpenAI's kinds of errors, by status; any other is the service's fault or the request's. */
const kinds: Record<number, string> = { 401: 'authentication_error', 403: 'permission_error', 429: 'rate_limit_error' };

/** A problem as OpenAI's API says it. */
export const errorBody = ({ type, status, detail }: Problem) => ({
  error: {
    message: detail,
    type: kinds[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: null,
    code: type.slice(type.lastIndexOf('/') + 1).replaceAll('-', '_'),
  },
});

/** Sends a refusal that OpenAI's API has a code of its own for. */
export const refuseWith = (reply: FastifyReply, status: number, message: string, param: string, code: string) =>
  reply.code(status).send({ error: { message, type: 'invalid_request_error', param, code } });
