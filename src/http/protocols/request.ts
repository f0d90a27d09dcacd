import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../../../contracts/http.ts';
import { SessionId } from '../../../contracts/ids.ts';
import { ServiceError } from '../../lib/errors.ts';
import { codeIn } from '../server/problem.ts';

/** An error of the request; `path` names the part that is refused. */
export const invalidRequest = (detail: string, path?: string): ServiceError =>
  new ServiceError('INVALID_REQUEST', detail, path === undefined ? {} : { errors: [{ path, message: detail }] });

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The session that a front end's own id stands for: the id itself where it can be a session's name, else a name made from it. */
export const sessionNamed = (id: string): string => (SessionId.safeParse(id).success ? id : `c-${hashOf(id)}`);

/** The idempotency key of what a front end sends: the same parts give the same turn, however often they are sent. The prefix names its protocol. */
export const requestKey = (prefix: string, parts: readonly unknown[]): string =>
  `${prefix}${hashOf(JSON.stringify(parts))}`;

/** The texts of a message's parts, each on lines of its own. */
export const textOf = (parts: readonly { text?: string | undefined }[]): string =>
  parts
    .flatMap(({ text = '' }) => (text.trim() === '' ? [] : text))
    .join('\n')
    .trim();

/** A decision about an action as a turn has it; a blank reason is none. */
export const decided = (type: 'approve' | 'approve_always' | 'reject', reason?: string | null) => {
  const given = reason?.trim() ?? '';
  return { decision: { type, ...(given !== '' && { reason: given }) } };
};

export const MEDIA_REFUSED = 'Only text can be read; send the message without images, audio and files';

/** Refuses a message with more than text in it: nothing could be said about the rest. `path` names where it stands. */
export const refuseMedia = (path?: string): never => {
  throw invalidRequest(MEDIA_REFUSED, path);
};

export const runError = (problem: Problem) => ({
  ...{ type: 'RUN_ERROR' as const, message: problem.detail, code: codeIn(problem).toUpperCase() },
});

/** This service's code of JSON-RPC for too much of anything. */
export const RPC_TOO_MUCH = -32_049;

/** A2A's code of a body or a part of a kind that is not read. */
const RPC_MEDIA_REFUSED = -32_005;

/** JSON-RPC's code of a problem: its own, A2A's, and those of this service for a missing key and for too much. */
const rpcCode = ({ status }: Problem, { body }: FastifyRequest): number => {
  if (status === 401) return -32_041;
  if (status === 429) return RPC_TOO_MUCH;
  if (status === 415) return RPC_MEDIA_REFUSED;
  if (status >= 500) return -32_603;
  return status === 400 && body === undefined ? -32_700 : -32_600;
};

/** The id of a call, as its reply has to repeat it; null where it has none. */
const rpcId = ({ body }: FastifyRequest): string | number | null => {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

export const rpcFailure = (request: FastifyRequest, error: object) => ({ jsonrpc: '2.0', id: rpcId(request), error });

/** Sends a problem that came before the call was read, as JSON-RPC's error; its data says when the same request may succeed, in seconds. */
export const refuseRpc = (problem: Problem, request: FastifyRequest, reply: FastifyReply) => {
  const after = reply.getHeader('retry-after');
  const data = [{ '@type': problem.type, ...(after !== undefined && { retry_after: Number(after) }) }];
  const error = { code: rpcCode(problem, request), message: problem.detail, data };
  return reply.code(problem.status).send(rpcFailure(request, error));
};
