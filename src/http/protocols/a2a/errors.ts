import { A2AError, RequestMalformedError, TaskNotCancelableError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../../lib/errors.ts';
import { reportedProblem } from '../../error-handler.ts';

/** Requests that failed by a fault of the service. */
const failed = new WeakSet<FastifyRequest>();

/** True where the service itself is why a request failed. */
export const isOwnFault = (request: FastifyRequest): boolean => failed.has(request);

/** Any error as A2A has it. What is the service's own fault is logged, and none of its text is shown. */
export const a2aError = (error: unknown, request: FastifyRequest): Error => {
  if (error instanceof A2AError) return error;
  const problem = reportedProblem(error instanceof Error ? error : new Error(String(error)), request);
  const options = { message: problem.detail, cause: error };
  const code = error instanceof ServiceError ? error.code : null;
  if (code === 'TASK_NOT_FOUND' || code === 'SESSION_NOT_FOUND') return new TaskNotFoundError(options);
  if (code === 'TASK_FINISHED') return new TaskNotCancelableError(options);
  if (problem.status < 500) return new RequestMalformedError(options);
  failed.add(request);
  return new Error(problem.detail);
};
