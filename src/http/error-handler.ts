import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../contracts/error-code.ts';
import type { Problem } from '../../contracts/http.ts';
import { isLoggedOnce, ServiceError } from '../lib/errors.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { problemOf, sendProblem, setRetryAfter } from './problem.ts';
import { validationProblem } from './validation-problem.ts';

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
