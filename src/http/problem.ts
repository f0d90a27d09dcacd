import type { FastifyReply } from 'fastify';
import { type ErrorCode, errorStatus, problemType } from '../../contracts/error-code.ts';
import type { Problem } from '../../contracts/http.ts';
import { ServiceError } from '../lib/errors.ts';
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
