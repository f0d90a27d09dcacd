import type { Problem } from '../../../../contracts/http.ts';

/** OpenAI's kinds of errors, by status; any other is the service's fault or the request's. */
const kinds: Record<number, string> = { 401: 'authentication_error', 403: 'permission_error', 429: 'rate_limit_error' };

/** A problem as OpenAI's API says it. */
export const errorBody = ({ type, status, detail }: Problem) => ({
  error: {
    message: detail,
    type: kinds[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: null,
    code: type.slice(type.lastIndexOf('/') + 1).replaceAll('-', '_'),
  },
});
