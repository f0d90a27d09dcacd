import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, errorStatus, problemType } from '../../../contracts/error-code.ts';
import type { Problem } from '../../../contracts/http.ts';
import { TURN_FILE_BYTES_MAX, TURN_FILES_MAX } from '../../../contracts/limits.ts';
import { isLoggedOnce, ServiceError } from '../../lib/errors.ts';

/** The code in a problem's type: `not_found` for `/problems/not-found`. */
export const codeIn = ({ type }: Problem): string => type.slice(type.lastIndexOf('/') + 1).replaceAll('-', '_');

/** OpenAI's error types by status. Others are `server_error` or `invalid_request_error`. */
const kinds: Record<number, string> = { 401: 'authentication_error', 403: 'permission_error', 429: 'rate_limit_error' };

/** A problem in the format of OpenAI's API. */
export const errorBody = (problem: Problem) => ({
  error: {
    message: problem.detail,
    type: kinds[problem.status] ?? (problem.status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: problem.errors?.[0]?.path || null,
    code: codeIn(problem),
  },
});

/** The media type of every error (RFC 9457). */
export const PROBLEM_JSON = 'application/problem+json';

/** `Retry-After` while the service cannot serve, in seconds: about the length of a restart. */
const RETRY_AFTER_SECONDS = 5;

/** An error as problem details. Errors with the same code and detail give identical bytes for every caller. */
export const problemOf = (code: ErrorCode, detail: string, errors?: Problem['errors']): Problem => ({
  type: problemType(code),
  title: code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' '),
  status: errorStatus[code],
  detail,
  ...(errors !== undefined && { errors }),
});

/** Temporary errors: the same request may succeed soon. */
const PASSING = (['SHUTTING_DOWN', 'OVERLOADED', 'STORAGE_UNAVAILABLE', 'TOO_MANY_REQUESTS'] as const).map(problemType);

/**
 * Sets `retry-after` to when the same request may succeed: the error's own time, or soon for a temporary error. Never
 * replaces a value that is already set.
 */
export const setRetryAfter = (reply: FastifyReply, type: Problem['type'], error?: unknown): void => {
  if (reply.hasHeader('retry-after') || reply.sent) return;
  const known = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
  const seconds = known ?? (PASSING.some((each) => each === type) ? RETRY_AFTER_SECONDS : undefined);
  if (seconds !== undefined) reply.header('retry-after', seconds);
};

/** Most faults listed in one reply: nobody reads more. */
const FAULTS_LISTED_MAX = 20;

/** Where the framework found the fault, in a caller's words. */
const places: Record<string, string> = { querystring: 'query', params: 'path' };

/** A request that does not match its schema, fault by fault: `{path: "body.input", message}` (SPEC 11). */
const validationProblem = ({ validation = [], validationContext = 'body' }: FastifyError): Problem => {
  const place = places[validationContext] ?? validationContext;
  const faults = validation.flatMap(({ instancePath, message = 'is invalid', params }) => {
    const path = `${place}${instancePath === '/' ? '' : instancePath.replaceAll('/', '.')}`;
    const unknown = Array.isArray(params['keys']) ? params['keys'] : [];
    if (unknown.length === 0) return [{ path, message }];
    return unknown.map((key) => ({ path: `${path}.${key}`, message: 'is not a known field' }));
  });
  const detail = faults.map(({ path, message }) => `${path}: ${message}`)[0] ?? `The ${place} is invalid`;
  const code = place === 'path' ? 'INVALID_SESSION_ID' : 'INVALID_REQUEST';
  return problemOf(code, detail, faults.slice(0, FAULTS_LISTED_MAX));
};

/** The framework's own error as a caller may see it; null where the request did not cause it. */
const frameworkProblem = ({ code, statusCode }: FastifyError, { routeOptions }: FastifyRequest): Problem | null => {
  switch (code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return problemOf('INVALID_REQUEST', 'The body is not valid JSON, or has a key named __proto__ or constructor');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE': {
      const types = routeOptions.schema?.consumes ?? ['application/json'];
      return problemOf('UNSUPPORTED_MEDIA_TYPE', `Send the body as Content-Type: ${types.join(' or ')}`);
    }
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return problemOf(
        'INPUT_TOO_LARGE',
        `The body is too large: at most ${routeOptions.bodyLimit} bytes are accepted here`,
      );
    case 'FST_REQ_FILE_TOO_LARGE':
      return problemOf('INPUT_TOO_LARGE', `A file of a turn has at most ${TURN_FILE_BYTES_MAX} bytes`);
    case 'FST_FILES_LIMIT':
      return problemOf('INPUT_TOO_LARGE', `A turn has at most ${TURN_FILES_MAX} files`);
    case 'FST_FIELDS_LIMIT':
      return problemOf('INVALID_REQUEST', 'The form has too many fields');
    default:
      return code?.startsWith('FST_') && statusCode === 400
        ? problemOf('INVALID_REQUEST', 'The request is malformed')
        : null;
  }
};

/** Any error as a caller may see it. Never contains a stack trace or an internal message: those are logged. */
const problemFor = (error: FastifyError | Error, request: FastifyRequest): Problem => {
  if (error instanceof ServiceError && error.status !== 500) return problemOf(error.code, error.message, error.errors);
  if ('validation' in error && error.validation !== undefined) return validationProblem(error);
  const known = 'statusCode' in error ? frameworkProblem(error, request) : null;
  if (known !== null) return known;
  const internal = problemOf('INTERNAL', 'The service failed; its log has details under the request id');
  return { ...internal, request_id: request.id };
};

/** Any error as a caller may see it. Logs the service's own faults. */
export const reportedProblem = (error: FastifyError | Error, request: FastifyRequest): Problem => {
  const problem = problemFor(error, request);
  // A client that disconnects while its request is being read is not an error. A request that could not be forwarded
  // has no socket any more.
  const socket = request.raw.socket as Socket | null;
  const isDisconnected = socket?.destroyed === true;
  if (problem.status >= 500 && !isDisconnected && !isLoggedOnce(error))
    request.log.error({ err: error }, 'request failed');
  return problem;
};

/**
 * Turns anything that a route or the framework throws into a problem (SPEC 11). Sends bytes, so that no serializer
 * changes them or the media type.
 */
export const handleError = (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void => {
  const problem = reportedProblem(error, request);
  setRetryAfter(reply, problem.type, error);
  reply
    .code(problem.status)
    .type(PROBLEM_JSON)
    .send(Buffer.from(JSON.stringify(problem)));
};

const NOTHING_HERE = 'There is nothing at this address';

/** Statuses for a condition or range that a file does not satisfy. */
const UNMET = [412, 416];

/** Turns errors of the file-serving libraries into replies. A path that they refuse or cannot read is 404. */
export const handleFileError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
  const { code, statusCode = 500 } = error;
  if (UNMET.includes(statusCode)) {
    reply.code(statusCode).send();
    return;
  }
  const hasNoFile = statusCode < 500 || code === 'ENAMETOOLONG';
  handleError(hasNoFile ? new ServiceError('NOT_FOUND', NOTHING_HERE) : error, request, reply);
};

/** The reply for an unknown address; below `/v1`, OpenAI clients get it in their own format. */
export const handleNotFound = ({ url, headers }: FastifyRequest, reply: FastifyReply): FastifyReply => {
  if (url.startsWith('/v1/') && headers['x-stainless-lang'] !== undefined)
    return reply.code(404).send(errorBody(problemOf('NOT_FOUND', NOTHING_HERE)));
  throw new ServiceError('NOT_FOUND', NOTHING_HERE);
};
