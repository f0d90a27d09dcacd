import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, errorStatus, problemType } from '../../../contracts/error-code.ts';
import type { Problem } from '../../../contracts/http.ts';
import { isLoggedOnce, ServiceError } from '../../lib/errors.ts';

/** The code in a problem's type: `not_found` of `/problems/not-found`. */
export const codeIn = ({ type }: Problem): string => type.slice(type.lastIndexOf('/') + 1).replaceAll('-', '_');

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

/** The media type of every error (RFC 9457). */
export const PROBLEM_JSON = 'application/problem+json';

/** `Retry-After` while the service can't serve, in seconds: about one restart. */
const RETRY_AFTER_SECONDS = 5;

/** An error as problem details. Two errors of one code and detail are the same to the byte, for every caller. */
export const problemOf = (code: ErrorCode, detail: string, errors?: Problem['errors']): Problem => ({
  type: problemType(code),
  title: code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' '),
  status: errorStatus[code],
  detail,
  ...(errors !== undefined && { errors }),
});

/** Errors that pass by themselves, so that the same request may succeed soon. */
const PASSING = (['SHUTTING_DOWN', 'OVERLOADED', 'STORAGE_UNAVAILABLE', 'TOO_MANY_REQUESTS'] as const).map(problemType);

/** Says by `retry-after` when the same request may succeed: what the error knows, or soon where the problem passes by itself. One that is set stays. */
export const setRetryAfter = (reply: FastifyReply, type: Problem['type'], error?: unknown): void => {
  if (reply.hasHeader('retry-after') || reply.sent) return;
  const known = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
  const seconds = known ?? (PASSING.some((each) => each === type) ? RETRY_AFTER_SECONDS : undefined);
  if (seconds !== undefined) reply.header('retry-after', seconds);
};

/** Faults listed in one reply: a caller that sends more of them won't read them all. */
const FAULTS_LISTED_MAX = 20;

/** Where the framework found the fault, in a caller's words. */
const places: Record<string, string> = { querystring: 'query', params: 'path' };

/** A request that does not fit its schema, fault by fault: `{path: "body.input", message}` (SPEC 11). */
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

/** The framework's own error as a caller may see it; null where it is none of the request. */
const frameworkProblem = ({ code, statusCode }: FastifyError, { routeOptions }: FastifyRequest): Problem | null => {
  switch (code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return problemOf('INVALID_REQUEST', 'The body is not valid JSON, or has a key named __proto__ or constructor');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE': {
      const types = routeOptions.schema?.consumes ?? ['application/json'];
      return problemOf('UNSUPPORTED_MEDIA_TYPE', `Send the body as Content-Type: ${types.join(' or ')}`);
    }
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return problemOf('INPUT_TOO_LARGE', `The body is too large: it may have ${routeOptions.bodyLimit} bytes here`);
    default:
      return code?.startsWith('FST_') && statusCode === 400
        ? problemOf('INVALID_REQUEST', 'The request is malformed')
        : null;
  }
};

/** Any error as a caller may see it. Never includes a stack or an inner message: those go to the log. */
const problemFor = (error: FastifyError | Error, request: FastifyRequest): Problem => {
  if (error instanceof ServiceError && error.status !== 500) return problemOf(error.code, error.message, error.errors);
  if ('validation' in error && error.validation !== undefined) return validationProblem(error);
  const known = 'statusCode' in error ? frameworkProblem(error, request) : null;
  if (known !== null) return known;
  const internal = problemOf('INTERNAL', 'The service failed; its log has more under the request id');
  return { ...internal, request_id: request.id };
};

/** The same, and logs what is the service's own fault. */
export const reportedProblem = (error: FastifyError | Error, request: FastifyRequest): Problem => {
  const problem = problemFor(error, request);
  // A client that disconnected while its request was being read is no error. A request that could not be forwarded has no socket any more.
  const socket = request.raw.socket as Socket | null;
  const isDisconnected = socket?.destroyed === true;
  if (problem.status >= 500 && !isDisconnected && !isLoggedOnce(error))
    request.log.error({ err: error }, 'request failed');
  return problem;
};

/** Turns whatever a route or the framework threw into a problem (SPEC 11). It is sent as bytes, so that no serializer touches it and the media type stays as it is. */
export const handleError = (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void => {
  const problem = reportedProblem(error, request);
  setRetryAfter(reply, problem.type, error);
  reply
    .code(problem.status)
    .type(PROBLEM_JSON)
    .send(Buffer.from(JSON.stringify(problem)));
};

const NOTHING_HERE = 'There is nothing at this address';

/** Statuses of a condition or a range in the request that a file does not meet. */
const UNMET = [412, 416];

/** Turns an error of the libraries that serve files into a reply: there is no file at a path that they refuse or can not read. */
export const handleFileError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
  const { code, statusCode = 500 } = error;
  if (UNMET.includes(statusCode)) {
    reply.code(statusCode).send();
    return;
  }
  const hasNoFile = statusCode < 500 || code === 'ENAMETOOLONG';
  handleError(hasNoFile ? new ServiceError('NOT_FOUND', NOTHING_HERE) : error, request, reply);
};

/** The answer for an address that no route has; below `/v1` OpenAI's clients get it in their own form. */
export const handleNotFound = ({ url, headers }: FastifyRequest, reply: FastifyReply): FastifyReply => {
  if (url.startsWith('/v1/') && headers['x-stainless-lang'] !== undefined)
    return reply.code(404).send(errorBody(problemOf('NOT_FOUND', NOTHING_HERE)));
  throw new ServiceError('NOT_FOUND', NOTHING_HERE);
};
