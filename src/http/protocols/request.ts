import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileOfDataUrl, type TurnFile } from '../../../contracts/file.ts';
import type { Problem } from '../../../contracts/http.ts';
import { SessionId } from '../../../contracts/ids.ts';
import { ServiceError } from '../../lib/errors.ts';
import { codeIn } from '../server/problem.ts';

/** An error of the request; `path` names the refused part. */
export const invalidRequest = (detail: string, path?: string): ServiceError =>
  new ServiceError('INVALID_REQUEST', detail, path === undefined ? {} : { errors: [{ path, message: detail }] });

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The session for a front end's own id: the id itself if it is a valid session name, else a name derived from it. */
export const sessionNamed = (id: string): string => (SessionId.safeParse(id).success ? id : `c-${hashOf(id)}`);

/**
 * The idempotency key of a front end's message: equal parts always give the same turn. The prefix names the protocol.
 */
export const requestKey = (prefix: string, parts: readonly unknown[]): string =>
  `${prefix}${hashOf(JSON.stringify(parts))}`;

/** The texts of a message's parts, each on its own lines. */
export const textOf = (parts: readonly { text?: string | undefined }[]): string =>
  parts
    .flatMap(({ text = '' }) => (text.trim() === '' ? [] : text))
    .join('\n')
    .trim();

/** A decision on an action, in a turn's format; a blank reason is left out. */
export const decided = (type: 'approve' | 'approve_always' | 'reject', reason?: string | null) => {
  const given = reason?.trim() ?? '';
  return { decision: { type, ...(given !== '' && { reason: given }) } };
};

/**
 * The words and files of a user's message as a turn has them. Without words there is no input, so that the files stand
 * alone.
 */
export const wordsAndFiles = (input: string, files: readonly TurnFile[]): { input?: string; files?: TurnFile[] } => ({
  ...((input !== '' || files.length === 0) && { input }),
  ...(files.length > 0 && { files: [...files] }),
});

export const MEDIA_REFUSED = 'Only text, images and documents are supported; send the message without anything else';

export const ADDRESS_REFUSED =
  'Files are taken only as data (data:image/png;base64,…), since Tripact opens no address and no id of a file: send the bytes';

/** Refuses a part that is no text and no file: ignoring it would mislead the user. `path` is where it is. */
export const refuseMedia = (path?: string): never => {
  throw invalidRequest(MEDIA_REFUSED, path);
};

/** Refuses a file that is named by its address or id: the service fetches nothing. `path` is where it is. */
export const refuseAddress = (path?: string): never => {
  throw invalidRequest(ADDRESS_REFUSED, path);
};

/** The file in a data URL. Throws `INVALID_REQUEST` for any other address; `path` is where it is. */
export const fileIn = (url: string | null | undefined, name?: string | null, path?: string): TurnFile => {
  const file = fileOfDataUrl(url ?? '') ?? refuseAddress(path);
  return { ...file, ...(name && { name }) };
};

export const runError = (problem: Problem) => ({
  type: 'RUN_ERROR' as const,
  message: problem.detail,
  code: codeIn(problem).toUpperCase(),
});

/** This service's JSON-RPC error code for too many or too large requests. */
export const RPC_TOO_MUCH = -32_049;

/** A2A's error code for an unsupported media type of a body or part. */
const RPC_MEDIA_REFUSED = -32_005;

/**
 * A problem's JSON-RPC error code: JSON-RPC's, A2A's, or this service's for a missing key and for too many requests.
 */
const rpcCode = ({ status }: Problem, { body }: FastifyRequest): number => {
  if (status === 401) return -32_041;
  if (status === 429) return RPC_TOO_MUCH;
  if (status === 415) return RPC_MEDIA_REFUSED;
  if (status >= 500) return -32_603;
  return status === 400 && body === undefined ? -32_700 : -32_600;
};

/** The id of a call, which its reply has to repeat; null: none. */
const rpcId = ({ body }: FastifyRequest): string | number | null => {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

export const rpcFailure = (request: FastifyRequest, error: object) => ({ jsonrpc: '2.0', id: rpcId(request), error });

/**
 * Sends a problem that occurred before the call was parsed, as a JSON-RPC error. Its data says after how many seconds
 * the same request may succeed.
 */
export const refuseRpc = (problem: Problem, request: FastifyRequest, reply: FastifyReply) => {
  const after = reply.getHeader('retry-after');
  const data = [{ '@type': problem.type, ...(after !== undefined && { retry_after: Number(after) }) }];
  const error = { code: rpcCode(problem, request), message: problem.detail, data };
  return reply.code(problem.status).send(rpcFailure(request, error));
};
