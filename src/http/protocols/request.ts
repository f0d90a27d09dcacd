import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Problem } from '../../../contracts/http.ts';
import { SessionId } from '../../../contracts/ids.ts';
import { ServiceError } from '../../lib/errors.ts';

/** Faults that a refusal names, and its longest text, in characters. */
const FAULTS_LISTED_MAX = 5;
const DETAIL_CHARS_MAX = 1_000;

/** An error of the request; `path` names the part that is refused. */
export const invalidRequest = (detail: string, path?: string): ServiceError =>
  new ServiceError('INVALID_REQUEST', detail, path === undefined ? {} : { errors: [{ path, message: detail }] });

/** The names that a caller knows for the fields of a value. */
export type FieldNames = Readonly<Record<string, string>>;

/** Where a value does not fit, and why. Of the alternatives of a union the one counts that fits furthest. */
const faultIn = (issue: z.core.$ZodIssue, before: PropertyKey[] = []): { path: PropertyKey[]; message: string } => {
  const path = [...before, ...issue.path];
  const inner = issue.code === 'invalid_union' ? issue.errors.flat().map((each) => faultIn(each, path)) : [];
  const said = issue.message.replace(/^Invalid (?:input|discriminator value)(?:[:.] |$)/, '');
  const message = said === '' ? 'this value is not supported' : said.charAt(0).toLowerCase() + said.slice(1);
  return inner.reduce(
    (best, each) => (each.path.length > best.path.length ? each : best),
    inner[0] ?? { path, message },
  );
};

const isMissing = (value: unknown, path: readonly PropertyKey[]): boolean =>
  path.length > 0 &&
  path.reduce<unknown>((found, key) => (found as Record<PropertyKey, unknown> | null | undefined)?.[key], value) ===
    undefined;

/** A fault of a value in one sentence, with the path that it names. */
const faultOf = (issue: z.core.$ZodIssue, value: unknown, names: FieldNames): { path: string; message: string } => {
  const { path, message } = faultIn(issue);
  const name = z.core.toDotPath(path).replace(/^\w+/, (field) => names[field] ?? field);
  if (isMissing(value, path)) return { path: name, message: `'${name}' is missing` };
  return { path: name, message: `${name === '' ? 'The body' : `'${name}'`} is invalid: ${message}` };
};

/** Reads what a front end sent by a schema. Throws `INVALID_REQUEST` with where and why it does not fit, in a sentence. */
export const parsed = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  names: FieldNames = {},
): z.output<Schema> => {
  const { success, data, error } = (schema as z.ZodType<z.output<Schema>>).safeParse(value);
  if (success) return data;
  const errors = error.issues.slice(0, FAULTS_LISTED_MAX).map((issue) => faultOf(issue, value, names));
  const detail = (errors[0]?.message ?? 'The body is invalid').slice(0, DETAIL_CHARS_MAX);
  throw new ServiceError('INVALID_REQUEST', detail, { errors });
};

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

const codeIn = ({ type }: Problem): string => type.slice(type.lastIndexOf('/') + 1).replaceAll('-', '_');

/** OpenAI's kinds of errors, by status; any other is the service's fault or the request's. */
const kinds: Record<number, string> = { 401: 'authentication_error', 403: 'permission_error', 429: 'rate_limit_error' };

/** A problem as OpenAI's API says it. */
export const errorBody = (problem: Problem) => ({
  error: {
    message: problem.detail,
    type: kinds[problem.status] ?? (problem.status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: problem.errors?.[0]?.path || null,
    code: codeIn(problem),
  },
});

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
