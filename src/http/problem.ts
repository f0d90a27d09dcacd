import type { FastifyReply } from 'fastify';
import { type ErrorCode, errorStatus } from '../../contracts/error-code.ts';
import type { Problem } from '../../contracts/http.ts';
import { RETRY_AFTER_SECONDS } from './http-limits.ts';

// Not by import: the module's ESM face pulls in the whole of fetch, which a start should not wait for.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** The media type of every error (RFC 9457). */
export const PROBLEM_JSON = 'application/problem+json';

const words = (code: ErrorCode, separator: string): string => code.toLowerCase().replaceAll('_', separator);

/** The stable name of a kind of error on the wire: `TASK_RUNNING` is `/problems/task-running`. */
const problemType = (code: ErrorCode): string => `/problems/${words(code, '-')}`;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** An error as problem details. Two errors of one code and detail are the same to the byte, for every caller. */
export const problemOf = (code: ErrorCode, detail: string, errors?: Problem['errors']): Problem => ({
  type: problemType(code),
  title: sentence(words(code, ' ')),
  status: errorStatus[code],
  detail,
  ...(errors !== undefined && { errors }),
});

/** A fault of the protocol that no route ever saw, and that has no code of its own. */
export const protocolProblem = (status: number, detail: string): Problem => ({
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail,
});

/** Errors that pass by themselves, so that the same request may succeed soon. */
const passing: ReadonlySet<string> = new Set(
  (['SHUTTING_DOWN', 'STORAGE_UNAVAILABLE', 'TOO_MANY_REQUESTS'] as const).map(problemType),
);

/** Answers with a problem; a `retry-after` that is set already stays. As bytes, so that no serializer touches it and the media type stays as it is. */
export const sendProblem = (reply: FastifyReply, problem: Problem): FastifyReply => {
  if (passing.has(problem.type) && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_SECONDS);
  return reply
    .code(problem.status)
    .type(PROBLEM_JSON)
    .send(Buffer.from(JSON.stringify(problem)));
};
