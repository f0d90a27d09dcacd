import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, errorStatus, problemType } from '../../contracts/error-code.ts';
import type { Problem } from '../../contracts/http.ts';
import { isLoggedOnce, ServiceError } from '../lib/errors.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { RETRY_AFTER_SECONDS } from './limits/http-limits.ts';

/** The media type of every error (RFC 9457). */
export const PROBLEM_JSON = 'application/problem+json';

/** A code as a title: `TASK_RUNNING` is "Task running". */
const titleOf = (code: ErrorCode): string => {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** An error as problem details. Two errors of one code and detail are the same to the byte, for every caller. */
export const problemOf = (code: ErrorCode, detail: string, errors?: Problem['errors']): Problem => ({
  type: problemType(code),
  title: titleOf(code),
  status: errorStatus[code],
  detail,
  ...(errors !== undefined && { errors }),
});

/** Errors that pass by themselves, so that the same request may succeed soon. */
const passing: ReadonlySet<string> = new Set(
  (['SHUTTING_DOWN', 'OVERLOADED', 'STORAGE_UNAVAILABLE', 'TOO_MANY_REQUESTS'] as const).map(problemType),
);

/**
 * Says by `retry-after` when the same request may succeed: what the error knows of it, or soon where the problem passes by itself. One that is
 * set already stays.
 */
export const setRetryAfter = (reply: FastifyReply, type: Problem['type'], error?: unknown): void => {
  if (reply.hasHeader('retry-after') || reply.sent) return;
  const known = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
  const seconds = known ?? (passing.has(type) ? RETRY_AFTER_SECONDS : undefined);
  if (seconds !== undefined) reply.header('retry-after', seconds);
};

/** Answers with a problem; a `retry-after` that is set already stays. As bytes, so that no serializer touches it and the media type stays as it is. */
export const sendProblem = (reply: FastifyReply, problem: Problem): FastifyReply => {
  setRetryAfter(reply, problem.type);
  return reply
    .code(problem.status)
    .type(PROBLEM_JSON)
    .send(Buffer.from(JSON.stringify(problem)));
};

/** Faults listed in one reply: a caller that sends more of them won't read them all. */
const FAULTS_LISTED_MAX = 20;

/** Longest path or message of a fault, in characters: both can quote what the caller sent. */
const FAULT_CHARS_MAX = 200;

type Fault = NonNullable<Problem['errors']>[number];

/** Where the framework found the fault, in a caller's words. */
const places: Record<string, string> = { querystring: 'query', params: 'path' };

const cut = (text: string): string => text.slice(0, FAULT_CHARS_MAX);

const faultsOf = (
  place: string,
  { instancePath, message = 'is invalid', params }: NonNullable<FastifyError['validation']>[number],
): Fault[] => {
  const path = `${place}${instancePath === '/' ? '' : instancePath.replaceAll('/', '.')}`;
  const unknown = Array.isArray(params['keys']) ? params['keys'].slice(0, FAULTS_LISTED_MAX) : [];
  if (unknown.length > 0)
    return unknown.map((key) => ({ path: cut(`${path}.${key}`), message: 'is not a known field' }));
  return [{ path: cut(path), message: cut(message) }];
};

/** A request that does not fit its schema, fault by fault: `{path: "body.input", message}` (SPEC 11). */
export const validationProblem = ({ validation = [], validationContext = 'body' }: FastifyError): Problem => {
  const place = places[validationContext] ?? validationContext;
  const faults = validation.flatMap((fault) => faultsOf(place, fault)).slice(0, FAULTS_LISTED_MAX);
  const detail = faults.map(({ path, message }) => `${path}: ${message}`)[0] ?? `The ${place} is invalid`;
  return problemOf(place === 'path' ? 'INVALID_SESSION_ID' : 'INVALID_REQUEST', detail, faults);
};

/** What the framework's own errors are to a caller. */
const frameworkProblems: Record<string, readonly [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_JSON_BODY: [
    'INVALID_REQUEST',
    'The body is not valid JSON, or has a key named __proto__ or constructor',
  ],
  // Of what fits no schema there is a list of faults; this is what no schema can be compared with.
  FST_ERR_VALIDATION: ['INVALID_REQUEST', 'The request has an object with a "length" in place of a text or a list'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['INVALID_REQUEST', 'The body is not as long as Content-Length says'],
  FST_ERR_MAX_PARAM_LENGTH: ['NOT_FOUND', 'There is nothing at this address'],
};

/** Names what the address takes: JSON where its route says nothing else. */
const unsupportedType = ({ routeOptions }: FastifyRequest): Problem => {
  const types = routeOptions.schema?.consumes ?? ['application/json'];
  return problemOf('UNSUPPORTED_MEDIA_TYPE', `Send the body as Content-Type: ${types.join(' or ')}`);
};

const internal = (requestId: string): Problem => ({
  ...problemOf('INTERNAL', 'The service failed; its log has more under the request id'),
  request_id: requestId,
});

/** A path that can't be decoded: as a task's or turn's id it is one that never was, elsewhere a bad request (SPEC 11). */
const badPath = (url: string): Problem => {
  if (url.startsWith('/v1/tasks/')) return problemOf('TASK_NOT_FOUND', 'There is no task of that id');
  if (url.startsWith('/v1/turns/')) return problemOf('TURN_NOT_FOUND', 'There is no turn of that id');
  if (url.startsWith('/docs/')) return problemOf('NOT_FOUND', 'There is nothing at this address');
  if (/^\/v1\/sessions\/[\w-]+\/files\//.test(url))
    return problemOf('FILE_NOT_FOUND', 'There is no file of that path in this session');
  if (url.startsWith('/v1/sessions/')) return problemOf('INVALID_SESSION_ID', 'The session id is malformed');
  return problemOf('INVALID_REQUEST', 'The path is malformed');
};

/** What the system has none left of, or can't do now; it passes. */
const PASSING = new Set<unknown>(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC', 'EDQUOT', 'EIO', 'ESTALE']);

const isPassing = (error: Error): boolean => 'code' in error && PASSING.has(error.code);

/** Any error as a caller may see it. Never includes a stack or an inner message: those go to the log. */
const problemFor = (error: FastifyError | Error, request: FastifyRequest): Problem => {
  if (error instanceof ServiceError) {
    const isOurFault = error.status >= 500 && error.status !== 503;
    return isOurFault ? internal(request.id) : problemOf(error.code, error.message);
  }
  if ('validation' in error && error.validation !== undefined) return validationProblem(error);
  const code = 'code' in error ? error.code : '';
  if (code === 'FST_ERR_BAD_URL') return badPath(request.url);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedType(request);
  if (isPassing(error)) return problemOf('STORAGE_UNAVAILABLE', `The system refuses it now (${code}); try again soon`);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return problemOf(
      'INPUT_TOO_LARGE',
      `The body is too large: it may have ${request.routeOptions.bodyLimit} bytes here`,
    );
  const known = frameworkProblems[code];
  if (known !== undefined) return problemOf(...known);
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  return code.startsWith('FST_') && status === 400
    ? problemOf('INVALID_REQUEST', 'The request is malformed')
    : internal(request.id);
};

const isWorthALine = onceAMinute();

/** The same, and logs what is the service's own fault. */
export const reportedProblem = (error: FastifyError | Error, request: FastifyRequest): Problem => {
  const problem = problemFor(error, request);
  // A client that disconnected while its request was being read is no error.
  const isDisconnected = request.raw.socket.destroyed;
  if (problem.status >= 500 && !isDisconnected && !isLoggedOnce(error) && !(isPassing(error) && !isWorthALine()))
    request.log.error({ err: error }, 'request failed');
  return problem;
};

/** Turns whatever a route or the framework threw into a problem (SPEC 11). */
export const handleError = (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void => {
  const problem = reportedProblem(error, request);
  setRetryAfter(reply, problem.type, error);
  sendProblem(reply, problem);
};

/** The answer for an address that no route has. */
export const handleNotFound = (_request: FastifyRequest, reply: FastifyReply): void => {
  sendProblem(reply, problemOf('NOT_FOUND', 'There is nothing at this address'));
};
