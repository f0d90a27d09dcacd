import type { Problem } from '../../../../contracts/http.ts';
import { codeIn } from '../request.ts';

/** OpenAI's kinds of errors, by status; any other is the service's fault or the request's. */
const kinds: Record<number, string> = { 401: 'authentication_error', 403: 'permission_error', 429: 'rate_limit_error' };

/** A problem as OpenAI's API says it. */
export const errorBody = (problem: Problem) => ({
  error: {
    message: problem.detail,
    type: kinds[problem.status] ?? (problem.status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: null,
    code: codeIn(problem),
  },
});
