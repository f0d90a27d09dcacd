import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { checked } from '../../../contracts/checked.ts';
import type { Problem } from '../../../contracts/http.ts';
import { SessionId } from '../../../contracts/ids.ts';
import { ServiceError } from '../../lib/errors.ts';

/** Faults that a refusal names, and its longest text, in characters: a body may have thousands of them, and names of its own in each. */
const FAULTS_LISTED_MAX = 5;
const DETAIL_CHARS_MAX = 1_000;

/** The first faults of a value, in a few lines. */
export const faultsIn = ({ issues }: z.ZodError): string =>
  z.prettifyError({ issues: issues.slice(0, FAULTS_LISTED_MAX) }).slice(0, DETAIL_CHARS_MAX);

export const invalidRequest = (detail: string): ServiceError => new ServiceError('INVALID_REQUEST', detail);

/** Reads what a front end sent by a schema. Throws `INVALID_REQUEST` with where and why it does not fit. */
export const parsed = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const { success, data, error } = checked(schema as z.ZodType<z.output<Schema>>, value);
  if (!success) throw invalidRequest(faultsIn(error));
  return data;
};

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The session that a front end's own id stands for: the id itself where it can be a session's name, else a name made from it. */
export const sessionNamed = (id: string): string => (SessionId.safeParse(id).success ? id : `c-${hashOf(id)}`);

/** The idempotency key of what a front end sends: the same parts give the same turn, however often they are sent. The prefix names its protocol. */
export const requestKey = (prefix: string, parts: readonly unknown[]): string =>
  `${prefix}${hashOf(JSON.stringify(parts))}`;

/** JSON-RPC's codes of a refused request, and of a service that can't serve it. */
const RPC_INVALID_REQUEST = -32_600;
const RPC_INTERNAL_ERROR = -32_603;

/** The id of a call, as its reply has to repeat it; null where it has none. */
const rpcId = ({ body }: FastifyRequest): string | number | null => {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

/** A failed call's reply. */
export const rpcFailure = (request: FastifyRequest, error: object) => ({ jsonrpc: '2.0', id: rpcId(request), error });

/** Sends a problem that came before the call was read, as JSON-RPC's error; `type` says which, as data. */
export const refuseRpc = ({ type, status, detail }: Problem, request: FastifyRequest, reply: FastifyReply) => {
  const code = status >= 500 ? RPC_INTERNAL_ERROR : RPC_INVALID_REQUEST;
  return reply.code(status).send(rpcFailure(request, { code, message: detail, data: [{ '@type': type }] }));
};
